import type { Logger } from "pino";
import { startJob } from "../shared/kernel/job.ts";
import type { UsageService } from "../shared/usage/usage.service.ts";

/**
 * Stores views and downloads every half minute. A crash loses that much.
 * @returns how to stop; stores the last counts first.
 */
export function startUsageJob(usage: UsageService, log: Logger): () => Promise<void> {
  const job = startJob({ name: "storing views and downloads", everyMs: 30_000, work: usage.flush, log });
  return async () => {
    await job.run();
    await job.stop();
  };
}
