import type { Router } from "express";
import { answer } from "../kernel/answer.ts";
import type { Host } from "../kernel/host.ts";
import { parse } from "../kernel/parse.ts";
import { callerOf, pathPart, resource, routesAbout } from "../kernel/resource.ts";
import { envelope } from "../kernel/search-envelope.ts";
import { presentConflict } from "./conflict.presenter.ts";
import type { ConflictService } from "./conflict.service.ts";
import { conflictChoice } from "./draft.schema.ts";

/** Lists and resolves conflicts (hosts-and-sync 5). */
export function conflictRoutes({ host, conflicts }: { host: Host; conflicts: ConflictService }): Router {
  const router = routesAbout("sync");
  resource(router, "/api/sync/conflicts", {
    GET: async (req, res) => {
      const hits = (await conflicts.list(callerOf(req))).map(({ row, theirs }) => presentConflict(row, theirs));
      const page = { hits, total: hits.length, page: 1, size: Math.max(1, hits.length), sort: "newest" };
      await answer(req, res, 200, envelope({ ...page, url: `${host.baseUrl}/api/sync/conflicts` }));
    },
  });
  resource(router, "/api/sync/conflicts/:id", {
    POST: async (req, res) => {
      const [caller, id] = [callerOf(req), pathPart(req, "id")];
      await conflicts.find(caller, id);
      const { choose } = parse(conflictChoice, req.body);
      const { row, theirs } = await conflicts.choose(caller, id, choose);
      await answer(req, res, 200, presentConflict(row, theirs));
    },
  });
  return router;
}
