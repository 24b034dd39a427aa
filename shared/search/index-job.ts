import type { Logger } from "pino";
import { type Db, transaction } from "../database/open.ts";
import { breathe } from "../kernel/time-slice.ts";
import {
  countFamilies,
  findIndexVersion,
  findRebuildPlace,
  listFamilyIds,
  listUnindexed,
  storeIndexVersion,
  storeRebuildPlace,
} from "./record-index.repository.ts";
import { reindexFamily } from "./record-index.ts";

/** To be raised whenever the same rows would give another index. */
const indexVersion = "3";
const familiesATime = 10;

export interface RebuildOptions {
  /** Called after each step with the families done so far. */
  onProgress?(families: number): void;
  /** Ends the work after the step at hand. */
  signal?: AbortSignal;
}

/**
 * Writes the index of all records and drafts anew, a few families at a time; searches go on meanwhile. What was stopped
 * or killed goes on where it was. Returns the number of families.
 */
export async function rebuildIndex(db: Db, { onProgress, signal }: RebuildOptions = {}): Promise<number> {
  let done = 0;
  for (let after = await findRebuildPlace(db, indexVersion); ; ) {
    const ids = await listFamilyIds(db, after, familiesATime);
    if (ids.length > 0) {
      await transaction(db, async (tx) => {
        for (const id of ids) await reindexFamily(tx, id, { isForced: true });
        await storeRebuildPlace(tx, indexVersion, ids.at(-1) ?? after);
      });
    }
    done += ids.length;
    onProgress?.(done);
    if (signal?.aborted) return done;
    if (ids.length < familiesATime) break;
    after = ids.at(-1) ?? after;
    await breathe();
  }
  await storeIndexVersion(db, indexVersion);
  return done;
}

/** Indexes families that were stored without, a few at a time. Ends early, without a word, when the signal says so. */
export async function indexMissing(db: Db, signal: AbortSignal): Promise<void> {
  for (let after = ""; !signal.aborted; ) {
    const ids = await listUnindexed(db, after, familiesATime);
    if (ids.length === 0) return;
    await transaction(db, async (tx) => {
      for (const id of ids) await reindexFamily(tx, id);
    });
    after = ids.at(-1) ?? after;
    await breathe();
  }
}

/** Rebuilds the index in the background when it is of another version (search 12). Returns how to stop. */
export function startIndexJob({ db, log }: { db: Db; log: Logger }): () => Promise<void> {
  const stopping = new AbortController();
  const work = async () => {
    if ((await findIndexVersion(db)) === indexVersion) return;
    const all = await countFamilies(db);
    const families = await rebuildIndex(db, {
      signal: stopping.signal,
      onProgress: (done) => {
        if (done > 0 && done % 1000 === 0) log.info({ families: done, of: all }, "search index is being rebuilt");
      },
    });
    if (families > 0) log.info({ families }, "search index rebuilt");
  };
  const running = work().catch((error: unknown) => log.error({ error }, "search index could not be rebuilt"));
  return async () => {
    stopping.abort();
    await running;
  };
}
