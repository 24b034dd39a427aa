import type { SelectQueryBuilder } from "kysely";
import type { Db } from "../../shared/database/open.ts";
import type { BackupRunRow, Schema } from "../../shared/database/schema.ts";

const maxRuns = 200;

export const insertRun = (db: Db, row: BackupRunRow) => db.insertInto("backup_run").values(row).execute();

export const endRun = (db: Db, id: string, change: Partial<BackupRunRow>) =>
  db.updateTable("backup_run").set(change).where("id", "=", id).execute();

/** Sorts runs, the newest first. Runs by a clock that was ahead count as the oldest. */
const newestFirst = <T>(runs: SelectQueryBuilder<Schema, "backup_run", T>, now: number) =>
  runs
    .orderBy((where) => where("started", ">", now))
    .orderBy("started", "desc")
    .orderBy("id", "desc");

/** The last attempts, newest first. */
export const listRuns = (db: Db, now: number): Promise<BackupRunRow[]> =>
  newestFirst(db.selectFrom("backup_run").selectAll(), now).limit(maxRuns).execute();

/** Whether an attempt has not ended. */
export const hasOpenRun = async (db: Db): Promise<boolean> =>
  (await db.selectFrom("backup_run").select("id").where("ended", "is", null).limit(1).executeTakeFirst()) !== undefined;

/** Ends the attempts that the end of their process interrupted. Only whoever may write a backup knows that they are. */
export const failOpenRuns = (db: Db, { now, error }: { now: number; error: string }) =>
  db.updateTable("backup_run").set({ ended: now, error }).where("ended", "is", null).execute();

/** Deletes the oldest attempts beyond a number. */
export const deleteRunsBeyond = (db: Db, most: number, now: number) =>
  db
    .deleteFrom("backup_run")
    .where("id", "not in", (of) => newestFirst(of.selectFrom("backup_run").select("id"), now).limit(most))
    .execute();

/** Ids of active administrators, who get a mail about a failure. */
export async function listAdministrators(db: Db, groups: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom("user")
    .innerJoin("membership", "membership.user_id", "user.id")
    .select("user.id")
    .distinct()
    .where("membership.group_name", "in", [...groups])
    .where("user.active", "=", 1)
    .where("user.confirmed", "=", 1)
    .execute();
  return rows.map(({ id }) => id);
}

/** Why an attempt failed. */
export const findFailure = async (db: Db, id: string): Promise<string | undefined> =>
  (await db.selectFrom("backup_run").select("error").where("id", "=", id).executeTakeFirst())?.error ?? undefined;

export const hasEnded = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom("backup_run").select("ended").where("id", "=", id).executeTakeFirst())?.ended != null;

/** Whether a backup was written. */
export const isDone = ({ ended, error }: Pick<BackupRunRow, "ended" | "error">): boolean =>
  ended !== null && error === null;
