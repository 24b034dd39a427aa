import type { Router } from "express";
import { answer } from "../kernel/answer.ts";
import { clientNetwork } from "../kernel/client-address.ts";
import { etagOf } from "../kernel/conditional-requests.ts";
import { notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf, pathPart, resource, routesAbout } from "../kernel/resource.ts";
import { wantsExpanded } from "../requests/request.routes.ts";
import type { RequestService } from "../requests/request.service.ts";
import type { AccessRequestService } from "./access-request.service.ts";

interface Parts {
  host: Host;
  accessRequests: AccessRequestService;
  requests: RequestService;
}

/** `POST /api/records/{id}/access/request`: the request of a user; a guest gets a mail first. */
export function accessRequestRoutes({ host, accessRequests, requests }: Parts): Router {
  const router = routesAbout("record");
  resource(router, "/records/:id/access/request", {
    server: ["POST"],
    POST: {
      maxBytes: 64 * 1024,
      async handle(req, res) {
        const caller = callerOf(req);
        const id = await accessRequests.ask(caller, pathPart(req, "id"), req.body as unknown, clientNetwork(req));
        if (id === undefined) {
          return answer(req, res, 200, { message: "Verification link sent out, please check your e-mail inbox" });
        }
        const request = await requests.find(host.db, id);
        if (!request) throw notFound();
        const body = await requests.present(host.db, caller, request, wantsExpanded(req));
        await answer(req, res, 200, body, { etag: etagOf(request.revision_id) });
      },
    },
  });
  return router;
}
