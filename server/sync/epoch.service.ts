import type { Db } from "../../shared/database/open.ts";
import { skipUserIds } from "../../shared/users/user.repository.ts";
import { readEpoch, writeEpoch } from "./epoch.repository.ts";

/**
 * Starts a new epoch, so that every replica notices at its next call that the database was restored (hosts-and-sync 4).
 * The ids of users that were lost are not given to others.
 */
export async function beginNewEpoch(db: Db, epoch: string, now: number): Promise<void> {
  await writeEpoch(db, epoch);
  await skipUserIds(db, now);
}

/** The epoch of this database. */
export const currentEpoch = (db: Db): Promise<string> => readEpoch(db);
