import { Router } from "express";
import { z } from "zod";
import { answer } from "../../shared/kernel/answer.ts";
import { parse } from "../../shared/kernel/parse.ts";
import { resource } from "../../shared/kernel/resource.ts";
import type { Door } from "./door.ts";

const body = z.object({ code: z.string() });

/** A browser window trades its one-time code for a session (hosts-and-sync 2). */
export function sessionRoutes(door: Door): Router {
  const router = Router();
  resource(router, "/api/sync/session", {
    POST: async (req, res) => {
      const { cookie, csrfToken } = door.exchange(parse(body, req.body).code);
      res.setHeader("Set-Cookie", cookie);
      await answer(req, res, 200, { csrf_token: csrfToken });
    },
  });
  return router;
}
