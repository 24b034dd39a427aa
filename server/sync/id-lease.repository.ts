import { type SqlBool, sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";
import { prepared } from "../../shared/database/prepared.ts";

const listTaken = prepared((db, list: string) => {
  const isOne = (column: string) => sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${list}))`;
  return db
    .selectFrom("parent")
    .select("id")
    .where(isOne("id"))
    .unionAll(db.selectFrom("record").select("id").where(isOne("id")))
    .unionAll(db.selectFrom("draft").select("id").where(isOne("id")))
    .unionAll(db.selectFrom("id_lease").select("id").where(isOne("id")))
    .unionAll(db.selectFrom("alias").select("old_id as id").where(isOne("old_id")));
});

/** Which ids are taken: by a row, a lease or an alias. */
export const listTakenIds = async (db: Db, ids: readonly string[]): Promise<string[]> =>
  (await listTaken(db, JSON.stringify(ids))).map(({ id }) => id);

export const insertLeases = (db: Db, ids: string[], userId: string, now: number) =>
  db
    .insertInto("id_lease")
    .values(ids.map((id) => ({ id, user_id: userId, created: now })))
    .execute();
