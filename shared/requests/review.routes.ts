import type { Request, Response, Router } from "express";
import type { RequestRow } from "../database/schema.ts";
import { answer, answerNothing } from "../kernel/answer.ts";
import type { Caller } from "../kernel/caller.ts";
import { demandsNone } from "../kernel/conditional-requests.ts";
import type { Decision } from "../kernel/host.ts";
import { callerOf, pathPart, resource, routesAbout, withoutBody } from "../kernel/resource.ts";
import { type RequestRouteParts, requestAnswer } from "./request.routes.ts";

/** `/api/records/<id>/draft/review` and submit-review (requests 4.1). */
export function reviewRoutes(parts: RequestRouteParts): Router {
  const { host, requests, reviews } = parts;
  const router = routesAbout("review");
  // A draft can have one review after another.
  const show = requestAnswer(parts, { isMoving: true });

  async function get(req: Request, res: Response): Promise<void> {
    await show(req, res, 200, await reviews.get(host.db, callerOf(req), pathPart(req, "id")));
  }

  /** The review after a decision, even if the draft was published or deleted meanwhile. */
  async function reviewAfter(decision: Decision<string>, caller: Caller, draftId: string): Promise<RequestRow> {
    const done = decision.state === "done" ? await requests.find(host.db, decision.result) : undefined;
    return done ?? reviews.get(host.db, caller, draftId);
  }

  async function put(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    const draftId = pathPart(req, "id");
    const input = { draftId, id: host.newUuid(), body: req.body as unknown };
    const decision = await reviews.put(caller, input, !demandsNone(req.headers));
    await show(req, res, decision.state === "done" ? 200 : 202, await reviewAfter(decision, caller, draftId));
  }

  async function remove(req: Request, res: Response): Promise<void> {
    const draftId = pathPart(req, "id");
    const decision = await reviews.remove(callerOf(req), { draftId });
    if (decision.state === "done") return answerNothing(res);
    const { sync } = decision;
    await answer(req, res, 202, { topic: { record: draftId }, ...(sync ? { sync } : {}) });
  }

  async function submit(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    const draftId = pathPart(req, "id");
    const body = req.body as unknown;
    const seen = await reviews.seenStatus(host.db, draftId, body);
    const decision = await reviews.submit(caller, { draftId, commentId: host.newUuid(), seen, body });
    const request = await reviewAfter(decision, caller, draftId);
    await show(req, res, 202, request, { next_html: `${host.baseUrl}/me/requests/${request.id}` });
  }

  resource(router, "/records/:id/draft/review", { GET: get, PUT: put, DELETE: withoutBody(remove) });
  resource(router, "/records/:id/draft/actions/submit-review", { POST: submit });
  return router;
}
