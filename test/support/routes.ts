import { createApi } from "../../shared/api.ts";
import { createLog } from "../../shared/kernel/log.ts";
import type { Api } from "./api.ts";

interface Layer {
  route?: { path: string; stack: { handle: { verbs?: string[] } }[] };
  handle?: { stack?: Layer[] };
}

function walk(layers: readonly Layer[]): string[] {
  return layers.flatMap(({ route, handle }) => {
    if (!route) return walk(handle?.stack ?? []);
    const verbs = route.stack.flatMap((layer) => layer.handle.verbs ?? ["*"]);
    return verbs.map((verb) => `${verb} ${route.path}`);
  });
}

/** Every route of the common API as `GET /records/:id`; `*` stands for a method chosen by the path. */
export function listRoutes(api: Api): string[] {
  const { host, services } = api.server;
  const app = createApi({
    host,
    services,
    authenticate: async () => {
      throw new Error("this API is never called");
    },
    log: createLog("silent"),
    version: "0",
    processId: "test",
    isHealthy: async () => true,
  });
  return walk((app as unknown as { router: { stack: Layer[] } }).router.stack);
}
