import type { Db } from "../../shared/database/open.ts";
import type { BaseRow } from "../../shared/database/schema.ts";
import type { ObjectRef } from "../../shared/kernel/host.ts";

export const findBase = (db: Db, ref: ObjectRef): Promise<BaseRow | undefined> =>
  db.selectFrom("base").selectAll().where("kind", "=", ref.kind).where("object_id", "=", ref.id).executeTakeFirst();

export const upsertBase = (db: Db, row: BaseRow) =>
  db
    .insertInto("base")
    .values(row)
    .onConflict((conflict) => conflict.columns(["kind", "object_id"]).doUpdateSet({ seq: row.seq, bundle: row.bundle }))
    .execute();

export const deleteBase = (db: Db, ref: ObjectRef) =>
  db.deleteFrom("base").where("kind", "=", ref.kind).where("object_id", "=", ref.id).execute();

/** Marks every confirmed state as one of which it is not known whether the server still has it. */
export const forgetBasePositions = (db: Db) => db.updateTable("base").set({ seq: -1 }).execute();

export const listBasesWithoutPosition = (db: Db) =>
  db.selectFrom("base").select(["kind", "object_id"]).where("seq", "=", -1).execute();

export const listBases = (db: Db) => db.selectFrom("base").select(["kind", "object_id"]).execute();

export const deleteAllBases = (db: Db) => db.deleteFrom("base").execute();

/** How many objects this replica holds. */
export async function countBases(db: Db): Promise<number> {
  const row = await db
    .selectFrom("base")
    .select((expression) => expression.fn.countAll<number>().as("count"))
    .executeTakeFirst();
  return row?.count ?? 0;
}
