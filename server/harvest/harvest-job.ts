import type { Logger } from "pino";
import { transaction } from "../../shared/database/open.ts";
import { deleteSetting, findSetting, storeSetting } from "../../shared/database/setting.repository.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { yieldToEventLoop } from "../../shared/kernel/time-slice.ts";
import { projectHarvest } from "./harvest.projection.ts";
import { listFamilies } from "./harvest-item.repository.ts";

/** Raise it whenever the same records would give other items. */
const harvestVersion = "1";
const versionName = "harvest_version";
const placeName = "harvest_fill";
const familiesATime = 20;

/**
 * Fills the table of harvest items of a library from before it existed, a few families at a time. Continues where an
 * earlier run was stopped. @returns the number of families.
 */
export async function fillHarvestItems({ db, now }: Pick<Host, "db" | "now">, signal?: AbortSignal): Promise<number> {
  if ((await findSetting(db, versionName)) === harvestVersion) return 0;
  let done = 0;
  for (let after = (await findSetting(db, placeName)) ?? ""; ; ) {
    const families = await listFamilies(db, after, familiesATime);
    after = families.at(-1)?.parent_id ?? after;
    const isLast = families.length < familiesATime;
    await transaction(db, async (tx) => {
      for (const { parent_id } of families) await projectHarvest(tx, parent_id, { now });
      if (isLast) {
        await deleteSetting(tx, placeName);
        await storeSetting(tx, versionName, harvestVersion);
      } else await storeSetting(tx, placeName, after);
    });
    done += families.length;
    if (isLast || signal?.aborted) return done;
    await yieldToEventLoop();
  }
}

/** Fills the table in the background. Returns a function that stops it. */
export function startHarvestJob(host: Pick<Host, "db" | "now">, log: Logger): () => Promise<void> {
  const stopping = new AbortController();
  const running = fillHarvestItems(host, stopping.signal).then(
    (families) => families > 0 && log.info({ families }, "records listed for harvesters"),
    (error: unknown) => log.error({ err: error }, "records could not be listed for harvesters"),
  );
  return async () => {
    stopping.abort();
    await running;
  };
}
