import type { Router } from "express";
import type { AccessService } from "../access/access.service.ts";
import type { RecordRow } from "../database/schema.ts";
import { hitsOf } from "../kernel/answer.ts";
import type { Caller } from "../kernel/caller.ts";
import { etagOf } from "../kernel/conditional-requests.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf, pathPart, resource, routesAbout, withoutBody } from "../kernel/resource.ts";
import { envelope, windowSize } from "../kernel/search-envelope.ts";
import { Slices } from "../kernel/time-slice.ts";
import type { RecordExpander } from "../records/expand.ts";
import type { RecordBody } from "../records/record.presenter.ts";
import type { RecordService } from "../records/record.service.ts";
import type { RecordBodies } from "../records/record-facts.service.ts";
import { answerRecord, answerRecordList, asRecord } from "../representations/answer-record.ts";
import type { RecordSearch } from "../search/record-search.service.ts";
import { readSearch, type SearchRequest, type SearchRules } from "../search/search-parameters.ts";
import type { VersionService } from "./version.service.ts";

export interface VersionRouteServices {
  host: Host;
  access: AccessService;
  records: RecordService;
  bodies: RecordBodies;
  expander: RecordExpander;
  versions: VersionService;
  recordSearch: RecordSearch;
}

/** The parameters of the list of versions (records 4.1). */
const versionSearch: SearchRules = {
  sorts: ["version"],
  defaultSort: "version",
  defaultSortWithQuery: "version",
  defaultSize: 25,
};

/** Versions of a record (records 4.1, 4.2). */
export function versionRoutes(services: VersionRouteServices): Router {
  const { host, access, records, bodies, expander, versions, recordSearch } = services;
  const router = routesAbout("record");

  resource(router, "/records/:id/versions", {
    GET: asRecord(async (req, res) => {
      const id = pathPart(req, "id");
      const request = readSearch(req.query, versionSearch);
      const all = await records.listVersions(host.db, callerOf(req), id);
      const matching = request.q === undefined ? undefined : await matchingVersions(callerOf(req), request, all);
      const found = matching ? all.filter(({ record }) => matching.has(record.id)) : all;
      const page = found.slice(request.offset, request.offset + request.limit);
      async function* shown(): AsyncGenerator<RecordBody> {
        const slices = new Slices();
        for (const { record, family } of page) {
          await slices.next();
          yield expander.one(req, await bodies.ofRecord(host.db, record, family));
        }
      }
      const hits = await hitsOf(page.length, shown);
      const url = `${host.baseUrl}/api/records/${id}/versions`;
      await answerRecordList(req, res, envelope({ ...request, hits, total: found.length, url, showsPage: true }));
    }),
    POST: withoutBody(
      asRecord(async (req, res) => {
        const caller = callerOf(req);
        const command = { id: await host.takeRecordId(), recordId: pathPart(req, "id") };
        const { id } = await versions.start(caller, command);
        const draft = await records.findDraft(host.db, id);
        const family = await access.requireDraft(host.db, caller, draft, "preview");
        const body = await expander.one(req, await bodies.ofDraft(host.db, draft, family));
        await answerRecord(req, res, 201, body, { etag: etagOf(draft.revision_id) });
      }),
    ),
  });

  resource(router, "/records/:id/versions/latest", {
    GET: asRecord(async (req, res) => {
      const { record, family } = await records.requireLatest(host.db, callerOf(req), pathPart(req, "id"));
      const body = await expander.one(req, await bodies.ofRecord(host.db, record, family));
      await answerRecord(req, res, 200, body, { etag: etagOf(record.revision_id), isMoving: true });
    }),
  });

  /** Ids of the versions that match the query (search 1, 5). */
  async function matchingVersions(caller: Caller, search: SearchRequest, all: readonly { record: RecordRow }[]) {
    const request = { ...search, offset: 0, limit: windowSize, booleans: new Map([["allversions", true]]) };
    const query = {
      caller,
      request,
      scope: "published",
      parentId: all[0]?.record.parent_id ?? "",
      isUncounted: true,
    } as const;
    const { page } = await recordSearch.search(host.db, query);
    return new Set(page.map(({ id }) => id));
  }

  return router;
}
