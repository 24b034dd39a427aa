import type { Router } from "express";
import { answer } from "../../../shared/kernel/answer.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import { parse } from "../../../shared/kernel/parse.ts";
import { callerOf, resource, routesAbout } from "../../../shared/kernel/resource.ts";
import { isoTime } from "../../../shared/kernel/timestamps.ts";
import { ticketRequest } from "../../../shared/sync-protocol/live.schema.ts";
import type { TicketService } from "./live-ticket.service.ts";

/** HTTP routes before a document's socket (hosts-and-sync 8, Ticket). */
export function liveRoutes(tickets: TicketService): Router {
  const router = routesAbout("sync");
  resource(router, "/api/sync/ticket", {
    POST: async (req, res) => {
      const body = parse(ticketRequest, req.body);
      const { ticket, expiresAt } = await tickets.issue(callerOf(req), body?.document);
      res.setHeader("Cache-Control", "no-store");
      res.locals.isSecret = true;
      await answer(req, res, 201, { ticket, expires_at: isoTime(expiresAt) });
    },
  });
  resource(router, "/api/sync/documents/:room", {
    GET: () => {
      throw new Failure("upgrade_required", "A document is opened over a WebSocket.", {
        headers: { Upgrade: "websocket" },
      });
    },
  });
  return router;
}
