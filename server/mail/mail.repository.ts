import type { Db } from "../../shared/database/open.ts";
import type { JobRow } from "../../shared/database/schema.ts";

/** The next mail whose time has come; claimed, so that another process leaves it alone. */
export async function claimMail(db: Db, now: number, until: number): Promise<JobRow | undefined> {
  return db
    .updateTable("job")
    .set({ claimed_until: until })
    .where("id", "=", (expression) =>
      expression
        .selectFrom("job")
        .select("id")
        .where("kind", "=", "mail")
        .where("run_at", "<=", now)
        .where((where) => where.or([where("claimed_until", "is", null), where("claimed_until", "<", now)]))
        .orderBy("run_at")
        .limit(1),
    )
    .returningAll()
    .executeTakeFirst();
}

export const deleteJob = (db: Db, id: string) => db.deleteFrom("job").where("id", "=", id).execute();

export const postponeJob = (db: Db, id: string, change: Pick<JobRow, "run_at" | "attempts" | "last_error">) =>
  db
    .updateTable("job")
    .set({ ...change, claimed_until: null })
    .where("id", "=", id)
    .execute();
