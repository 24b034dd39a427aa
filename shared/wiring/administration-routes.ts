import type { Router } from "express";
import { deskRoutes } from "../administration/desk.routes.ts";
import type { OverviewParts } from "../administration/overview.service.ts";
import { type PersonRouteParts, personRoutes } from "../administration/person.routes.ts";
import { type RemovedRecordRouteParts, removedRecordRoutes } from "../administration/removed-record.routes.ts";
import { newRouter } from "../kernel/resource.ts";

/** `/api/administration`. */
export function administrationRoutes(parts: PersonRouteParts & OverviewParts & RemovedRecordRouteParts): Router {
  const router = newRouter();
  router.use(personRoutes(parts), deskRoutes(parts), removedRecordRoutes(parts));
  return router;
}
