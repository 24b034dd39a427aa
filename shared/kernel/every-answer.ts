import type { Request, RequestHandler, Response, Router } from "express";
import { answer } from "./answer.ts";
import { Failure } from "./failure.ts";
import type { Host } from "./host.ts";
import { type Method, resource, routesAbout } from "./resource.ts";

/**
 * Keeps a URL with a secret (`?token=`, `?access_token=`) out of caches and `Referer` headers. Runs last, so that no
 * route can override it.
 */
function keepAddressSecret(res: Response): void {
  const writeHead = res.writeHead.bind(res);
  res.writeHead = ((...parts: Parameters<typeof writeHead>) => {
    res.setHeader("Cache-Control", "no-store");
    res.setHeader("Referrer-Policy", "no-referrer");
    return writeHead(...parts);
  }) as typeof res.writeHead;
}

/** Sets the headers of every answer (search-and-conventions 11): a request id and `nosniff`. */
export function everyAnswer(host: Host): RequestHandler {
  return (req, res, next) => {
    const sent = req.headers["x-request-id"];
    const isFit = typeof sent === "string" && /^[A-Za-z0-9._-]{1,128}$/.test(sent);
    res.setHeader("X-Request-ID", isFit ? sent : host.newUuid());
    res.setHeader("X-Content-Type-Options", "nosniff");
    if (req.query.token !== undefined || req.query.access_token !== undefined) keepAddressSecret(res);
    next();
  };
}

export interface HealthOptions {
  role: "server" | "replica";
  version: string;
  isHealthy(): Promise<boolean>;
}

/** `GET /ping` and `GET /healthz`, without credentials (search-and-conventions 11, hosts-and-sync 6). */
export function healthRoutes({ role, version, isHealthy }: HealthOptions): Router {
  const router = routesAbout("host");
  const open = (handle: Method["handle"]) => ({
    GET: { ignoresCredentials: true, produces: [], scope: "none", handle } as const,
  });
  const ping = (_req: Request, res: Response): void => {
    res.type("text/plain").send("OK");
  };
  resource(router, "/ping", { ...open(ping) });
  const health = async (req: Request, res: Response): Promise<void> => {
    if (!(await isHealthy())) throw new Failure("unavailable", "The database or the file storage cannot be written.");
    await answer(req, res, 200, { status: "ok", version, role });
  };
  resource(router, "/healthz", { ...open(health) });
  return router;
}
