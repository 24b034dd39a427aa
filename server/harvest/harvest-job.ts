import type { Logger } from "pino";
import { transaction } from "../../shared/database/open.ts";
import { deleteSetting, findSetting, storeSetting } from "../../shared/database/setting.repository.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { type Job, startJob } from "../../shared/kernel/job.ts";
import { yieldToEventLoop } from "../../shared/kernel/time-slice.ts";
import type { CollectionSets } from "./collection-sets.ts";
import { projectHarvest } from "./harvest.projection.ts";
import { listFamilies } from "./harvest-item.repository.ts";

/** Raise it whenever the same records would give other items. */
const rulesVersion = "2";
const versionName = "harvest_version";
const placeName = "harvest_fill";
const familiesATime = 20;
const everyMs = 10 * 60_000;

/**
 * Fills the table of harvest items of an older library, and again when collections changed, a few families at a time. Continues where an
 * earlier run was stopped. @returns the number of families.
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
    after = families.at(-1)?.parent_id ?? after;
    const isLast = families.length < familiesATime;
    await transaction(db, async (tx) => {
      for (const { parent_id } of families) await projectHarvest(tx, parent_id, { now, collections });
      if (isLast) {
        await deleteSetting(tx, placeName);
        await storeSetting(tx, versionName, version);
      } else await storeSetting(tx, placeName, `${version} ${after}`);
    });
    done += families.length;
    if (isLast || signal?.aborted) return done;
    await yieldToEventLoop();
  }
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
