import type { Router } from "express";
import { z } from "zod";
import { answer } from "../../shared/kernel/answer.ts";
import { parse } from "../../shared/kernel/parse.ts";
import { newRouter, resource } from "../../shared/kernel/resource.ts";
import { type Door, sessionPath } from "./door.ts";

const body = z.object({ code: z.string() });

/**
 * A browser window trades its one-time code for a session (hosts-and-sync 2), and asks for the CSRF token of the one it
 * has: a window that was left before the exchange was over got the cookie and never heard of the token. A page of
 * another origin cannot read the answer: the door offers no CORS and refuses its `Origin`, the cookie is
 * `SameSite=Strict`, and what is sent as JSON with `nosniff` runs nowhere as a script.
 */
export function sessionRoutes(door: Door): Router {
  const router = newRouter();
  resource(router, sessionPath, {
    GET: async (req, res) => {
      res.setHeader("Cache-Control", "no-store");
      await answer(req, res, 200, { csrf_token: door.csrfTokenOf(req.headers) ?? null });
    },
    POST: async (req, res) => {
      const { cookie, csrfToken } = door.exchange(parse(body, req.body).code);
      res.setHeader("Set-Cookie", cookie);
      res.setHeader("Cache-Control", "no-store");
      await answer(req, res, 200, { csrf_token: csrfToken });
    },
  });
  return router;
}
