import type { Request, Response, Router } from "express";
import { hitsOf } from "../kernel/answer.ts";
import { type Caller, isManager, isSuperuser } from "../kernel/caller.ts";
import { forbidden } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { jsonType, vendorType } from "../kernel/negotiation.ts";
import { callerOf, resource, routesAbout } from "../kernel/resource.ts";
import { Slices } from "../kernel/time-slice.ts";
import type { RecordExpander } from "../records/expand.ts";
import type { RecordBody } from "../records/record.presenter.ts";
import type { RecordBodies } from "../records/record-facts.service.ts";
import { answerRecordList, asRecord } from "../representations/answer-record.ts";
import { type RecordSearch, recordSearchRules, userRecordSearchRules } from "./record-search.service.ts";
import { searchAnswer } from "./search-answer.presenter.ts";
import type { FoundDocuments, RecordScope } from "./search-index.ts";
import { readSearch, type SearchRequest, type SearchRules } from "./search-parameters.ts";

export interface RecordSearchRouteParts {
  host: Host;
  recordSearch: RecordSearch;
  bodies: RecordBodies;
  expander: RecordExpander;
}

/** How `GET /api/records` and `GET /api/user/records` answer (search 1). */
export function recordSearchHandlers({ host, recordSearch, bodies, expander }: RecordSearchRouteParts) {
  async function* bodiesOf(req: Request, page: FoundDocuments["page"]): AsyncGenerator<RecordBody> {
    const slices = new Slices();
    for await (const rows of recordSearch.rows(host.db, page))
      for await (const body of bodies.ofHits(host.db, callerOf(req), rows)) {
        await slices.next();
        yield expander.one(req, body);
      }
  }

  /** Administrators see every record, so the audit log notes each list that they export. */
  async function auditExport(
    res: Response,
    caller: Caller,
    total: number,
    { page, size }: SearchRequest,
  ): Promise<void> {
    const type: unknown = res.locals.produces;
    if (type === jsonType || type === vendorType || !(isSuperuser(caller) || isManager(caller))) return;
    await host.audit(host.db, caller, { action: "record.export", details: { type, total, page, size } });
  }

  const list = (path: string, rules: SearchRules, scope: RecordScope) => async (req: Request, res: Response) => {
    const caller = callerOf(req);
    if (scope === "editable" && caller.userId === null) throw forbidden();
    const request = readSearch(req.query, rules);
    const languages = req.headers["accept-language"];
    const search = { caller, request, scope, ...(languages === undefined ? {} : { languages }) };
    const { page, total, aggregations } = await recordSearch.search(host.db, search);
    await auditExport(res, caller, total, request);
    const hits = await hitsOf(page.length, () => bodiesOf(req, page));
    const url = `${host.baseUrl}${path}`;
    const list = { request, rules, url, hits, total, aggregations, showsPage: true };
    await answerRecordList(req, res, searchAnswer(list));
  };
  return {
    records: list("/api/records", recordSearchRules, "published"),
    userRecords: list("/api/user/records", userRecordSearchRules, "editable"),
  };
}

/** `GET /api/user/records`; `/api/records` shares its path with creating drafts. */
export function recordSearchRoutes(parts: RecordSearchRouteParts): Router {
  const router = routesAbout("library");
  resource(router, "/user/records", {
    isSearch: true,
    GET: asRecord(recordSearchHandlers(parts).userRecords),
  });
  return router;
}
