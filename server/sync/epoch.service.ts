import type { Db } from "../../shared/database/open.ts";
import { readEpoch, writeEpoch } from "./epoch.repository.ts";

/**
 * Starts a new epoch, so that every replica notices at its next call that the database was restored (hosts-and-sync 4).
 */
export async function beginNewEpoch(db: Db, epoch: string): Promise<void> {
  await writeEpoch(db, epoch);
}

/** The epoch of this database. */
export const currentEpoch = (db: Db): Promise<string> => readEpoch(db);
