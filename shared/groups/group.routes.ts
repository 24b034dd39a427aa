import type { Request, Response, Router } from "express";
import { answer, answerNothing } from "../kernel/answer.ts";
import { demandedRevision, etagOf } from "../kernel/conditional-requests.ts";
import { forbidden } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf, pathPart, resource, routesAbout, withoutBody } from "../kernel/resource.ts";
import { searchAnswer } from "../search/search-answer.presenter.ts";
import { readSearch } from "../search/search-parameters.ts";
import { drawAvatar } from "../users/avatar.presenter.ts";
import { answerAvatar } from "../users/avatar-answer.ts";
import { mayReadGroup } from "./group.policy.ts";
import { presentGroup } from "./group.presenter.ts";
import type { GroupService } from "./group.service.ts";
import { groupSearchRules, searchGroups } from "./group-search.ts";

/** `/api/groups` (requests 11). */
export function groupRoutes({ host, groups }: { host: Host; groups: GroupService }): Router {
  const router = routesAbout("group");

  async function list(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    if (caller.userId === null) throw forbidden();
    const request = readSearch(req.query, groupSearchRules);
    const readable = (await groups.list(host.db)).filter((group) => mayReadGroup(caller, group));
    const { hits, total, aggregations } = await searchGroups(readable, request, host.now());
    const body = searchAnswer({
      ...{ request, rules: groupSearchRules, total, aggregations },
      hits: hits.map((group) => presentGroup(group, host.baseUrl)),
      url: `${host.baseUrl}/api/groups`,
    });
    await answer(req, res, 200, body);
  }

  async function show(req: Request, res: Response, status: number, name: string): Promise<void> {
    const group = await groups.requireReadable(host.db, callerOf(req), name);
    await answer(req, res, status, presentGroup(group, host.baseUrl), { etag: etagOf(group.revision_id) });
  }

  async function remove(req: Request, res: Response): Promise<void> {
    await groups.remove(callerOf(req), { name: pathPart(req, "id") }, demandedRevision(req.headers));
    answerNothing(res);
  }

  async function avatar(req: Request, res: Response): Promise<void> {
    const group = await groups.requireReadable(host.db, callerOf(req), pathPart(req, "id"));
    await answerAvatar(req, res, drawAvatar(group.name, group.name));
  }

  resource(router, "/groups", {
    about: "library",
    isSearch: true,
    server: ["POST"],
    GET: list,
    POST: async (req, res) => show(req, res, 201, await groups.create(callerOf(req), { body: req.body as unknown })),
  });
  resource(router, "/groups/:id", {
    server: ["PUT", "DELETE"],
    GET: (req, res) => show(req, res, 200, pathPart(req, "id")),
    PUT: async (req, res) => {
      const input = { name: pathPart(req, "id"), body: req.body as unknown };
      const ifMatch = demandedRevision(req.headers);
      await show(req, res, 200, await groups.update(callerOf(req), input, ifMatch));
    },
    DELETE: withoutBody(remove),
  });
  resource(router, "/groups/:id/avatar.svg", { isAvatar: true, GET: { handle: avatar, produces: [] } });
  return router;
}
