import type { Request, Response, Router } from "express";
import type { UserRow } from "../database/schema.ts";
import { answer } from "../kernel/answer.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf, pathPart, type RouteEnvironment, resource, routesAbout } from "../kernel/resource.ts";
import { searchAnswer } from "../search/search-answer.presenter.ts";
import { readSearch } from "../search/search-parameters.ts";
import { presentAuditEntry } from "./audit.presenter.ts";
import { auditSearchRules } from "./audit.schema.ts";
import type { AuditService } from "./audit.service.ts";
import { isRecorded } from "./recorded-refusals.ts";

type Entry = Parameters<typeof presentAuditEntry>[0];

/** `/api/audit-logs`, for administrators. */
export function auditRoutes({ host, audit }: { host: Host; audit: AuditService }): Router {
  const router = routesAbout("library");
  const address = (): string => `${host.baseUrl}/api/audit-logs`;

  const present = (entry: Entry, actors: ReadonlyMap<string, UserRow>): Record<string, unknown> => ({
    ...presentAuditEntry(entry, entry.actor === null ? undefined : actors.get(entry.actor)),
    links: { self: `${address()}/${entry.id}` },
  });

  async function list(req: Request, res: Response): Promise<void> {
    const request = readSearch(req.query, auditSearchRules);
    const { hits, total } = await audit.search(host.db, callerOf(req), request);
    const actors = await audit.actorsOf(host.db, hits);
    const shown = hits.map((entry) => present(entry, actors));
    await answer(req, res, 200, searchAnswer({ request, rules: auditSearchRules, url: address(), hits: shown, total }));
  }

  async function one(req: Request, res: Response): Promise<void> {
    const entry = await audit.require(host.db, callerOf(req), pathPart(req, "id"));
    await answer(req, res, 200, present(entry, await audit.actorsOf(host.db, [entry])));
  }

  resource(router, "/audit-logs", { server: ["GET"], GET: list });
  resource(router, "/audit-logs/:id", { server: ["GET"], GET: one });
  return router;
}

/**
 * Records refusals that a route gives before `host.write`. Uses the route's pattern, because a path may contain
 * anything.
 */
export function auditDenied(host: Host): RouteEnvironment["onDenied"] {
  return async (req, caller, failure) => {
    if (isRecorded(failure)) return;
    const { id } = req.params;
    const route = String((req.route as { path?: unknown } | undefined)?.path ?? "");
    await host.audit(host.db, caller, {
      action: "call.refused",
      status: failure.status,
      details: { method: req.method, route },
      ...(typeof id === "string" ? { object: { type: route.split("/")[1] ?? "", id } } : {}),
    });
  };
}
