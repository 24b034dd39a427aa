import { CompiledQuery, sql } from "kysely";
import type { Db } from "../database/open.ts";
import type { Schema } from "../database/schema.ts";
import type { ObjectKind, ObjectRef } from "../kernel/object-ref.ts";
import type { Bundle, BundleRow, Cell } from "./bundle.schema.ts";
import { type BundleTable, bundleTables } from "./bundle-tables.ts";

const toCell = (value: unknown): Cell =>
  value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString("base64") } : (value as Cell);

const fromCell = (cell: Cell): unknown =>
  cell !== null && typeof cell === "object" ? Buffer.from(cell.$bytes, "base64") : cell;

function toCells(row: Record<string, unknown>): BundleRow {
  for (const name in row) if (row[name] instanceof Uint8Array) row[name] = toCell(row[name]);
  return row as BundleRow;
}

/** The rows of some objects in one table, by object; the order within an object is stable. */
export async function listRowsOf(
  db: Db,
  { table, key }: BundleTable,
  ids: readonly string[],
): Promise<Map<string, BundleRow[]>> {
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}
    where ${sql.ref(key)} in (select value from json_each(${JSON.stringify(ids)})) order by 1, 2`.execute(db);
  return Map.groupBy(rows.map(toCells), (row) => String(row[key]));
}

/** The rows of one object in one table, in a stable order. */
export const listRows = async (db: Db, part: BundleTable, id: string): Promise<BundleRow[]> =>
  (await listRowsOf(db, part, [id])).get(id) ?? [];

/** All rows of an object. */
export async function listAllRows(db: Db, ref: ObjectRef): Promise<Bundle["rows"]> {
  const rows: Bundle["rows"] = {};
  for (const part of bundleTables[ref.kind]) rows[part.table] = await listRows(db, part, ref.id);
  return rows;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Rows in one statement; more are no faster. */
const rowsAtOnce = 16;

/**
 * Inserts rows or replaces those with the same key. The SQL is written by hand: building a query takes longer than
 * inserting the row, and a first copy has many rows.
 */
export async function insertRows(db: Db, table: keyof Schema, rows: readonly BundleRow[]): Promise<void> {
  for (const alike of Map.groupBy(rows, (row) => Object.keys(row).join()).values()) {
    const names = Object.keys(alike[0] ?? {});
    const columns = names.map(quoted).join(", ");
    const places = `(${names.map(() => "?").join(", ")})`;
    const insert = (part: readonly BundleRow[]) => {
      const text = `insert or replace into ${quoted(table)} (${columns}) values ${part.map(() => places).join(", ")}`;
      return db.executeQuery(
        CompiledQuery.raw(
          text,
          part.flatMap((row) => Object.values(row).map(fromCell)),
        ),
      );
    };
    // Two statements for each table, so that both stay prepared: many rows, and one.
    const whole = alike.length - (alike.length % rowsAtOnce);
    for (let at = 0; at < whole; at += rowsAtOnce) await insert(alike.slice(at, at + rowsAtOnce));
    for (const row of alike.slice(whole)) await insert([row]);
  }
}

async function deleteObjects(db: Db, kind: ObjectKind, ids: readonly string[]): Promise<void> {
  const list = JSON.stringify(ids);
  for (const { table, key } of bundleTables[kind].toReversed()) {
    const text = `delete from ${quoted(table)} where ${quoted(key)} in (select value from json_each(?))`;
    await db.executeQuery(CompiledQuery.raw(text, [list]));
  }
}

/** Deletes all rows of an object. */
export const deleteObject = (db: Db, ref: ObjectRef): Promise<void> => deleteObjects(db, ref.kind, [ref.id]);

/** Replaces the rows of objects by those of bundles. */
export async function replaceObjects(db: Db, bundles: readonly Bundle[]): Promise<void> {
  for (const [kind, alike] of Map.groupBy(bundles, (bundle) => bundle.kind)) {
    await deleteObjects(
      db,
      kind,
      alike.map(({ id }) => id),
    );
    for (const { table } of bundleTables[kind]) {
      const rows = alike.flatMap((bundle) => bundle.rows[table] ?? []);
      await insertRows(db, table, table === "alias" ? await withoutRenamed(db, rows) : rows);
    }
  }
  await insertPeople(
    db,
    bundles.flatMap(({ people }) => people),
  );
}

/**
 * Removes aliases whose id the user gave to an object here: on this replica it keeps naming that (hosts-and-sync 3,
 * Ids).
 */
async function withoutRenamed(db: Db, aliases: BundleRow[]): Promise<BundleRow[]> {
  if (aliases.length === 0) return aliases;
  const rows = await db.selectFrom("alias").select("old_id").where("parent_id", "=", "").execute();
  const renamed = new Set(rows.map(({ old_id }) => old_id));
  return aliases.filter(({ old_id }) => !renamed.has(String(old_id)));
}

/** As `replaceObjects`, for one bundle. */
export const replaceObject = (db: Db, bundle: Bundle): Promise<void> => replaceObjects(db, [bundle]);

/** Inserts cards of other users. The replica's own user has a bundle. */
async function insertPeople(db: Db, people: readonly BundleRow[]): Promise<void> {
  if (people.length === 0) return;
  const own = await db.selectFrom("base").select("object_id").where("kind", "=", "user").execute();
  const isOwn = new Set(own.map(({ object_id }) => object_id));
  const byId = new Map(people.map((person) => [String(person.id), person]));
  await insertRows(
    db,
    "user",
    [...byId.values()].filter(({ id }) => !isOwn.has(String(id))),
  );
}

/** The reviews of a family's drafts, for readers of the drafts (requests 4.1). */
export const listReviews = (db: Db, parentId: string): Promise<BundleRow[]> =>
  db
    .selectFrom("draft")
    .innerJoin("request", "request.id", "draft.request_id")
    .select(["draft.id as draft_id", "draft.parent_id", "request.id as request_id"])
    .select(["request.receiver_id", "request.status"])
    .where("draft.parent_id", "=", parentId)
    .orderBy("draft.id")
    .execute();

/** The preferences that are part of the profile: the ORCID iD and the digest of the picture. */
function sharedPreferences(text: string): string {
  const { orcid, orcid_verified, picture } = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify({ ...(typeof orcid === "string" ? { orcid, orcid_verified } : {}), picture });
}

/** The public cards of users; users without a public profile are omitted. */
export async function listPeople(db: Db, ids: readonly string[]): Promise<BundleRow[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("user")
    .selectAll()
    .where("id", "in", sql<string>`(select value from json_each(${JSON.stringify(ids)}))`)
    .where("visibility", "=", "public")
    .where("active", "=", 1)
    .where("confirmed", "=", 1)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    ...row,
    email: row.email_visibility === "public" ? row.email : "",
    preferences: sharedPreferences(row.preferences),
  }));
}
