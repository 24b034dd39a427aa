import type { Router } from "express";
import { z } from "zod";
import { answerNothing } from "../kernel/answer.ts";
import type { Caller } from "../kernel/caller.ts";
import { parse } from "../kernel/parse.ts";
import { callerOf, pathPart, resource, routesAbout, withoutBody } from "../kernel/resource.ts";

/** A window of a user at a draft. */
export interface WindowAt {
  caller: Caller;
  draft: string;
  window: string;
}

/** Where windows report that they have a draft open. */
export interface Presence {
  /** @throws Failure 403, 404 where the host knows that the caller may not see the draft. */
  join(at: WindowAt, field: string | null): Promise<void> | void;
  leave(at: WindowAt): void;
}

const place = z.string().regex(/^[\w-]{1,64}$/);
const presenceBody = z.object({ field: z.string().max(200).nullable() });

/** A window reports at least every 40 s that it has a draft open. Events report who else has. */
export function presenceRoutes(presence: Presence): Router {
  const router = routesAbout("sync");
  resource(router, "/api/sync/presence/:draft/:window", {
    PUT: async (req, res) => {
      const { field } = parse(presenceBody, req.body);
      const [draft, window] = [parse(place, pathPart(req, "draft")), parse(place, pathPart(req, "window"))];
      await presence.join({ caller: callerOf(req), draft, window }, field);
      answerNothing(res);
    },
    DELETE: withoutBody(async (req, res) => {
      presence.leave({ caller: callerOf(req), draft: pathPart(req, "draft"), window: pathPart(req, "window") });
      answerNothing(res);
    }),
  });
  return router;
}
