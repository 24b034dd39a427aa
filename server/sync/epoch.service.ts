import type { Db } from "../../shared/database/open.ts";
import { writeEpoch } from "./epoch.repository.ts";

/** Tells all replicas, at their next contact, that this database is not the one that they knew (hosts-and-sync 4). */
export async function beginNewEpoch(db: Db, epoch: string): Promise<void> {
  await writeEpoch(db, epoch);
}
