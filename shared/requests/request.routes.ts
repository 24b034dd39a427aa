import type { Request, Response, Router } from "express";
import type { RequestRow } from "../database/schema.ts";
import { type AnswerOptions, answer, answerNothing } from "../kernel/answer.ts";
import { isOn } from "../kernel/booleans.ts";
import { demandedRevision, etagOf } from "../kernel/conditional-requests.ts";
import { forbidden } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf, pathPart, resource, routesAbout, withoutBody } from "../kernel/resource.ts";
import type { RecordRequestService } from "./record-request.service.ts";
import { asAction } from "./request.lifecycle.ts";
import type { RequestService } from "./request.service.ts";
import { inapplicable, type RequestActionService } from "./request-action.service.ts";
import type { RequestChangeService } from "./request-change.service.ts";
import type { ReviewService } from "./review.service.ts";

export interface RequestRouteParts {
  host: Host;
  requests: RequestService;
  requestChanges: RequestChangeService;
  requestActions: RequestActionService;
  reviews: ReviewService;
  recordRequests: RecordRequestService;
}

/** Whether the answer should contain the users and topics of requests. */
export const wantsExpanded = (req: Request): boolean => isOn(req.query.expand);

/** Answers with a request as its reader sees it, with its ETag. */
export function requestAnswer(
  { host, requests, requestActions }: RequestRouteParts,
  options: Pick<AnswerOptions, "isMoving"> = {},
) {
  /** Expires a request that was submitted after its expiry, as every read does (requests 5). */
  async function expireIfDue(request: RequestRow): Promise<RequestRow> {
    const isOver = request.expires_at !== null && request.expires_at <= host.now();
    if (!host.abilities.appliesDeadlines || request.status !== "submitted" || !isOver) return request;
    await requestActions.expireDue();
    return (await requests.find(host.db, request.id)) ?? request;
  }

  return async (req: Request, res: Response, status: number, found: RequestRow, links = {}): Promise<void> => {
    const request = await expireIfDue(found);
    const body = await requests.present(host.db, callerOf(req), request, wantsExpanded(req));
    const shown = { ...body, links: { ...(body.links as object), ...links } };
    await answer(req, res, status, shown, { ...options, etag: etagOf(request.revision_id) });
  };
}

/** One request: reading, changing, deciding, locking (requests 3, 5, 10). */
export function requestRoutes(parts: RequestRouteParts): Router {
  const { host, requests, requestChanges, requestActions } = parts;
  const router = routesAbout("request");
  const show = requestAnswer(parts);

  async function showById(req: Request, res: Response, status: number, id: string): Promise<void> {
    const { request } = await requests.require(host.db, callerOf(req), id);
    await show(req, res, status, request);
  }

  async function one(req: Request, res: Response): Promise<void> {
    const { request } = await requests.requireReadable(host.db, callerOf(req), pathPart(req, "id"));
    await show(req, res, 200, request);
  }

  async function update(req: Request, res: Response): Promise<void> {
    const { request } = await requests.require(host.db, callerOf(req), pathPart(req, "id"));
    const input = { id: request.id, revision: demandedRevision(req.headers), body: req.body as unknown };
    await showById(req, res, 200, await requestChanges.update(callerOf(req), input));
  }

  async function remove(req: Request, res: Response): Promise<void> {
    const { request } = await requests.require(host.db, callerOf(req), pathPart(req, "id"));
    const revision = demandedRevision(req.headers);
    await requestChanges.remove(callerOf(req), { id: request.id, revision });
    answerNothing(res);
  }

  async function act(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    const { request } = await requests.require(host.db, caller, pathPart(req, "id"));
    const name = pathPart(req, "action");
    const action = asAction(name);
    if (!action) throw inapplicable(name, "there is no such action.");
    // Only the server expires requests (requests 3.1).
    if (action === "expire") throw forbidden();
    const body = req.body as unknown;
    const decision = await requestActions.act(caller, action, {
      id: request.id,
      logId: host.newUuid(),
      commentId: host.newUuid(),
      revision: demandedRevision(req.headers),
      seen: await requestActions.seenStatus(host.db, request, action, body),
      expected: await requestActions.seenContent(host.db, request, action),
      body,
    });
    await showById(req, res, decision.state === "done" ? 200 : 202, request.id);
  }

  const lock =
    (isLocking: boolean) =>
    async (req: Request, res: Response): Promise<void> => {
      const { request } = await requests.require(host.db, callerOf(req), pathPart(req, "id"));
      const input = { id: request.id, eventId: host.newUuid() };
      await (isLocking ? requestChanges.lock(callerOf(req), input) : requestChanges.unlock(callerOf(req), input));
      answerNothing(res);
    };

  resource(router, "/requests/:id", {
    server: ["PUT", "DELETE"],
    GET: one,
    PUT: update,
    DELETE: withoutBody(remove),
  });
  resource(router, "/requests/:id/actions/:action", { about: "decision", POST: act });
  resource(router, "/requests/:id/lock", { server: ["POST"], POST: withoutBody(lock(true)) });
  resource(router, "/requests/:id/unlock", { server: ["POST"], POST: withoutBody(lock(false)) });
  return router;
}
