import type { Db } from "../database/open.ts";
import type { Span } from "../kernel/timestamps.ts";

/** Times of the failures of one subject in a span, newest first. */
export async function listFailures(db: Db, subject: string, within: Span, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("login_failure")
    .select("at")
    .where("subject", "=", subject)
    .where("at", ">", within.after)
    .where("at", "<", within.before)
    .orderBy("at", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => row.at);
}

export const insertFailures = (db: Db, subjects: readonly string[], at: number) =>
  db
    .insertInto("login_failure")
    .values(subjects.map((subject) => ({ subject, at })))
    .execute();

export const deleteFailuresBeyond = (db: Db, { after, before }: Span) =>
  db
    .deleteFrom("login_failure")
    .where((where) => where.or([where("at", "<=", after), where("at", ">=", before)]))
    .execute();

export const deleteFailuresOf = (db: Db, subjects: readonly string[]) =>
  db.deleteFrom("login_failure").where("subject", "in", subjects).execute();

/** @param pattern of SQL. */
export const deleteFailuresLike = (db: Db, pattern: string) =>
  db.deleteFrom("login_failure").where("subject", "like", pattern).execute();

export const deleteFailureAt = (db: Db, subject: string, at: number) =>
  db.deleteFrom("login_failure").where("subject", "=", subject).where("at", "=", at).execute();
