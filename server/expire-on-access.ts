import type { RequestHandler } from "express";
import type { Logger } from "pino";
import type { RequestActionService } from "../shared/requests/request-action.service.ts";

/**
 * Requests whose time has passed are expired before anybody looks (requests 5). A failure to write that down, such as
 * a full disk, must not take reading away: it is logged and tried again at the next call.
 */
export function expireOnAccess(actions: RequestActionService, log: Logger): RequestHandler {
  return async (req, _res, next) => {
    if (req.path.startsWith("/api/")) {
      await actions.expireDue().catch((error: unknown) => log.error({ err: error }, "requests could not be expired"));
    }
    next();
  };
}
