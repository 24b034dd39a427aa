import type { Db } from "../../shared/database/open.ts";

const prefix = "gone.";

/** Remembers ids of what was held here and was deleted: it is 404 then, also without the server (hosts-and-sync 3). */
export async function rememberGone(db: Db, ids: Iterable<string>): Promise<void> {
  for (const id of new Set(ids)) {
    await db
      .insertInto("setting")
      .values({ name: prefix + id, value: "" })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Whether it was held here once, and deleted. */
export async function isGone(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom("setting")
    .select("name")
    .where("name", "=", prefix + id)
    .executeTakeFirst();
  return row !== undefined;
}
