import type { Request, RequestHandler, Response, Router } from "express";
import { answer } from "./answer.ts";
import { Failure } from "./failure.ts";
import type { Host } from "./host.ts";
import { type Method, newRouter, resource } from "./resource.ts";

/** Headers of every answer (search-and-conventions 11): a request id and no guessing of types. */
export function everyAnswer(host: Host): RequestHandler {
  return (req, res, next) => {
    const sent = req.headers["x-request-id"];
    const isFit = typeof sent === "string" && /^[A-Za-z0-9._-]{1,128}$/.test(sent);
    res.setHeader("X-Request-ID", isFit ? sent : host.newUuid());
    res.setHeader("X-Content-Type-Options", "nosniff");
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
  const router = newRouter();
  const open = (handle: Method["handle"]) => ({ GET: { isOpen: true, produces: [], scope: "none", handle } as const });
  const ping = (_req: Request, res: Response): void => {
    res.type("text/plain").send("OK");
  };
  resource(router, "/ping", open(ping));
  const health = async (req: Request, res: Response): Promise<void> => {
    if (!(await isHealthy())) throw new Failure("unavailable", "The database or the file storage cannot be written.");
    await answer(req, res, 200, { status: "ok", version, role });
  };
  resource(router, "/healthz", open(health));
  return router;
}
