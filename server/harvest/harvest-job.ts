import type { Logger } from "pino";
import { type Tx, transaction } from "../../shared/database/open.ts";
import { deleteSetting, findSetting, storeSetting } from "../../shared/database/setting.repository.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { type Job, startJob } from "../../shared/kernel/job.ts";
import { isDue, yieldToEventLoop } from "../../shared/kernel/time-slice.ts";
import type { CollectionSets } from "./collection-sets.ts";
import { type HarvestRules, projectHarvest } from "./harvest.projection.ts";
import { listFamilies } from "./harvest-item.repository.ts";

/** Raise it whenever the same records would give other items. */
const rulesVersion = "2";
const versionName = "harvest_version";
const placeName = "harvest_fill";
const familiesATime = 20;
const everyMs = 10 * 60_000;

/**
 * Fills the table of harvest items of an older library, and again when collections changed, a few families at a time.
 * Continues where an earlier run was stopped. @returns the number of families.
 */
export async function fillHarvestItems(
  { db, now }: Pick<Host, "db" | "now">,
  collections: CollectionSets,
  signal?: AbortSignal,
): Promise<number> {
  const version = `${rulesVersion} ${await collections.digest(db)}`;
  if ((await findSetting(db, versionName)) === version) return 0;
  const [, place = ""] = (await findSetting(db, placeName))?.split(`${version} `) ?? [];
  let done = 0;
  for (let after = place; ; ) {
    const families = await listFamilies(db, after, familiesATime);
    const isEnd = families.length < familiesATime;
    const filled = await transaction(db, async (tx) => {
      const count = await fillSome(tx, families, { now, collections });
      const last = families[count - 1]?.parent_id ?? after;
      // Cleared with the first item. Otherwise a reverted query would make the half filled table count as full.
      await deleteSetting(tx, versionName);
      if (isEnd && count === families.length) {
        await deleteSetting(tx, placeName);
        await storeSetting(tx, versionName, version);
      } else await storeSetting(tx, placeName, `${version} ${last}`);
      return { count, last };
    });
    after = filled.last;
    done += filled.count;
    if ((isEnd && filled.count === families.length) || signal?.aborted) return done;
    await yieldToEventLoop();
  }
}

/** Others wait for the transaction, so it ends after some milliseconds. @returns the number of families, at least one. */
async function fillSome(tx: Tx, families: readonly { parent_id: string }[], rules: HarvestRules): Promise<number> {
  const start = performance.now();
  for (const [at, { parent_id }] of families.entries()) {
    await projectHarvest(tx, parent_id, rules);
    if (isDue(start)) return at + 1;
  }
  return families.length;
}

/** Fills the table in the background: at the start, when it is run, and now and then if an earlier attempt failed. */
export function startHarvestJob(host: Pick<Host, "db" | "now">, collections: CollectionSets, log: Logger): Job {
  const job = startJob({
    name: "listing records for harvesters",
    everyMs,
    log,
    async work(signal) {
      const families = await fillHarvestItems(host, collections, signal);
      if (families > 0) log.info({ families }, "records listed for harvesters");
    },
  });
  void job.run();
  return job;
}
