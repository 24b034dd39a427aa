import type { Logger } from "pino";
import type { EmbargoService } from "../shared/access/embargo.service.ts";
import type { Host } from "../shared/kernel/host.ts";
import { dayOf } from "../shared/kernel/timestamps.ts";

const tickMs = 1000;
const hourMicros = 3_600_000_000;

/**
 * Lifts embargoes that have ended: at start, at the beginning of each day and every hour (records 7.1). Reading a
 * record lifts its embargo too.
 * @returns how to stop; waits for a run under way.
 */
export function startEmbargoJob(host: Pick<Host, "now">, embargoes: EmbargoService, log: Logger): () => Promise<void> {
  let running = Promise.resolve();
  let last = 0;
  const run = () => {
    last = host.now();
    const lifted = running.then(() => embargoes.liftAll());
    running = lifted.then(
      (count) => {
        if (count > 0) log.info({ count }, "embargoes lifted");
      },
      (error: unknown) =>
        log.error({ err: error }, "embargoes could not be lifted; the next attempt is within an hour"),
    );
  };
  run();
  const timer = setInterval(() => {
    const now = host.now();
    if (dayOf(now) !== dayOf(last) || Math.abs(now - last) >= hourMicros) run();
  }, tickMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}
