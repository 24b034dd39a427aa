import type { Db } from "../../shared/database/open.ts";
import { writeEpoch } from "./epoch.repository.ts";

/**
 * Starts a new epoch, so that every replica notices at its next call that the database was restored (hosts-and-sync 4).
 */
export async function beginNewEpoch(db: Db, epoch: string): Promise<void> {
  await writeEpoch(db, epoch);
}
