import type { Request, Response, Router } from "express";
import { answer } from "../kernel/answer.ts";
import { callerOf, pathPart, resource, routesAbout, withoutBody } from "../kernel/resource.ts";
import { type RequestRouteParts, requestAnswer } from "./request.routes.ts";
import type { ReviewerService } from "./reviewer.service.ts";

/** The people who review; adding and removing the reviewers of a request, one at a time, so that two people's changes do not collide. */
export function reviewerRoutes(parts: RequestRouteParts & { reviewers: ReviewerService }): Router {
  const { host, requests, reviewers } = parts;
  const router = routesAbout("request");
  const show = requestAnswer(parts);

  async function showById(req: Request, res: Response, id: string): Promise<void> {
    await show(req, res, 200, (await requests.require(host.db, callerOf(req), id)).request);
  }

  async function list(req: Request, res: Response): Promise<void> {
    const { request } = await requests.requireReadable(host.db, callerOf(req), pathPart(req, "id"));
    const hits = await requests.reviewingPeople(host.db, callerOf(req), request);
    await answer(req, res, 200, { hits: { hits, total: hits.length } });
  }

  async function add(req: Request, res: Response): Promise<void> {
    const { request } = await requests.require(host.db, callerOf(req), pathPart(req, "id"));
    const input = { id: request.id, eventId: host.newUuid(), body: req.body as unknown };
    await showById(req, res, await reviewers.add(callerOf(req), input));
  }

  async function remove(req: Request, res: Response): Promise<void> {
    const { request } = await requests.require(host.db, callerOf(req), pathPart(req, "id"));
    const input = { id: request.id, eventId: host.newUuid(), who: pathPart(req, "who") };
    await showById(req, res, await reviewers.remove(callerOf(req), input));
  }

  // A replica does not know the members of groups.
  resource(router, "/requests/:id/reviewers", { server: ["GET"], GET: list, POST: add });
  resource(router, "/requests/:id/reviewers/:who", { DELETE: withoutBody(remove) });
  return router;
}
