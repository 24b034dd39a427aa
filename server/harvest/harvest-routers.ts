import type { Router } from "express";
import type { Services } from "../../shared/api.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { collectionRoutes } from "../discovery/collection.routes.ts";
import { feedRoutes } from "../discovery/feed.routes.ts";
import { homeRoutes } from "../discovery/home.routes.ts";
import { searchRoutes } from "../discovery/search.routes.ts";
import { discoveryRoutes } from "./discovery.routes.ts";
import { harvestService } from "./harvest.service.ts";
import { oaiRoutes } from "./oai.routes.ts";
import { unapiRoutes } from "./unapi.routes.ts";

/** How visitors and machines find the public records: first page, search, feeds, harvesting (web 3, 8). */
export function harvestRouters(parts: { host: Host; services: Services; secret: Uint8Array }): Router[] {
  const harvest = harvestService(parts.host);
  return [
    homeRoutes(parts),
    searchRoutes(parts),
    collectionRoutes(parts),
    feedRoutes(parts),
    oaiRoutes({ ...parts, harvest }),
    discoveryRoutes(parts.host),
    unapiRoutes(parts),
  ];
}
