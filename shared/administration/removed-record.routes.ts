import type { Request, Response, Router } from "express";
import { answer } from "../kernel/answer.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf, resource, routesAbout } from "../kernel/resource.ts";
import { searchAnswer } from "../search/search-answer.presenter.ts";
import { readSearch } from "../search/search-parameters.ts";
import { assertAdministrator } from "./person.service.ts";
import type { RemovedRecordService } from "./removed-record.service.ts";
import { removedRecordRules } from "./removed-record-rules.ts";

export interface RemovedRecordRouteParts {
  host: Host;
  removedRecords: RemovedRecordService;
}

/** `/api/administration/removed-records`: what administrators may restore (records 4.7). */
export function removedRecordRoutes({ host, removedRecords }: RemovedRecordRouteParts): Router {
  const router = routesAbout("library");

  async function list(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    assertAdministrator(caller);
    const request = readSearch(req.query, removedRecordRules);
    const { hits, total } = await removedRecords.list(caller, request);
    const shown = hits.map(({ id, expanded, tombstone, owner_id }) => ({
      id,
      title: String(JSON.parse(expanded).title ?? ""),
      owner: owner_id,
      tombstone: JSON.parse(tombstone ?? "{}") as unknown,
      links: { self: `${host.baseUrl}/api/records/${id}`, restore: `${host.baseUrl}/api/records/${id}/restore` },
    }));
    const url = `${host.baseUrl}/api/administration/removed-records`;
    await answer(req, res, 200, searchAnswer({ request, rules: removedRecordRules, url, hits: shown, total }));
  }

  resource(router, "/administration/removed-records", { server: ["GET"], GET: list });
  return router;
}
