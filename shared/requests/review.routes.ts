import type { Request, Response, Router } from "express";
import { answer, answerNothing } from "../kernel/answer.ts";
import { callerOf, newRouter, pathPart, resource } from "../kernel/resource.ts";
import { type RequestRouteParts, requestAnswer } from "./request.routes.ts";
import { requestType } from "./request.schema.ts";
import { userIn } from "./review-input.service.ts";

/** What is known of a review that the server has not made yet. */
const unsent = { type: requestType, status: "draft", is_open: false, is_closed: false };

/** `/api/records/<id>/draft/review` and submit-review (requests 4.1). */
export function reviewRoutes(parts: RequestRouteParts): Router {
  const { host, requests, reviews } = parts;
  const router = newRouter();
  const show = requestAnswer(parts);

  async function get(req: Request, res: Response): Promise<void> {
    await show(req, res, 200, await reviews.get(host.db, callerOf(req), pathPart(req, "id")));
  }

  /** A queued wish is answered with what it asks for: the request itself is made by the server. */
  async function queued(req: Request, res: Response, draftId: string, wish: Record<string, unknown>): Promise<void> {
    const sync = await host.syncMark(host.db, { kind: "draft", id: draftId });
    await answer(req, res, 202, { ...wish, topic: { record: draftId }, ...(sync ? { sync } : {}) });
  }

  async function put(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    const input = { draftId: pathPart(req, "id"), id: host.newUuid(), body: req.body as unknown };
    const asked = await reviews.put(caller, input);
    const request = asked.state === "done" ? await requests.find(host.db, asked.result) : undefined;
    if (request) return show(req, res, 200, request);
    const { receiver } = (req.body ?? {}) as { receiver?: unknown };
    await queued(req, res, input.draftId, { id: input.id, ...unsent, receiver: { user: userIn(receiver) } });
  }

  async function remove(req: Request, res: Response): Promise<void> {
    const draftId = pathPart(req, "id");
    const asked = await reviews.remove(callerOf(req), { draftId });
    if (asked.state === "done") answerNothing(res);
    else await queued(req, res, draftId, {});
  }

  async function submit(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    const draftId = pathPart(req, "id");
    const seen = await reviews.seenStatus(host.db, draftId);
    const input = { draftId, commentId: host.newUuid(), seen, body: req.body as unknown };
    const asked = await reviews.submit(caller, input);
    const request = await reviews.findOf(host.db, draftId);
    // What a queued call is about may be a review that is on its way itself, not the one that is linked here.
    if (request && (asked.state === "done" || seen !== undefined)) return show(req, res, 202, request);
    const id = asked.state === "done" ? asked.result : await reviews.queuedId(host.db, draftId);
    await queued(req, res, draftId, { ...(id === undefined ? {} : { id }), ...unsent });
  }

  resource(router, "/records/:id/draft/review", { GET: get, PUT: put, DELETE: remove });
  resource(router, "/records/:id/draft/actions/submit-review", { POST: submit });
  return router;
}
