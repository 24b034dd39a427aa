import type { Db } from "../../shared/database/open.ts";
import type { BackupRunRow } from "../../shared/database/schema.ts";

const mostRuns = 200;

export const insertRun = (db: Db, row: BackupRunRow) => db.insertInto("backup_run").values(row).execute();

export const endRun = (db: Db, id: string, change: Partial<BackupRunRow>) =>
  db.updateTable("backup_run").set(change).where("id", "=", id).execute();

/** The last attempts, newest first. */
export const listRuns = (db: Db): Promise<BackupRunRow[]> =>
  db.selectFrom("backup_run").selectAll().orderBy("started", "desc").orderBy("id", "desc").limit(mostRuns).execute();

/** Ends attempts from before a time that were interrupted by the end of their process. */
export const failOpenRuns = (db: Db, { before, now, error }: { before: number; now: number; error: string }) =>
  db
    .updateTable("backup_run")
    .set({ ended: now, error })
    .where("ended", "is", null)
    .where("started", "<", before)
    .execute();

/** Deletes the oldest attempts beyond a number. */
export const deleteRunsBeyond = (db: Db, most: number) =>
  db
    .deleteFrom("backup_run")
    .where("id", "not in", (of) =>
      of.selectFrom("backup_run").select("id").orderBy("started", "desc").orderBy("id", "desc").limit(most),
    )
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
