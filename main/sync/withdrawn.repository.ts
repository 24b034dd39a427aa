import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";
import { findSetting, insertSetting } from "../../shared/database/setting.repository.ts";
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
  for (const id of new Set(await idsOf(db, ref))) await insertSetting(db, prefix + id, ref.id);
}

/** The user has access again. */
export const forgetWithdrawn = (db: Db, refs: readonly ObjectRef[]) =>
  db
    .deleteFrom("setting")
    .where("name", "like", `${prefix}%`)
    .where("value", "in", sql<string>`(select value from json_each(${JSON.stringify(refs.map(({ id }) => id))}))`)
    .execute();

export const isWithdrawn = async (db: Db, id: string): Promise<boolean> =>
  (await findSetting(db, prefix + id)) !== undefined;
