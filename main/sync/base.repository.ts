import { sql } from "kysely";
import { insertRows, listAllRows } from "../../shared/bundles/bundle.repository.ts";
import type { Bundle } from "../../shared/bundles/bundle.schema.ts";
import type { Db, Tx } from "../../shared/database/open.ts";
import type { BaseRow } from "../../shared/database/schema.ts";
import type { ObjectKind, ObjectRef } from "../../shared/kernel/object-ref.ts";

/** Stored instead of a bundle when the rows equal the base, because no operation lies over them. */
const sameAsRows = "null";

/** The server's last state of an object. Null: the rows are that state. */
export async function findBase(db: Db, ref: ObjectRef): Promise<Bundle | null | undefined> {
  const row = await db
    .selectFrom("base")
    .select("bundle")
    .where("kind", "=", ref.kind)
    .where("object_id", "=", ref.id)
    .executeTakeFirst();
  return row && JSON.parse(row.bundle);
}

export const upsertBase = (db: Db, row: BaseRow) =>
  db
    .insertInto("base")
    .values(row)
    .onConflict((conflict) => conflict.columns(["kind", "object_id"]).doUpdateSet({ seq: row.seq, bundle: row.bundle }))
    .execute();

/** @param bundle null: the rows stored with it are the only copy of the server's state. */
export const upsertBases = (db: Db, rows: readonly (Omit<BaseRow, "bundle"> & { bundle: Bundle | null })[]) =>
  insertRows(
    db,
    "base",
    rows.map((row) => ({ ...row, bundle: row.bundle ? JSON.stringify(row.bundle) : sameAsRows })),
  );

export const keyOf = ({ kind, id }: ObjectRef): string => `${kind}:${id}`;

/** Which of these objects this replica holds, by `keyOf`. */
export async function listHeld(db: Db, refs: readonly ObjectRef[]): Promise<Set<string>> {
  const { rows } = await sql<{ kind: ObjectKind; id: string }>`select kind, object_id as id from base
    where (kind, object_id) in (select value ->> 'kind', value ->> 'id' from json_each(${JSON.stringify(refs)}))`.execute(
    db,
  );
  return new Set(rows.map(keyOf));
}

/** Which of these objects have the rows as the only copy of their base. */
async function listBare(db: Db, refs: readonly ObjectRef[]): Promise<ObjectRef[]> {
  const { rows } = await sql<ObjectRef>`select kind, object_id as id from base where bundle = ${sameAsRows}
    and (kind, object_id) in (select value ->> 'kind', value ->> 'id' from json_each(${JSON.stringify(refs)}))`.execute(
    db,
  );
  return rows;
}

/**
 * Runs work that changes rows. If the rows are the only copy of a base, the work is rolled back, the base is copied,
 * and the work runs again.
 */
export async function withBasesKept<W extends { touched: ObjectRef[] }>(tx: Tx, work: () => Promise<W>): Promise<W> {
  await sql`savepoint bare`.execute(tx);
  const effect = await work();
  const bare = await listBare(tx, effect.touched);
  if (bare.length > 0) await sql`rollback to bare`.execute(tx);
  await sql`release bare`.execute(tx);
  if (bare.length === 0) return effect;
  for (const { kind, id } of bare) {
    const bundle: Bundle = { kind, id, rows: await listAllRows(tx, { kind, id }), people: [] };
    const change = { bundle: JSON.stringify(bundle) };
    await tx.updateTable("base").set(change).where("kind", "=", kind).where("object_id", "=", id).execute();
  }
  return work();
}

export const deleteBase = (db: Db, ref: ObjectRef) =>
  db.deleteFrom("base").where("kind", "=", ref.kind).where("object_id", "=", ref.id).execute();

/**
 * Requests about a family whose base is here but whose rows are not. They were hidden when the user discarded a draft,
 * and come back if the server refuses the discard.
 */
export async function listHiddenRequests(db: Db, family: string): Promise<ObjectRef[]> {
  const { rows } = await sql<ObjectRef>`select kind, object_id as id from base where kind = 'request'
    and not exists (select 1 from request where id = object_id)
    and bundle ->> '$.rows.request[0].topic_parent_id' = ${family}`.execute(db);
  return rows;
}

/** Marks every base as unconfirmed: the restored server may not have it. */
export const forgetBasePositions = (db: Db) => db.updateTable("base").set({ seq: -1 }).execute();

export const listBasesWithoutPosition = (db: Db) =>
  db.selectFrom("base").select(["kind", "object_id"]).where("seq", "=", -1).execute();

export const listBases = (db: Db) => db.selectFrom("base").select(["kind", "object_id"]).execute();

export const deleteAllBases = (db: Db) => db.deleteFrom("base").execute();

/** How many objects this replica holds. @param most stops counting there. */
export async function countBases(db: Db, most = -1): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count
    from (select 1 from base limit ${most})`.execute(db);
  return rows[0]?.count ?? 0;
}
