import { type RawBuilder, sql } from "kysely";
import { isPostgres } from "../../shared/database/dialect.ts";
import type { Db } from "../../shared/database/open.ts";

/** A table that both databases have. */
export interface SharedTable {
  name: string;
  columns: readonly string[];
  key: readonly string[];
  /** A column whose values the database counts up. */
  counted: string | undefined;
}

export type Row = Record<string, unknown>;

const rowsAtOnce = 200;

const list = (parts: readonly RawBuilder<unknown>[]) => sql.join(parts, sql`, `);
const refs = (columns: readonly string[]) => list(columns.map((column) => sql.ref(column)));

/** The columns and key of a table, as SQLite has it. */
export async function describeTable(sqlite: Db, name: string, definition: string): Promise<SharedTable> {
  const { rows } = await sql<{ name: string; pk: number }>`
    select name, pk from pragma_table_info(${name}) order by cid`.execute(sqlite);
  const keys = rows.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const columns = rows.map((column) => column.name);
  return {
    name,
    columns,
    // `login_failure` has no key: its rows are ordered by all columns.
    key: keys.length > 0 ? keys.map((column) => column.name) : columns,
    counted: /(\w+) INTEGER PRIMARY KEY/.exec(definition)?.[1],
  };
}

/** All rows of a table in the order of its key, some at a time. */
export async function* pagesOf(db: Db, { name, columns, key }: SharedTable): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const place = last;
    const after = place ? sql`where (${refs(key)}) > (${list(key.map((column) => sql`${place[column]}`))})` : sql``;
    const { rows } = await sql<Row>`select ${refs(columns)} from ${sql.table(name)} ${after}
      order by ${refs(key)} limit ${rowsAtOnce}`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < rowsAtOnce) return;
    last = rows.at(-1);
  }
}

export async function insertRows(db: Db, { name, columns }: SharedTable, rows: readonly Row[]): Promise<void> {
  const values = rows.map((row) => sql`(${list(columns.map((column) => sql`${row[column]}`))})`);
  await sql`insert into ${sql.table(name)} (${refs(columns)}) values ${list(values)}`.execute(db);
}

export const deleteRows = (db: Db, { name }: SharedTable) => sql`delete from ${sql.table(name)}`.execute(db);

/** Lets PostgreSQL count on from the highest value; SQLite does so itself. */
export async function countOn(db: Db, { name, counted }: SharedTable): Promise<void> {
  if (counted === undefined || !isPostgres(db)) return;
  await sql`select setval(pg_get_serial_sequence(${`"${name}"`}, ${counted}), highest) from (
    select max(${sql.ref(counted)}) as highest from ${sql.table(name)}) as counted where highest is not null`.execute(
    db,
  );
}

/** Whether somebody uses the database already. */
export async function hasSettings(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from setting limit 1`.execute(db);
  return rows.length > 0;
}

/** Checks references at the commit, since rows are copied table by table. */
export const deferKeys = (db: Db) => sql`pragma defer_foreign_keys = on`.execute(db);
