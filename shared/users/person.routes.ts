import type { Router } from "express";
import { answer } from "../kernel/answer.ts";
import { callerOf, resource, routesAbout } from "../kernel/resource.ts";

/** Who calls, with the groups that decide what the app offers; `id` is null without an account. */
export function personRoutes(): Router {
  const router = routesAbout("sync");
  resource(router, "/api/sync/person", {
    GET: async (req, res) => {
      const { userId, roles } = callerOf(req);
      await answer(req, res, 200, { id: userId, groups: [...roles].sort() });
    },
  });
  return router;
}
