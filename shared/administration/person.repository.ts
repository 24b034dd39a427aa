import { sql } from "kysely";
import type { Db } from "../database/open.ts";

/** Groups of all users. */
export const listAllMemberships = (db: Db) => db.selectFrom("membership").selectAll().orderBy("group_name").execute();

/** The last use of a session or token of each user who has one; in microseconds UTC. */
export async function listLastSeen(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ user_id: string; at: number }>`
    select user_id, max(at) as at from (
      select user_id, max(last_used, created) as at from session
      union all select user_id, last_used_at from token where last_used_at is not null
    ) as used group by user_id`.execute(db);
  return new Map(rows.map(({ user_id, at }) => [user_id, at]));
}

/** Who has a second factor. */
export async function listWithSecondFactor(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom("second_factor").select("user_id").where("confirmed", "is not", null).execute();
  return new Set(rows.map(({ user_id }) => user_id));
}

/** How many users are in each state. */
export async function countPeople(db: Db): Promise<{ active: number; inactive: number; unconfirmed: number }> {
  const { rows } = await sql<{ active: number; confirmed: number; count: number }>`
    select active, confirmed, count(*) as count from "user" group by active, confirmed`.execute(db);
  const sum = (isCounted: (row: { active: number; confirmed: number }) => boolean): number =>
    rows.filter(isCounted).reduce((total, { count }) => total + count, 0);
  return {
    active: sum(({ active, confirmed }) => active === 1 && confirmed === 1),
    inactive: sum(({ active }) => active === 0),
    unconfirmed: sum(({ active, confirmed }) => active === 1 && confirmed === 0),
  };
}

/** Quotas of single users. */
export const listQuotas = async (db: Db): Promise<Map<string, number>> =>
  new Map(
    (await db.selectFrom("storage_quota").selectAll().execute()).map(({ user_id, quota_bytes }) => [
      user_id,
      quota_bytes,
    ]),
  );
