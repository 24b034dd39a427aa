import { sql } from "kysely";
import type { Db } from "../../../database/open.ts";
import { textColumns } from "../../record-fields.ts";
import { separator } from "../index-tokens.ts";

/** The text of a document in UTF-8, with separators between its columns. */
export interface TextBytes {
  doc: number;
  text: Uint8Array;
}

const columns = textColumns.map((_, at) => `c${at}`);
// Read from the table of the engine: through the engine, each column of a row is a search of its own.
const bytes = sql.raw(`id as doc, cast(${columns.join(` || ' ${separator} ' || `)} as blob) as text`);

/** The texts of documents after a number, in order. */
export async function textPage(db: Db, after: number, limit: number): Promise<TextBytes[]> {
  const { rows } = await sql<TextBytes>`select ${bytes} from search_text_content where id > ${after}
    order by id limit ${limit}`.execute(db);
  return rows;
}

/** The texts of some documents. */
export async function textsOf(db: Db, docs: readonly number[]): Promise<TextBytes[]> {
  const { rows } = await sql<TextBytes>`select ${bytes} from search_text_content
    where id in (select value from json_each(${JSON.stringify(docs)}))`.execute(db);
  return rows;
}

/** A change of the index. */
export interface Change {
  seq: number;
  doc: number;
}

/** The documents that changed after a change, in the order of their changes. */
export async function changesAfter(db: Db, { seq, doc }: Change, limit: number): Promise<Change[]> {
  const { rows } = await sql<Change>`select seq, doc from search_doc
    where seq >= ${seq} and (seq, doc) > (${seq}, ${doc}) order by seq, doc limit ${limit}`.execute(db);
  return rows;
}

/** The number of the last change; 0: none. */
export async function lastSeq(db: Db): Promise<number> {
  const { rows } = await sql<{ seq: number | null }>`select max(seq) as seq from search_doc`.execute(db);
  return rows[0]?.seq ?? 0;
}
