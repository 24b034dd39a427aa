import type { Router } from "express";
import type { Services } from "../../shared/api.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { feedRoutes } from "../discovery/feed.routes.ts";
import { discoveryRoutes } from "./discovery.routes.ts";
import { harvestService } from "./harvest.service.ts";
import { oaiRoutes } from "./oai.routes.ts";
import { unapiRoutes } from "./unapi.routes.ts";

/** What machines need to find and harvest the public records (web 8). */
export function harvestRouters(parts: { host: Host; services: Services; secret: Uint8Array }): Router[] {
  const harvest = harvestService(parts.host);
  return [oaiRoutes({ ...parts, harvest }), discoveryRoutes(parts.host), feedRoutes(parts), unapiRoutes(parts)];
}
