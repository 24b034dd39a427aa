import { sql } from "kysely";
import type { Db } from "../shared/database/open.ts";

/**
 * Deletes results of refused operations, which may run again. Results of applied ones stay, so that none runs twice.
 */
export const deleteRefusedResults = (db: Db, before: number) =>
  db.deleteFrom("operation_result").where("outcome", "=", "rejected").where("created", "<", before).execute();

/** Deletes tokens that ended before a time. The audit log keeps their history. */
export const deleteEndedTokens = (db: Db, before: number) =>
  db
    .deleteFrom("token")
    .where((where) => where.or([where("revoked_at", "<", before), where("expires_at", "<", before)]))
    .execute();

/** Newest first. What is created in the future comes from a clock that was ahead, and counts as old. */
const newestFirst = (now: number) => sql`case when created > ${now} then 1 else 0 end, created desc`;

/** Deletes the oldest leases of users who hold more than this. Ids that are in use have rows of their own. */
export const deleteLeasesBeyond = (db: Db, most: number, now: number) =>
  db
    .deleteFrom("id_lease")
    .where(
      "id",
      "in",
      sql<string>`(select id from (select id, row_number() over (partition by user_id order by ${newestFirst(now)}, id) as place
        from id_lease) as placed where place > ${most})`,
    )
    .execute();

/** Deletes the oldest stored answers of users who have more than this. */
export const deleteCallsBeyond = (db: Db, most: number, now: number) =>
  sql`delete from idempotency where (user_id, key) in (select user_id, key from (
    select user_id, key, row_number() over (partition by user_id order by ${newestFirst(now)}) as place from idempotency) as placed
    where place > ${most})`.execute(db);
