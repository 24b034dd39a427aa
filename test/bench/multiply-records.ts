import { Kysely, type RawBuilder, sql } from "kysely";
import { type Db, openDatabase } from "../../shared/database/open.ts";
import type { Schema } from "../../shared/database/schema.ts";
import { openConnection, sqliteDialect } from "../../shared/database/sqlite-driver.ts";

/** Tables to copy, and their columns with the id of a record or family. */
const tables: Readonly<Record<string, readonly string[]>> = {
  parent: ["id"],
  record: ["id", "parent_id"],
  search_doc: ["object_id", "parent_id"],
};

/** Opens a database without checking it for damage, which takes long for a large one. */
export function openUnchecked(file: string): Db {
  return new Kysely<Schema>({ dialect: sqliteDialect(openConnection(file)) });
}

/**
 * Makes a new database with `times` as many records: copies with other ids and the same texts, each later than the
 * last. So every word occurs in the same share of the records. Each table is copied in key order, without the indexes
 * that only writing needs, which is far faster than writing records one by one.
 */
export async function multiplyRecords(source: string, target: string, times: number): Promise<void> {
  await openDatabase(target).close();
  const db = openUnchecked(target);
  for (const pragma of ["journal_mode = off", "synchronous = off", "foreign_keys = off", "cache_size = -500000"])
    await sql.raw(`pragma ${pragma}`).execute(db);
  await sql`attach ${source} as source`.execute(db);
  const { rows } = await sql<Span>`select max(doc) as docs, max(created) - min(created) + 1 as span
    from source.search_doc`.execute(db);
  const [{ docs, span } = { docs: 0, span: 0 }] = rows;
  await sql`create temp table copy (number integer primary key)`.execute(db);
  for (let copy = 0; copy < times; copy += 1) await sql`insert into copy values (${copy})`.execute(db);
  await sql`begin`.execute(db);
  for (const table of ["search_path", "search_token"])
    await sql`insert into ${sql.table(table)} select * from source.${sql.table(table)}`.execute(db);
  for (const [table, names] of Object.entries(tables)) {
    const columns = await columnsOf(db, table);
    const values = columns.map((column) => copied(column, names, { docs, span }));
    await sql`insert into ${sql.table(table)} (${sql.raw(columns.join(", "))}) select ${sql.join(values)}
      from copy cross join source.${sql.table(table)}`.execute(db);
  }
  await copyTerms(db, docs);
  await copyTexts(db, docs, times);
  await sql`commit`.execute(db);
  await db.destroy();
}

interface Span {
  docs: number;
  span: number;
}

/** Copies in key order, so that each page is written once. */
async function copyTerms(db: Db, docs: number): Promise<void> {
  for (const [table, key] of [
    ["search_term", ["path", "text"]],
    ["search_number", ["path", "low", "high"]],
  ] as const) {
    await sql`drop index ${sql.table(`${table}_doc`)}`.execute(db);
    const same = sql.raw(key.map((column) => `term.${column} = word.${column}`).join(" and "));
    await sql`insert into ${sql.table(table)} (${sql.raw(key.join(", "))}, doc)
      select ${sql.raw(key.map((column) => `word.${column}`).join(", "))}, term.doc + copy.number * ${sql.lit(docs)}
      from (select distinct ${sql.raw(key.join(", "))} from source.${sql.table(table)}) as word
      cross join copy cross join source.${sql.table(table)} as term on ${same}`.execute(db);
  }
}

/** Copies with large buffers of the full-text engine, and merges all parts at the end. */
async function copyTexts(db: Db, docs: number, times: number): Promise<void> {
  const settings = { hashsize: 200_000_000, automerge: 0, crisismerge: 1000 };
  for (const [name, value] of Object.entries(settings))
    await sql`insert into search_text (search_text, rank) values (${name}, ${sql.lit(value)})`.execute(db);
  const columns = sql.raw((await columnsOf(db, "search_text")).join(", "));
  const stored = sql.raw((await columnsOf(db, "search_text")).map((_, at) => `c${at}`).join(", "));
  for (let copy = 0; copy < times; copy += 1) {
    await sql`insert into search_text (rowid, ${columns}) select id + ${sql.lit(copy * docs)}, ${stored}
      from source.search_text_content order by id`.execute(db);
  }
  await sql`insert into search_text (search_text) values ('optimize')`.execute(db);
}

function copied(column: string, names: readonly string[], { docs, span }: Span): RawBuilder<unknown> {
  const value = sql.ref(column);
  if (names.includes(column)) return sql`${value} || '-' || copy.number`;
  if (column === "doc" || column === "seq") return sql`${value} + copy.number * ${sql.lit(docs)}`;
  return column === "created" || column === "updated" ? sql`${value} + copy.number * ${sql.lit(span)}` : value;
}

async function columnsOf(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db);
  return rows.map(({ name }) => name);
}
