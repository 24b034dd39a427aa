import type { Router } from "express";
import { answer } from "../kernel/answer.ts";
import type { Host } from "../kernel/host.ts";
import { resource, routesAbout } from "../kernel/resource.ts";
import { declaredCustomFields } from "./custom-field-sets.schema.ts";

/** The declared custom fields, for forms and pages: open to everybody, like vocabularies (records 8.4). */
export function customFieldRoutes({ host }: { host: Host }): Router {
  const router = routesAbout("library");
  resource(router, "/custom-fields", {
    GET: async (req, res) => {
      const hits = declaredCustomFields(host.settings);
      await answer(req, res, 200, { hits: { hits, total: hits.length } });
    },
  });
  return router;
}
