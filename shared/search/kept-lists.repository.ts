import { sql } from "kysely";
import type { Db } from "../database/open.ts";
import { separator } from "./index-tokens.ts";
import { textColumns } from "./record-fields.ts";

/** The texts of a document in UTF-8: its title, and all other columns with separators between them. */
export interface TextBytes {
  doc: number;
  title: Uint8Array;
  others: Uint8Array;
}

const columnsAfterTitle = textColumns.slice(1).map((_, at) => `c${at + 1}`);
// Read where the engine keeps them: through it each column of a row is a search of its own.
const bytes = sql.raw(
  `id as doc, cast(c0 as blob) as title, cast(${columnsAfterTitle.join(` || ' ${separator} ' || `)} as blob) as others`,
);

/** The texts of documents after a number, in order. */
export async function textBytesPage(db: Db, after: number, limit: number): Promise<TextBytes[]> {
  const { rows } = await sql<TextBytes>`select ${bytes} from search_text_content where id > ${after}
    order by id limit ${limit}`.execute(db);
  return rows;
}

/** The texts of some documents. */
export async function textBytesOf(db: Db, docs: readonly number[]): Promise<TextBytes[]> {
  const { rows } = await sql<TextBytes>`select ${bytes} from search_text_content
    where id in (select value from json_each(${JSON.stringify(docs)}))`.execute(db);
  return rows;
}

/** The keywords of some documents in one path. */
export async function keywordsOfDocs(
  db: Db,
  path: number,
  docs: readonly number[],
): Promise<{ doc: number; text: string }[]> {
  const { rows } = await sql<{ doc: number; text: string }>`select doc, text from search_term
    where doc in (select value from json_each(${JSON.stringify(docs)})) and +path = ${path}`.execute(db);
  return rows;
}

/** The place of the last change of the index. */
export async function lastSeq(db: Db): Promise<number> {
  const { rows } = await sql<{ seq: number | null }>`select max(seq) as seq from search_doc`.execute(db);
  return rows[0]?.seq ?? 0;
}
