import type { Logger } from "pino";
import { type Db, transaction } from "../../database/open.ts";
import { yieldToEventLoop } from "../../kernel/time-slice.ts";
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

/** Raise it whenever the same rows would give another index. */
const indexVersion = "3";
const familiesATime = 10;

export interface RebuildOptions {
  /** Called after each step with the families done so far. */
  onProgress?(families: number): void;
  /** Stops the work after the current step. */
  signal?: AbortSignal;
}

/**
 * Rebuilds the index of all records and drafts, a few families at a time; searches go on meanwhile. Resumes a rebuild
 * that was stopped or killed. Returns the number of families.
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
    await yieldToEventLoop();
  }
  await storeIndexVersion(db, indexVersion);
  return done;
}

/** Indexes families that are not in the index yet, a few at a time. Stops when the signal is aborted. */
export async function indexMissing(db: Db, signal: AbortSignal): Promise<void> {
  for (let after = ""; !signal.aborted; ) {
    const ids = await listUnindexed(db, after, familiesATime);
    if (ids.length === 0) return;
    await transaction(db, async (tx) => {
      for (const id of ids) await reindexFamily(tx, id);
    });
    after = ids.at(-1) ?? after;
    await yieldToEventLoop();
  }
}

/** Rebuilds the index in the background when its version is another (search 12). Returns a function that stops it. */
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
