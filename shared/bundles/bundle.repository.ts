import { CompiledQuery, sql } from "kysely";
import type { Db } from "../database/open.ts";
import type { ObjectRef } from "../kernel/host.ts";
import type { Bundle, BundleRow, Cell } from "./bundle.schema.ts";
import { type BundleTable, bundleTables } from "./bundle-tables.ts";

const toCell = (value: unknown): Cell =>
  value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString("base64") } : (value as Cell);

const fromCell = (cell: Cell): unknown =>
  cell !== null && typeof cell === "object" ? Buffer.from(cell.$bytes, "base64") : cell;

/** The rows of one table that belong to an object, in a stable order. */
export async function listRows(db: Db, { table, key }: BundleTable, id: string): Promise<BundleRow[]> {
  const query = sql<
    Record<string, unknown>
  >`select * from ${sql.table(table)} where ${sql.ref(key)} = ${id} order by 1, 2`;
  const { rows } = await query.execute(db);
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toCell(value)])));
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Written by hand, as is the deletion: building a query costs more than the row, and a first copy has many of them. */
async function insertRow(db: Db, table: string, row: BundleRow): Promise<void> {
  const names = Object.keys(row);
  const columns = names.map(quoted).join(", ");
  const places = names.map(() => "?").join(", ");
  const text = `insert or replace into ${quoted(table)} (${columns}) values (${places})`;
  await db.executeQuery(CompiledQuery.raw(text, Object.values(row).map(fromCell)));
}

/** Removes every row of an object. */
export async function deleteObject(db: Db, ref: ObjectRef): Promise<void> {
  for (const { table, key } of bundleTables[ref.kind].toReversed()) {
    await db.executeQuery(CompiledQuery.raw(`delete from ${quoted(table)} where ${quoted(key)} = ?`, [ref.id]));
  }
}

/** Puts the rows of a bundle in place of what was there. */
export async function replaceObject(db: Db, bundle: Bundle): Promise<void> {
  await deleteObject(db, bundle);
  for (const { table } of bundleTables[bundle.kind]) {
    for (const row of bundle.rows[table] ?? []) await insertRow(db, table, row);
  }
  for (const person of bundle.people) await insertPerson(db, person);
}

/** Someone else's card; the person of this replica has a bundle of her own. */
async function insertPerson(db: Db, person: BundleRow): Promise<void> {
  const own = await db.selectFrom("base").select("object_id").where("kind", "=", "user").execute();
  if (own.some(({ object_id }) => object_id === person.id)) return;
  await insertRow(db, "user", person);
}

/** The reviews of a family's drafts as whoever reads the draft sees them (requests 4.1). */
export const listReviews = (db: Db, parentId: string): Promise<BundleRow[]> =>
  db
    .selectFrom("draft")
    .innerJoin("request", "request.id", "draft.request_id")
    .select(["draft.id as draft_id", "draft.parent_id", "request.id as request_id"])
    .select(["request.receiver_id", "request.status"])
    .where("draft.parent_id", "=", parentId)
    .orderBy("draft.id")
    .execute();

/** Cards of people as everybody may see them; who is not public is left out. */
export async function listPeople(db: Db, ids: readonly string[]): Promise<BundleRow[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("user")
    .selectAll()
    .where("id", "in", [...ids])
    .where("visibility", "=", "public")
    .where("active", "=", 1)
    .where("confirmed", "=", 1)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    ...row,
    email: row.email_visibility === "public" ? row.email : "",
    preferences: "{}",
  }));
}
