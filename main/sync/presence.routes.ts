import type { Router } from "express";
import { z } from "zod";
import { answerNothing } from "../../shared/kernel/answer.ts";
import { parse } from "../../shared/kernel/parse.ts";
import { pathPart, resource, routesAbout, withoutBody } from "../../shared/kernel/resource.ts";
import type { PresenceClient } from "./presence-client.ts";

const place = z.string().regex(/^[\w-]{1,64}$/);
const seat = z.object({ field: z.string().max(200).nullable() });

/** A window reports at least every 40 s that it has a draft open. Events report who else has. */
export function presenceRoutes(presence: PresenceClient): Router {
  const router = routesAbout("sync");
  resource(router, "/api/sync/presence/:draft/:window", {
    PUT: async (req, res) => {
      const { field } = parse(seat, req.body);
      const [draft, window] = [parse(place, pathPart(req, "draft")), parse(place, pathPart(req, "window"))];
      presence.join(draft, window, field);
      answerNothing(res);
    },
    DELETE: withoutBody(async (req, res) => {
      presence.leave(pathPart(req, "draft"), pathPart(req, "window"));
      answerNothing(res);
    }),
  });
  return router;
}
