import type { Request, Response, Router } from "express";
import { answer, answerNothing } from "../kernel/answer.ts";
import { callerOf, newRouter, pathPart, resource } from "../kernel/resource.ts";
import { type RequestRouteParts, requestAnswer } from "./request.routes.ts";

/** `/api/records/<id>/draft/review` and submit-review (requests 4.1). */
export function reviewRoutes(parts: RequestRouteParts): Router {
  const { host, reviews } = parts;
  const router = newRouter();
  const show = requestAnswer(parts);

  async function get(req: Request, res: Response): Promise<void> {
    await show(req, res, 200, await reviews.get(host.db, callerOf(req), pathPart(req, "id")));
  }

  async function put(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    const draftId = pathPart(req, "id");
    const { state } = await reviews.put(caller, { draftId, id: host.newUuid(), body: req.body as unknown });
    await show(req, res, state === "done" ? 200 : 202, await reviews.get(host.db, caller, draftId));
  }

  async function remove(req: Request, res: Response): Promise<void> {
    const draftId = pathPart(req, "id");
    const { state } = await reviews.remove(callerOf(req), { draftId });
    if (state === "done") return answerNothing(res);
    const sync = await host.syncMark(host.db, { kind: "draft", id: draftId });
    await answer(req, res, 202, { topic: { record: draftId }, ...(sync ? { sync } : {}) });
  }

  async function submit(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    const draftId = pathPart(req, "id");
    const seen = await reviews.seenStatus(host.db, draftId);
    await reviews.submit(caller, { draftId, commentId: host.newUuid(), seen, body: req.body as unknown });
    await show(req, res, 202, await reviews.get(host.db, caller, draftId));
  }

  resource(router, "/records/:id/draft/review", { GET: get, PUT: put, DELETE: remove });
  resource(router, "/records/:id/draft/actions/submit-review", { POST: submit });
  return router;
}
