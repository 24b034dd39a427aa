import type { Db } from "../database/open.ts";

/** Times of the failures of one subject since an instant, newest first. */
export async function listFailures(db: Db, subject: string, since: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("login_failure")
    .select("at")
    .where("subject", "=", subject)
    .where("at", ">", since)
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

export const deleteFailuresBefore = (db: Db, at: number) =>
  db.deleteFrom("login_failure").where("at", "<=", at).execute();

export const deleteFailuresOf = (db: Db, subjects: readonly string[]) =>
  db.deleteFrom("login_failure").where("subject", "in", subjects).execute();

/** @param pattern of SQL. */
export const deleteFailuresLike = (db: Db, pattern: string) =>
  db.deleteFrom("login_failure").where("subject", "like", pattern).execute();

export const deleteFailureAt = (db: Db, subject: string, at: number) =>
  db.deleteFrom("login_failure").where("subject", "=", subject).where("at", "=", at).execute();
