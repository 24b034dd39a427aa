import { type ExpressionBuilder, sql } from "kysely";
import { isPostgres } from "../../shared/database/dialect.ts";
import type { Db } from "../../shared/database/open.ts";
import type { JobRow, Schema } from "../../shared/database/schema.ts";

/** Kind of a job that was given up; no process claims it. */
export const givenUp = "mail-given-up";
/** Kind of a job that was done, as long as it is counted. */
const sent = "mail-sent";
/** How long a mail counts towards those that its recipient gets. */
export const countedMicros = 24 * 3_600 * 1_000_000;
const givenUpLifeMicros = 30 * 86_400 * 1_000_000;

/** No mail waits longer for its turn in the gathered ones, or for the next attempt. */
const longestFirstMicros = 2 * 3_600 * 1_000_000;
const longestRetryMicros = 36 * 3_600 * 1_000_000;

/** Whether a mail is due, and nobody has it. What lies further ahead than it may comes from a clock that was ahead. */
const isDue = (now: number, until: number) => (where: ExpressionBuilder<Schema, "job">) =>
  where.and([
    where("kind", "=", "mail"),
    where.or([
      where("run_at", "<=", now),
      where("run_at", ">", now + longestRetryMicros),
      where.and([where("attempts", "=", 0), where("run_at", ">", now + longestFirstMicros)]),
    ]),
    where.or([
      where("claimed_until", "is", null),
      where("claimed_until", "<", now),
      where("claimed_until", ">", until + (until - now)),
    ]),
  ]);

/** Whether a mail is due, and nobody has it. */
export const hasDueMail = async (db: Db, { now, until }: { now: number; until: number }): Promise<boolean> =>
  (await db.selectFrom("job").select("id").where(isDue(now, until)).limit(1).executeTakeFirst()) !== undefined;

/** Claims the next due mail, so that no other process sends it. */
export async function claimMail(db: Db, now: number, until: number): Promise<JobRow | undefined> {
  return db
    .updateTable("job")
    .set({ claimed_until: until })
    .where("id", "=", (expression) =>
      expression
        .selectFrom("job")
        .select("id")
        .where(isDue(now, until))
        .orderBy("run_at")
        .limit(1)
        // Otherwise two processes would wait for the same row, and both claim it.
        .$if(isPostgres(db), (query) => query.forUpdate().skipLocked()),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Claims the other due mail for a recipient. */
export const claimOthers = (db: Db, recipient: string, now: number, until: number): Promise<JobRow[]> =>
  db
    .updateTable("job")
    .set({ claimed_until: until })
    .where("recipient", "=", recipient)
    .where(isDue(now, until))
    .returningAll()
    .execute();

/** Payloads and times of the mails that a recipient got since a time; without those of a clock that was ahead. */
export const listSent = (
  db: Db,
  recipient: string,
  since: number,
  now: number,
): Promise<Pick<JobRow, "payload" | "run_at">[]> =>
  db
    .selectFrom("job")
    .select(["payload", "run_at"])
    .where("recipient", "=", recipient)
    .where("kind", "=", sent)
    .where("run_at", ">", since)
    .where("run_at", "<=", now)
    .execute();

/** Keeps a mail as sent, to be counted. */
export const keepSent = (db: Db, id: string, now: number) =>
  db
    .updateTable("job")
    .set({ kind: sent, run_at: now, claimed_until: null, last_error: null })
    .where("id", "=", id)
    .execute();

/** Deletes mail that was sent or given up before a time. */
const deleteOlder = (db: Db, kind: string, before: number) =>
  db.deleteFrom("job").where("kind", "=", kind).where("run_at", "<", before).execute();

/** Deletes mail that does not count any more, and mail that was given up long ago, at an instant of a steady clock. */
export async function deleteOldMail(db: Db, now: number): Promise<void> {
  await deleteOlder(db, sent, now - countedMicros);
  await deleteOlder(db, givenUp, now - givenUpLifeMicros);
}

/** Lets a mail wait, without a failure. */
export const holdJob = (db: Db, id: string, run_at: number) =>
  db.updateTable("job").set({ run_at, claimed_until: null }).where("id", "=", id).execute();

/** Pending and given-up mail, oldest first. */
export const listMail = (db: Db): Promise<JobRow[]> =>
  db.selectFrom("job").selectAll().where("kind", "in", ["mail", givenUp]).orderBy("run_at").orderBy("id").execute();

/** Marks a mail as given up and keeps it for the operator. */
export const giveUpJob = (db: Db, id: string, change: Pick<JobRow, "run_at" | "attempts" | "last_error">) =>
  db
    .updateTable("job")
    .set({ ...change, kind: givenUp, claimed_until: null })
    .where("id", "=", id)
    .execute();

/** Makes failed and given-up mail due now: all, or one. @returns how many. */
export async function retryJobs(db: Db, id: string | undefined): Promise<number> {
  let query = db
    .updateTable("job")
    .set({ kind: "mail", run_at: 0, attempts: 0, last_error: null })
    .where("kind", "in", ["mail", givenUp]);
  query = query.where("last_error", "is not", null);
  if (id !== undefined) query = query.where("id", "=", id);
  return Number((await query.executeTakeFirst()).numUpdatedRows);
}

export const deleteJob = (db: Db, id: string) => db.deleteFrom("job").where("id", "=", id).execute();

export const postponeJob = (db: Db, id: string, change: Pick<JobRow, "run_at" | "attempts" | "last_error">) =>
  db
    .updateTable("job")
    .set({ ...change, claimed_until: null })
    .where("id", "=", id)
    .execute();

/** How much unsent mail is waiting, failing and given up. */
export async function countMail(db: Db): Promise<{ waiting: number; failing: number; given_up: number }> {
  const { rows } = await sql<{ waiting: number; failing: number; given_up: number }>`
    select count(*) filter (where kind = 'mail' and last_error is null) as waiting,
      count(*) filter (where kind = 'mail' and last_error is not null) as failing,
      count(*) filter (where kind = ${givenUp}) as given_up
    from job`.execute(db);
  return rows[0] ?? { waiting: 0, failing: 0, given_up: 0 };
}

/** Deletes unsent mail. @returns whether there was one. */
export async function discardMail(db: Db, id: string): Promise<boolean> {
  const query = db.deleteFrom("job").where("id", "=", id).where("kind", "in", ["mail", givenUp]);
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
}
