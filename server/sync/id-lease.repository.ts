import type { Db } from "../../shared/database/open.ts";
import { preparedFirst } from "../../shared/database/prepared.ts";

const findId = preparedFirst((db, id: string) =>
  db
    .selectFrom("parent")
    .select("id")
    .where("id", "=", id)
    .unionAll(db.selectFrom("record").select("id").where("id", "=", id))
    .unionAll(db.selectFrom("draft").select("id").where("id", "=", id))
    .unionAll(db.selectFrom("id_lease").select("id").where("id", "=", id))
    .unionAll(db.selectFrom("alias").select("old_id as id").where("old_id", "=", id)),
);

/** Whether an id is taken: by a row, a lease or an alias. */
export const isIdTaken = async (db: Db, id: string): Promise<boolean> => (await findId(db, id)) !== undefined;

export const insertLeases = (db: Db, ids: string[], userId: string, now: number) =>
  db
    .insertInto("id_lease")
    .values(ids.map((id) => ({ id, user_id: userId, created: now })))
    .execute();
