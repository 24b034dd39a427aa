import type { Router } from "express";
import { z } from "zod";
import { answer } from "../../shared/kernel/answer.ts";
import { parse } from "../../shared/kernel/parse.ts";
import { resource, routesAbout } from "../../shared/kernel/resource.ts";
import { type LocalGuard, sessionPath } from "./local-guard.ts";

const body = z.object({ code: z.string() });

/**
 * Exchanges a window's one-time code for a session (hosts-and-sync 2), and returns the CSRF token of a session. A
 * window that was closed during the exchange has the cookie but no token, so it can ask again. A page of another origin cannot
 * read the answer: there is no CORS, its `Origin` is refused, the cookie is `SameSite=Strict`, and JSON with `nosniff`
 * never runs as a script.
 */
export function sessionRoutes(guard: LocalGuard): Router {
  const router = routesAbout("sync");
  resource(router, sessionPath, {
    GET: async (req, res) => {
      res.setHeader("Cache-Control", "no-store");
      await answer(req, res, 200, { csrf_token: guard.csrfTokenOf(req.headers) ?? null });
    },
    POST: async (req, res) => {
      const { cookie, csrfToken } = guard.exchange(parse(body, req.body).code);
      res.setHeader("Set-Cookie", cookie);
      res.setHeader("Cache-Control", "no-store");
      res.locals.isSecret = true;
      await answer(req, res, 200, { csrf_token: csrfToken });
    },
  });
  return router;
}
