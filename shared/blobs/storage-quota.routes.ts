import type { Request, Response, Router } from "express";
import { answer } from "../kernel/answer.ts";
import { forbidden } from "../kernel/failure.ts";
import { callerOf, resource, routesAbout } from "../kernel/resource.ts";
import type { StorageQuotaService } from "./storage-quota.service.ts";

/** `GET /api/user/storage`: the caller's storage on the server, and their quota (findings, security 8). */
export function storageQuotaRoutes({ quota }: { quota: StorageQuotaService }): Router {
  const router = routesAbout("library");

  async function usage(req: Request, res: Response): Promise<void> {
    const { userId } = callerOf(req);
    if (userId === null) throw forbidden();
    await answer(req, res, 200, await quota.usageOf(userId));
  }

  resource(router, "/user/storage", { server: ["GET"], GET: usage });
  return router;
}
