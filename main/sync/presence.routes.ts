import type { Router } from "express";
import { z } from "zod";
import { answerNothing } from "../../shared/kernel/answer.ts";
import { parse } from "../../shared/kernel/parse.ts";
import { newRouter, pathPart, resource } from "../../shared/kernel/resource.ts";
import type { PresenceLine } from "./presence-line.ts";

const place = z.string().regex(/^[\w-]{1,64}$/);
const seat = z.object({ field: z.string().max(200).nullable() });

/** Who is at a draft: a window says that it has it open, again at least every 40 s; who else has is told by the events. */
export function presenceRoutes(presence: PresenceLine): Router {
  const router = newRouter();
  resource(router, "/api/sync/presence/:draft/:window", {
    PUT: async (req, res) => {
      const { field } = parse(seat, req.body);
      const [draft, window] = [parse(place, pathPart(req, "draft")), parse(place, pathPart(req, "window"))];
      presence.sit(draft, window, field);
      answerNothing(res);
    },
    DELETE: async (req, res) => {
      presence.leave(pathPart(req, "draft"), pathPart(req, "window"));
      answerNothing(res);
    },
  });
  return router;
}
