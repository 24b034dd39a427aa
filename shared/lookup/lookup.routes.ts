import type { Request, Router } from "express";
import { z } from "zod";
import { answer } from "../kernel/answer.ts";
import { forbidden, notFound } from "../kernel/failure.ts";
import { parse } from "../kernel/parse.ts";
import { callerOf, pathPart, resource, routesAbout } from "../kernel/resource.ts";
import { lookupKinds } from "./lookup.schema.ts";
import type { LookupService } from "./lookup.service.ts";

const kindOf = z.enum(lookupKinds);
const query = z.looseObject({ id: z.string().min(1).max(1000) });

/** `GET /api/lookup` and `GET /api/lookup/{kind}?id=…`: the server fetches, so replicas forward. */
export function lookupRoutes({ identifierLookup }: { identifierLookup: LookupService }): Router {
  const router = routesAbout("library");
  const requireUser = (req: Request): string => {
    const { userId } = callerOf(req);
    if (userId === null) throw forbidden();
    return userId;
  };
  resource(router, "/lookup", {
    server: ["GET"],
    GET: async (req, res) => {
      requireUser(req);
      await answer(req, res, 200, { kinds: identifierLookup.kinds() });
    },
  });
  resource(router, "/lookup/:kind", {
    server: ["GET"],
    GET: async (req, res) => {
      const userId = requireUser(req);
      const kind = kindOf.safeParse(pathPart(req, "kind"));
      if (!kind.success) throw notFound();
      const { id } = parse(query, req.query);
      await answer(req, res, 200, { kind: kind.data, found: await identifierLookup.find(userId, kind.data, id) });
    },
  });
  return router;
}
