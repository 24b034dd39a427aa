import type { Request, Response, Router } from "express";
import type { EventRow } from "../database/schema.ts";
import { answer, answerNothing } from "../kernel/answer.ts";
import { demandedRevision, etagOf } from "../kernel/conditional-requests.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf, pathPart, resource, routesAbout, withoutBody } from "../kernel/resource.ts";
import { wantsExpanded } from "../requests/request.routes.ts";
import type { Reached } from "../requests/request.service.ts";
import type { CommentService } from "./comment.service.ts";
import type { ResolutionService } from "./comment-resolution.service.ts";
import type { TimelineService } from "./timeline.service.ts";

export interface CommentRouteParts {
  host: Host;
  comments: CommentService;
  resolutions: ResolutionService;
  timelines: TimelineService;
}

/** Comments and replies (requests 7). */
export function commentRoutes({ host, comments, resolutions, timelines }: CommentRouteParts): Router {
  const router = routesAbout("request");
  const eventBy = (req: Request) =>
    comments.requireReadable(host.db, callerOf(req), pathPart(req, "id"), pathPart(req, "cid"));

  async function show(req: Request, res: Response, status: number, reached: Reached & { event: EventRow }) {
    const view = { caller: callerOf(req), reached, expand: wantsExpanded(req) };
    const [body] = await timelines.present([reached.event], view);
    await answer(req, res, status, body, { etag: etagOf(reached.event.revision_id) });
  }

  async function create(req: Request, res: Response, parentId: string | null): Promise<void> {
    const input = { id: host.newUuid(), requestId: pathPart(req, "id"), parentId, body: req.body as unknown };
    const id = await comments.create(callerOf(req), input);
    await show(req, res, 201, await comments.requireReadable(host.db, callerOf(req), input.requestId, id));
  }

  async function update(req: Request, res: Response): Promise<void> {
    const revision = demandedRevision(req.headers);
    const input = { id: pathPart(req, "cid"), requestId: pathPart(req, "id"), revision, body: req.body as unknown };
    await comments.update(callerOf(req), input);
    await show(req, res, 200, await eventBy(req));
  }

  async function remove(req: Request, res: Response): Promise<void> {
    const revision = demandedRevision(req.headers);
    await comments.remove(callerOf(req), { id: pathPart(req, "cid"), requestId: pathPart(req, "id"), revision });
    answerNothing(res);
  }

  const resolve = (isResolved: boolean) => async (req: Request, res: Response) => {
    await resolutions.resolve(callerOf(req), { id: pathPart(req, "cid"), requestId: pathPart(req, "id"), isResolved });
    await show(req, res, 200, await eventBy(req));
  };

  const comment = "/requests/:id/comments/:cid";
  resource(router, "/requests/:id/comments", { POST: (req, res) => create(req, res, null) });
  resource(router, comment, {
    GET: async (req, res) => show(req, res, 200, await eventBy(req)),
    PUT: update,
    DELETE: withoutBody(remove),
  });
  resource(router, `${comment}/reply`, {
    POST: (req, res) => create(req, res, pathPart(req, "cid")),
  });
  resource(router, `${comment}/resolve`, { POST: withoutBody(resolve(true)) });
  resource(router, `${comment}/reopen`, { POST: withoutBody(resolve(false)) });
  return router;
}
