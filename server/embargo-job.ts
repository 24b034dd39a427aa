import type { Logger } from "pino";
import type { EmbargoService } from "../shared/access/embargo.service.ts";
import type { Host } from "../shared/kernel/host.ts";
import { type Job, startJob } from "../shared/kernel/job.ts";
import { dayOf } from "../shared/kernel/timestamps.ts";

const hourMicros = 3_600_000_000;

/**
 * Lifts embargoes that have ended: at start, at the beginning of each day and every hour (records 7.1). Reading a
 * record lifts its embargo too.
 */
export function startEmbargoJob(host: Pick<Host, "now">, embargoes: EmbargoService, log: Logger): Job {
  let last: number | undefined;
  const job = startJob({
    name: "lifting embargoes",
    everyMs: 1000,
    log,
    async work() {
      const now = host.now();
      if (last !== undefined && dayOf(now) === dayOf(last) && Math.abs(now - last) < hourMicros) return;
      last = now;
      const count = await embargoes.liftAll();
      if (count > 0) log.info({ count }, "embargoes lifted");
    },
  });
  void job.run();
  return job;
}
