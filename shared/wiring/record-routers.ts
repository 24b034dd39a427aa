import type { Router } from "express";
import type { AccessService } from "../access/access.service.ts";
import { accessLinkRoutes } from "../access/access-link.routes.ts";
import { grantRoutes } from "../access/grant.routes.ts";
import { doiRoutes } from "../drafts/doi.routes.ts";
import { draftRoutes } from "../drafts/draft.routes.ts";
import type { Host } from "../kernel/host.ts";
import type { Method } from "../kernel/resource.ts";
import { newRouter } from "../kernel/resource.ts";
import { deletionRoutes } from "../records/deletion.routes.ts";
import type { RecordExpander } from "../records/expand.ts";
import { recordRoutes } from "../records/record.routes.ts";
import type { RequestService } from "../requests/request.service.ts";
import type { ReviewService } from "../requests/review.service.ts";
import type { RecordSearch } from "../search/record-search.service.ts";
import { statsQueryRoutes } from "../usage/stats-query.routes.ts";
import { versionRoutes } from "../versions/version.routes.ts";
import type { RecordServices } from "./record-services.ts";

interface RecordRouterParts extends RecordServices {
  host: Host;
  access: AccessService;
  expander: RecordExpander;
  listRecords: Method;
  reviews: ReviewService;
  requests: RequestService;
  recordSearch: RecordSearch;
}

/** Everything about records but their files and the search. */
export function recordRouters(parts: RecordRouterParts): Router {
  const router = newRouter();
  // What is asked most stands first.
  for (const routes of [recordRoutes, draftRoutes, doiRoutes, deletionRoutes]) router.use(routes(parts));
  for (const routes of [versionRoutes, accessLinkRoutes, grantRoutes, statsQueryRoutes]) router.use(routes(parts));
  return router;
}
