import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";

/** Tables to copy, and their columns that name a record or a family. */
const tables: Readonly<Record<string, readonly string[]>> = {
  parent: ["id"],
  record: ["id", "parent_id"],
  search_doc: ["object_id", "parent_id"],
  search_term: [],
  search_number: [],
  search_text: [],
};

/**
 * Makes `times` as many records of those that a database holds, each copy later than the last: other ids and the same
 * texts, so that every word stays in as large a part of them. Far quicker than writing them one by one.
 */
export async function multiplyRecords(db: Db, times: number): Promise<void> {
  const { docs, span } = await sizeOf(db);
  for (let copy = 1; copy < times; copy += 1) {
    for (const [table, names] of Object.entries(tables)) {
      const columns = await columnsOf(db, table);
      const values = columns.map((column) => copied(column, names, { copy, docs, span }));
      // The numbers of the rows of records and families are those of their documents: they were written together.
      const first = columns.includes("doc") ? sql`doc <= ${docs}` : sql`rowid <= ${docs}`;
      const isText = table === "search_text";
      await sql`insert into ${sql.table(table)} (${sql.raw([...(isText ? ["rowid"] : []), ...columns].join(", "))})
        select ${sql.join([...(isText ? [sql`rowid + ${copy * docs}`] : []), ...values])} from ${sql.table(table)}
        where ${first}`.execute(db);
    }
  }
}

interface Copy {
  copy: number;
  docs: number;
  span: number;
}

function copied(column: string, names: readonly string[], { copy, docs, span }: Copy): RawBuilder<unknown> {
  const value = sql.ref(column);
  if (names.includes(column)) return sql`${value} || ${`-${copy}`}`;
  if (column === "doc" || column === "seq") return sql`${value} + ${copy * docs}`;
  return column === "created" || column === "updated" ? sql`${value} + ${copy * span}` : value;
}

async function sizeOf(db: Db): Promise<{ docs: number; span: number }> {
  const { rows } = await sql<{ docs: number; span: number }>`select max(doc) as docs,
    max(created) - min(created) + 1 as span from search_doc`.execute(db);
  return rows[0] ?? { docs: 0, span: 0 };
}

async function columnsOf(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db);
  return rows.map(({ name }) => name);
}
