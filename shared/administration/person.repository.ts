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
    ) group by user_id`.execute(db);
  return new Map(rows.map(({ user_id, at }) => [user_id, at]));
}
