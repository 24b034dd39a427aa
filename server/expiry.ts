import type { RequestHandler } from "express";
import type { Logger } from "pino";
import type { RequestActionService } from "../shared/requests/request-action.service.ts";

export interface Expiry {
  /** Before every call: requests whose time has passed are expired before anybody looks (requests 5). */
  onAccess: RequestHandler;
  stop(): void;
}

const tickMs = 1000;

/**
 * Expires requests at every call, and by the clock, so that a reviewer's open documents close and mail goes out though
 * nobody calls. A failure to write it down, such as a full disk, must not take reading away: it is logged and tried
 * again.
 */
export function startExpiry(actions: RequestActionService, log: Logger): Expiry {
  const expire = (): Promise<void> =>
    actions.expireDue().catch((error: unknown) => log.error({ err: error }, "requests could not be expired"));
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    void expire().finally(() => {
      isRunning = false;
    });
  }, tickMs);
  timer.unref();
  return {
    async onAccess(req, _res, next) {
      if (req.path.startsWith("/api/")) await expire();
      next();
    },
    stop: () => clearInterval(timer),
  };
}
