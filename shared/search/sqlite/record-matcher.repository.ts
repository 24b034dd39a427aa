import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../database/open.ts";
import { Slices } from "../../kernel/time-slice.ts";
import type { Bound } from "../language/query-tree.ts";
import type { NumberTest } from "../language/value-test.ts";
import { textColumns } from "../record-fields.ts";

/** Numbers of documents as one text: reading a row for each would cost more than finding them. */
interface Packed {
  docs: string | null;
}

/** To start in the middle, the engine walks there from the beginning, so a few large pages cost far less. */
const pageSize = 200_000;

/** Reads the blank- or comma-separated whole numbers of a text. */
function unpack(text: string, each: (value: number) => void): void {
  let value = 0;
  for (let at = 0; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (digit >= 0) {
      value = value * 10 + digit;
    } else {
      each(value);
      value = 0;
    }
  }
  if (text !== "") each(value);
}

async function packedPages(query: (after: number) => RawBuilder<Packed>, db: Db, each: (doc: number) => void) {
  const slices = new Slices();
  for (let after = -1; ; ) {
    await slices.next();
    const { rows } = await query(after).execute(db);
    const docs = rows[0]?.docs ?? "";
    let found = 0;
    unpack(docs, (doc) => {
      after = doc;
      found += 1;
      each(doc);
    });
    if (found < pageSize) return;
  }
}

/** Documents that a full-text expression finds. */
export const textDocs = (db: Db, expression: string, each: (doc: number) => void): Promise<void> =>
  packedPages(
    (after) => sql`select group_concat(doc) as docs from (select rowid as doc from search_text
      where search_text match ${expression} and rowid > ${after} order by rowid limit ${pageSize})`,
    db,
    each,
  );

/** Documents that one of some full-text expressions finds; a document may come more than once. */
export async function textDocsOfAny(
  db: Db,
  expressions: readonly string[],
  each: (doc: number) => void,
): Promise<void> {
  const { rows } = await sql<Packed>`select group_concat(search_text.rowid) as docs
    from json_each(${JSON.stringify(expressions)}) as expression, search_text
    where search_text match expression.value`.execute(db);
  unpack(rows[0]?.docs ?? "", each);
}

/** The documents among `docs` that one of some full-text expressions finds. */
export async function textDocsAmong(
  db: Db,
  expressions: readonly string[],
  docs: readonly number[],
  each: (doc: number) => void,
): Promise<void> {
  const { rows } = await sql<Packed>`select group_concat(search_text.rowid) as docs
    from json_each(${JSON.stringify(docs)}) as wanted, json_each(${JSON.stringify(expressions)}) as expression, search_text
    where search_text match expression.value and search_text.rowid = wanted.value`.execute(db);
  unpack(rows[0]?.docs ?? "", each);
}

const spanPage = 5000;
const scorePage = 500;
const weights = sql.raw([...textColumns.map((column) => column.weight), 1].join(", "));
const scoreScale = 1e6;

/** The relevance of the documents among `docs` that an expression finds. */
export async function textScores(
  db: Db,
  expression: string,
  docs: readonly number[],
  each: (doc: number, score: number) => void,
): Promise<void> {
  const wanted = `[${docs.join(",")}]`;
  const slices = new Slices();
  for (let after = -1; ; ) {
    await slices.next();
    const { rows } = await sql<Packed>`select group_concat(doc || ' ' || score, ' ') as docs from (
      select rowid as doc, max(0, cast(bm25(search_text, ${weights}) * ${-scoreScale} as integer)) as score from search_text
      where search_text match ${expression} and rowid > ${after} and +rowid in (select value from json_each(${wanted}))
      order by rowid limit ${scorePage})`.execute(db);
    let found = 0;
    let isScore = false;
    unpack(rows[0]?.docs ?? "", (value) => {
      if (isScore) {
        found += 1;
        each(after, value / scoreScale);
      } else {
        after = value;
      }
      isScore = !isScore;
    });
    if (found < scorePage) return;
  }
}

/** The pairs of path and keyword that some document has. */
export async function usedKeywords(
  db: Db,
  paths: readonly number[],
  words: readonly string[],
): Promise<{ path: number; word: string }[]> {
  const { rows } = await sql<{ path: number; word: string }>`select path.value as path, word.value as word
    from json_each(${JSON.stringify(paths)}) as path, json_each(${JSON.stringify(words)}) as word
    where exists (select 1 from search_term where path = path.value and text = word.value)`.execute(db);
  return rows;
}

/** Documents with a keyword in a path. */
export const keywordDocs = (db: Db, path: number, word: string, each: (doc: number) => void): Promise<void> =>
  packedPages(
    (after) => sql`select group_concat(doc) as docs from (select doc from search_term
      where path = ${path} and text = ${word} and doc > ${after} order by doc limit ${pageSize})`,
    db,
    each,
  );

/** Documents whose keyword lies in a range. */
export async function keywordRangeDocs(
  db: Db,
  path: number,
  { lower, upper }: { lower?: Bound; upper?: Bound },
  each: (doc: number) => void,
): Promise<void> {
  let after = { text: lower?.value ?? "", doc: lower && !lower.inclusive ? Number.MAX_SAFE_INTEGER : -1 };
  const end =
    upper === undefined ? sql`` : upper.inclusive ? sql`and text <= ${upper.value}` : sql`and text < ${upper.value}`;
  const slices = new Slices();
  for (;;) {
    await slices.next();
    const { rows } = await sql<
      Packed & { text: string | null }
    >`select group_concat(doc) as docs, max(text) as text from (
      select text, doc from search_term where path = ${path} and (text, doc) > (${after.text}, ${after.doc}) ${end}
      order by text, doc limit ${pageSize})`.execute(db);
    const [row] = rows;
    let found = 0;
    let last = 0;
    unpack(row?.docs ?? "", (doc) => {
      found += 1;
      last = doc;
      each(doc);
    });
    if (found < pageSize) return;
    after = { text: row?.text ?? "", doc: last };
  }
}

/** Different keywords of a path that begin with a prefix, from a word on: one look-up for each keyword. */
export async function keywordsOf(
  db: Db,
  path: number,
  prefix: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const end = `${prefix}\u{10FFFF}`;
  const start = after === "" ? sql`text >= ${prefix}` : sql`text > ${after}`;
  const { rows } = await sql<{ text: string }>`with recursive word(text) as (
    select (select text from search_term where path = ${path} and ${start} and text < ${end} order by text limit 1)
    union all
    select (select text from search_term where path = ${path} and text > word.text and text < ${end} order by text limit 1)
    from word where word.text is not null)
    select text from word where text is not null limit ${limit}`.execute(db);
  return rows.map((row) => row.text);
}

/** Documents with a number or instant in one path that fits. */
export async function numberDocs(db: Db, path: number, test: NumberTest, each: (doc: number) => void): Promise<void> {
  const end = test.isHighOpen ? sql`low < ${test.high}` : sql`low <= ${test.high}`;
  let after = { low: test.low, doc: test.isLowOpen ? Number.MAX_SAFE_INTEGER : -1 };
  const slices = new Slices();
  for (;;) {
    await slices.next();
    const { rows } = await sql<Packed & { low: number }>`select group_concat(doc) as docs, max(low) as low from (
      select low, doc from search_number
      where path = ${path} and (low, high, doc) > (${after.low}, ${after.low}, ${after.doc}) and ${end}
      order by low, high, doc limit ${pageSize})`.execute(db);
    const [row] = rows;
    let found = 0;
    let last = -1;
    unpack(row?.docs ?? "", (doc) => {
      found += 1;
      last = doc;
      each(doc);
    });
    if (found < pageSize || !row) return;
    after = { low: row.low, doc: last };
  }
}

/** Documents with a span in one path that overlaps. */
export async function spanDocs(db: Db, path: number, test: NumberTest, each: (doc: number) => void): Promise<void> {
  const above = test.isLowOpen ? sql`high > ${test.low}` : sql`high >= ${test.low}`;
  const below = test.isHighOpen ? sql`low < ${test.high}` : sql`low <= ${test.high}`;
  let after = { low: Number.NEGATIVE_INFINITY, high: Number.NEGATIVE_INFINITY, doc: -1 };
  const slices = new Slices();
  for (;;) {
    await slices.next();
    const { rows } = await sql<{ low: number; high: number; doc: number }>`select low, high, doc from search_number
      where path = ${path} and (low, high, doc) > (${after.low}, ${after.high}, ${after.doc}) and ${below} and ${above}
      order by low, high, doc limit ${spanPage}`.execute(db);
    for (const row of rows) each(row.doc);
    const last = rows.at(-1);
    if (!last || rows.length < spanPage) return;
    after = last;
  }
}

/** Tokens that were added after a number, oldest first. */
export const newTokens = (db: Db, after: number, limit: number) =>
  db.selectFrom("search_token").selectAll().where("id", ">", after).orderBy("id").limit(limit).execute();

/** All paths with their numbers. */
export const listPaths = (db: Db) => db.selectFrom("search_path").select(["id", "path"]).execute();

/**
 * The texts of some documents in columns of `search_text`, of which the last is `coded`. Read from the table of
 * the engine: through the engine, each column of a row is a search of its own.
 */
export async function textRows(db: Db, docs: readonly number[], columns: readonly number[]) {
  const names = sql.raw(columns.map((at) => `c${at}`).join(", "));
  const { rows } = await sql<Record<string, string> & { doc: number }>`select id as doc, ${names}
    from search_text_content where id in (select value from json_each(${JSON.stringify(docs)}))`.execute(db);
  return rows;
}
