import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";

/** Takes one of the ids that the server leased to this replica; undefined if none is left. */
export async function takeLeasedId(db: Db): Promise<string | undefined> {
  const row = await db
    .deleteFrom("id_lease")
    .where("id", "=", (expression) => expression.selectFrom("id_lease").select("id").limit(1))
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

export async function countLeasedIds(db: Db): Promise<number> {
  const row = await db
    .selectFrom("id_lease")
    .select((expression) => expression.fn.countAll<number>().as("count"))
    .executeTakeFirst();
  return row?.count ?? 0;
}

export const insertLeasedIds = (db: Db, ids: string[], now: number) =>
  db
    .insertInto("id_lease")
    .values(ids.map((id) => ({ id, user_id: "", created: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** Deletes some leased ids, or all. */
export const deleteLeasedIds = (db: Db, ids?: readonly string[]) =>
  db
    .deleteFrom("id_lease")
    .$if(ids !== undefined, (query) =>
      query.where("id", "in", sql<string>`(select value from json_each(${JSON.stringify(ids)}))`),
    )
    .execute();

/** Returns those of the ids that name an object on this replica, now or before. */
export async function listIdsInUse(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select value as id from json_each(${JSON.stringify(ids)}) where
    exists (select 1 from parent where id = value) or exists (select 1 from record where id = value)
    or exists (select 1 from draft where id = value) or exists (select 1 from alias where old_id = value)
    or exists (select 1 from operation where object_id = value or aggregate_id = value)`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
