import type { Router } from "express";
import { createApi } from "../../shared/api.ts";
import { createLog } from "../../shared/kernel/log.ts";
import type { RouteFacts } from "../../shared/kernel/route-facts.ts";
import type { Api } from "./api.ts";

interface Handle {
  verbs?: string[];
  facts?: RouteFacts;
}

interface Layer {
  route?: { path: string; stack: { handle: Handle }[] };
  handle?: { stack?: Layer[] };
}

interface FoundRoute extends Handle {
  path: string;
}

const walk = (layers: readonly Layer[]): FoundRoute[] =>
  layers.flatMap(({ route, handle }) =>
    route ? route.stack.map(({ handle }) => ({ ...handle, path: route.path })) : walk(handle?.stack ?? []),
  );

/** All routes of the common API, such as `GET /records/:id`; `*` stands for a method chosen by the path. */
export const listRoutes = (api: Api, routers: Router[] = []): string[] =>
  findRoutes(api, routers).flatMap(({ path, verbs = ["*"] }) => verbs.map((verb) => `${verb} ${path}`));

/** All routes of the common API with details. @param routers additional routes of one host, by full path. */
export function findRoutes(api: Api, routers: Router[] = []): FoundRoute[] {
  const { host, services } = api.server;
  const app = createApi({
    host,
    services,
    authenticate: async () => {
      throw new Error("this API is never called");
    },
    log: createLog("silent"),
    version: "0",
    secret: new Uint8Array(32),
    isHealthy: async () => true,
    routers,
  });
  return walk((app as unknown as { router: { stack: Layer[] } }).router.stack);
}
