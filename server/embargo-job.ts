import type { Logger } from "pino";
import type { EmbargoService } from "../shared/access/embargo.service.ts";

const everyHourMs = 3_600_000;

/**
 * Lifts embargoes that have ended, at start and every hour (records 7.1). A record that is read before is lifted then.
 * @returns how to stop; waits for a run under way.
 */
export function startEmbargoJob(embargoes: EmbargoService, log: Logger): () => Promise<void> {
  let running = Promise.resolve();
  const run = () => {
    running = embargoes.liftAll().then(
      (count) => {
        if (count > 0) log.info({ count }, "embargoes lifted");
      },
      (error: unknown) => log.error({ err: error }, "lifting embargoes failed; tried again in an hour"),
    );
  };
  run();
  const timer = setInterval(run, everyHourMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}
