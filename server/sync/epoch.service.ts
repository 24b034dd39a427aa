import { type Db, transaction } from "../../shared/database/open.ts";
import type { Host } from "../../shared/kernel/host.ts";
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

/**
 * Called when a replica shows that the database was put back by hand, without a new epoch: leaves out the ids of users
 * that were lost. Once for each process, because every replica shows it.
 */
export function leavesOutLostUsers({ db, now }: Host): () => Promise<void> {
  let done: Promise<void> | undefined;
  return async () => {
    done ??= transaction(db, (tx) => skipUserIds(tx, now()));
    await done.catch((error: unknown) => {
      done = undefined;
      throw error;
    });
  };
}

/** The epoch of this database. */
export const currentEpoch = (db: Db): Promise<string> => readEpoch(db);
