import type { Db } from "../../shared/database/open.ts";

const prefix = "gone.";

/** Stores ids of objects that were here and were deleted, so that they answer 404 offline too (hosts-and-sync 3). */
export async function rememberDeleted(db: Db, ids: Iterable<string>): Promise<void> {
  for (const id of new Set(ids)) {
    await db
      .insertInto("setting")
      .values({ name: prefix + id, value: "" })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Whether the object was here and was deleted. */
export async function isDeleted(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom("setting")
    .select("name")
    .where("name", "=", prefix + id)
    .executeTakeFirst();
  return row !== undefined;
}
