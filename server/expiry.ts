import type { RequestHandler } from "express";
import type { Logger } from "pino";
import type { Host } from "../shared/kernel/host.ts";
import { startJob } from "../shared/kernel/job.ts";
import type { RequestActionService } from "../shared/requests/request-action.service.ts";

export interface Expiry {
  /** Expires due requests before every call (requests 5). */
  onAccess: RequestHandler;
  stop(): Promise<void>;
}

const longestIdleMicros = 1_000_000;

/**
 * Expires requests at every call and by the clock, so that live documents close and mail goes out even if nobody calls.
 * If storing it fails, for example on a full disk, the call continues and the next one tries again.
 */
export function startExpiry(host: Host, actions: RequestActionService, log: Logger): Expiry {
  // No request expires before this time, unless a commit changes a request.
  let idleUntil = 0;
  let commits = 0;
  // Only a change of a request can move the next expiry forward.
  const stopListening = host.onCommitted((touched) => {
    if (!touched.some(({ kind }) => kind === "request")) return;
    commits += 1;
    idleUntil = 0;
  });

  const job = startJob({
    name: "expiring requests",
    everyMs: 1000,
    log,
    async work() {
      const before = commits;
      await actions.expireDue();
      const nextExpiry = (await actions.nextExpiry()) ?? Number.POSITIVE_INFINITY;
      if (commits === before) idleUntil = Math.min(nextExpiry, host.now() + longestIdleMicros);
    },
  });
  return {
    onAccess(req, _res, next) {
      if (host.now() < idleUntil || !req.path.startsWith("/api/")) next();
      else void job.run().then(() => next());
    },
    stop() {
      stopListening();
      return job.stop();
    },
  };
}
