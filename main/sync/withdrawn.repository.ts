import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";

const prefix = "withdrawn.";

/** All ids of an object. */
export async function idsOf(db: Db, ref: ObjectRef): Promise<string[]> {
  if (ref.kind !== "family") return [ref.id];
  const records = await db.selectFrom("record").select("id").where("parent_id", "=", ref.id).execute();
  const drafts = await db.selectFrom("draft").select("id").where("parent_id", "=", ref.id).execute();
  return [ref.id, ...records.map(({ id }) => id), ...drafts.map(({ id }) => id)];
}

/** Stores that access to an object was withdrawn, so that it answers 403 offline too (hosts-and-sync 8). */
export async function rememberWithdrawn(db: Db, ref: ObjectRef): Promise<void> {
  for (const id of new Set(await idsOf(db, ref))) {
    await db
      .insertInto("setting")
      .values({ name: prefix + id, value: ref.id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** The user has access again. */
export const forgetWithdrawn = (db: Db, refs: readonly ObjectRef[]) =>
  db
    .deleteFrom("setting")
    .where("name", "like", `${prefix}%`)
    .where("value", "in", sql<string>`(select value from json_each(${JSON.stringify(refs.map(({ id }) => id))}))`)
    .execute();

export async function isWithdrawn(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom("setting")
    .select("name")
    .where("name", "=", prefix + id)
    .executeTakeFirst();
  return row !== undefined;
}
