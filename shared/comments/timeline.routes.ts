import type { Request, Response, Router } from "express";
import { answer } from "../kernel/answer.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf, pathPart, resource, routesAbout } from "../kernel/resource.ts";
import { listUrl } from "../kernel/search-envelope.ts";
import { wantsExpanded } from "../requests/request.routes.ts";
import type { Reached, RequestService } from "../requests/request.service.ts";
import { searchAnswer } from "../search/search-answer.presenter.ts";
import { readSearch, type SearchRequest } from "../search/search-parameters.ts";
import type { CommentService } from "./comment.service.ts";
import type { TimelineService } from "./timeline.service.ts";
import { timelineRules } from "./timeline-search.ts";

export interface TimelineRouteParts {
  host: Host;
  requests: RequestService;
  comments: CommentService;
  timelines: TimelineService;
}

/** A conversation, or the replies to one comment, with the URL of the list. */
interface Place {
  reached: Reached;
  parentId: string | null;
  url: string;
}

/** Pages of a conversation (requests 8). */
function pages({ timelines }: Pick<TimelineRouteParts, "timelines">) {
  async function page(
    req: Request,
    { reached, parentId, url }: Place,
    request: SearchRequest,
  ): Promise<Record<string, unknown>> {
    const { hits, total } = await timelines.search(reached, parentId, request);
    const view = { caller: callerOf(req), reached, expand: wantsExpanded(req) };
    const isTimeline = parentId === null;
    const bodies = isTimeline ? await timelines.presentThreads(hits, view) : await timelines.present(hits, view);
    return searchAnswer({ request, rules: timelineRules, url, hits: bodies, total, showsPage: true });
  }

  /** The page that contains an event. Uses its own order and size, and ignores other parameters. */
  async function focusedPage(req: Request, place: Place, order: "oldest" | "newest"): Promise<Record<string, unknown>> {
    const { size } = readSearch({ size: req.query.size }, timelineRules);
    const eventId = typeof req.query.focus_event_id === "string" ? req.query.focus_event_id : undefined;
    const number = await timelines.pageWith(place.reached, place.parentId, { eventId, size, order });
    const request = readSearch({ size: String(size), page: String(number), sort: order }, timelineRules);
    const body = await page(req, place, request);
    const own: [string, string][] = eventId === undefined ? [] : [["focus_event_id", eventId]];
    const shown: [string, string][] = [...own, ["page", String(number)], ["size", String(size)], ["sort", order]];
    const self = listUrl(`${place.url}_focused`, shown);
    return { ...body, links: { ...(body.links as Record<string, string>), self } };
  }

  return { page, focusedPage };
}

/** Timelines and replies (requests 7, 8). */
export function timelineRoutes(parts: TimelineRouteParts): Router {
  const { host, requests, comments } = parts;
  const router = routesAbout("request");
  const { page, focusedPage } = pages(parts);

  async function timelineOf(req: Request): Promise<Place> {
    const reached = await requests.requireReadable(host.db, callerOf(req), pathPart(req, "id"));
    return { reached, parentId: null, url: `${host.baseUrl}/api/requests/${reached.request.id}/timeline` };
  }

  async function repliesOf(req: Request): Promise<Place> {
    const caller = callerOf(req);
    const reached = await comments.requireReadable(host.db, caller, pathPart(req, "id"), pathPart(req, "cid"));
    const parentId = reached.event.id;
    const url = `${host.baseUrl}/api/requests/${reached.request.id}/comments/${parentId}/replies`;
    return { reached, parentId, url };
  }

  const whole =
    (place: (req: Request) => Promise<Place>) =>
    async (req: Request, res: Response): Promise<void> => {
      const found = await place(req);
      await answer(req, res, 200, await page(req, found, readSearch(req.query, timelineRules)));
    };
  const focused =
    (place: (req: Request) => Promise<Place>, order: "oldest" | "newest") =>
    async (req: Request, res: Response): Promise<void> =>
      answer(req, res, 200, await focusedPage(req, await place(req), order));

  resource(router, "/requests/:id/timeline", { GET: whole(timelineOf) });
  resource(router, "/requests/:id/timeline_focused", { GET: focused(timelineOf, "oldest") });
  resource(router, "/requests/:id/comments/:cid/replies", { GET: whole(repliesOf) });
  resource(router, "/requests/:id/comments/:cid/replies_focused", {
    GET: focused(repliesOf, "newest"),
  });
  return router;
}
