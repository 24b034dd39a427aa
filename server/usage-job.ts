import type { Logger } from "pino";
import type { UsageService } from "../shared/usage/usage.service.ts";

const pauseMs = 30_000;

/**
 * Stores views and downloads every half minute. A crash loses that much.
 * @returns how to stop; stores the last counts first.
 */
export function startUsageJob(usage: UsageService, log: Logger): () => Promise<void> {
  let running = Promise.resolve();
  const run = (): Promise<void> => {
    running = running
      .then(usage.flush)
      .catch((error: unknown) => log.warn({ err: error }, "some views and downloads could not be counted"));
    return running;
  };
  const timer = setInterval(() => void run(), pauseMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return run();
  };
}
