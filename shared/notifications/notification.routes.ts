import type { Request, Response, Router } from "express";
import { answer, answerNothing } from "../kernel/answer.ts";
import { forbidden } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { parse } from "../kernel/parse.ts";
import { callerOf, resource, routesAbout } from "../kernel/resource.ts";
import { searchAnswer } from "../search/search-answer.presenter.ts";
import { readSearch, type SearchRules } from "../search/search-parameters.ts";
import { presentNotification } from "./notification.presenter.ts";
import { readBody } from "./notification.schema.ts";
import type { NotificationService } from "./notification.service.ts";

const rules: SearchRules = { sorts: ["newest"], defaultSort: "newest", defaultSize: 25 };

/** `/api/sync/notifications`, on both hosts (hosts-and-sync 5). */
export function notificationRoutes(parts: { host: Host; notifications: NotificationService }): Router {
  const { host, notifications } = parts;
  const router = routesAbout("sync");

  function personOf(req: Request): string {
    const { userId } = callerOf(req);
    if (userId === null) throw forbidden();
    return userId;
  }

  async function list(req: Request, res: Response): Promise<void> {
    const userId = personOf(req);
    const request = readSearch({ page: req.query.page, size: req.query.size }, rules);
    const rows = await notifications.list(host.db, userId, request);
    const { total, unread } = await notifications.count(host.db, userId);
    const hits = rows.map(presentNotification);
    const url = `${host.baseUrl}/api/sync/notifications`;
    await answer(req, res, 200, { ...searchAnswer({ request, rules, url, hits, total }), unread });
  }

  async function read(req: Request, res: Response): Promise<void> {
    const userId = personOf(req);
    const body = parse(readBody, req.body ?? {});
    const ids = body.ids ?? (await notifications.unreadIds(host.db, userId));
    if (ids.length > 0) await notifications.markRead(callerOf(req), { ids });
    answerNothing(res);
  }

  resource(router, "/sync/notifications", { GET: list });
  resource(router, "/sync/notifications/read", { POST: read });
  return router;
}
