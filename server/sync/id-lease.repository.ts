import type { Db } from "../../shared/database/open.ts";

/** Whether a record or family id was given out before: to a row, to a replica, or to something that moved. */
export async function isIdTaken(db: Db, id: string): Promise<boolean> {
  const found = await db
    .selectFrom("parent")
    .select("id")
    .where("id", "=", id)
    .union(db.selectFrom("record").select("id").where("id", "=", id))
    .union(db.selectFrom("draft").select("id").where("id", "=", id))
    .union(db.selectFrom("id_lease").select("id").where("id", "=", id))
    .union(db.selectFrom("alias").select("old_id as id").where("old_id", "=", id))
    .executeTakeFirst();
  return found !== undefined;
}

export const insertLeases = (db: Db, ids: string[], userId: string, now: number) =>
  db
    .insertInto("id_lease")
    .values(ids.map((id) => ({ id, user_id: userId, created: now })))
    .execute();
