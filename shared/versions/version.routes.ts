import { Router } from "express";
import type { AccessService } from "../access/access.service.ts";
import { etagOf } from "../kernel/conditional-requests.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf, pathPart, resource } from "../kernel/resource.ts";
import { envelope } from "../kernel/search-envelope.ts";
import type { RecordService } from "../records/record.service.ts";
import type { RecordBodies } from "../records/record-facts.service.ts";
import { answerRecord, answerRecordList, asRecord } from "../representations/answer-record.ts";
import { readSearch, type SearchRules } from "../search/search-parameters.ts";
import type { VersionService } from "./version.service.ts";

export interface VersionRouteServices {
  host: Host;
  access: AccessService;
  records: RecordService;
  bodies: RecordBodies;
  versions: VersionService;
}

/** What the list of versions accepts (records 4.1). */
const versionSearch: SearchRules = {
  sorts: ["version"],
  defaultSort: "version",
  defaultSortWithQuery: "version",
  defaultSize: 25,
};

/** Versions of a record (records 4.1, 4.2). */
export function versionRoutes({ host, access, records, bodies, versions }: VersionRouteServices): Router {
  const router = Router();

  resource(router, "/records/:id/versions", {
    GET: asRecord(async (req, res) => {
      const id = pathPart(req, "id");
      const asked = readSearch({ page: req.query.page, size: req.query.size, sort: req.query.sort }, versionSearch);
      const found = await records.listVersions(host.db, callerOf(req), id);
      const page = found.slice(asked.offset, asked.offset + asked.limit);
      const hits = [];
      for (const { record, family } of page) hits.push(await bodies.ofRecord(host.db, record, family));
      const url = `${host.baseUrl}/api/records/${id}/versions`;
      await answerRecordList(req, res, envelope({ ...asked, hits, total: found.length, url, showsPage: true }));
    }),
    POST: asRecord(async (req, res) => {
      const caller = callerOf(req);
      const command = { id: await host.takeRecordId(), recordId: pathPart(req, "id") };
      const { id } = await versions.start(caller, command);
      const draft = await records.findDraft(host.db, id);
      const family = await access.requireDraft(host.db, caller, draft, "preview");
      const body = await bodies.ofDraft(host.db, draft, family);
      await answerRecord(req, res, 201, body, { etag: etagOf(draft.revision_id) });
    }),
  });

  resource(router, "/records/:id/versions/latest", {
    GET: asRecord(async (req, res) => {
      const { record, family } = await records.requireLatest(host.db, callerOf(req), pathPart(req, "id"));
      const body = await bodies.ofRecord(host.db, record, family);
      await answerRecord(req, res, 200, body, { etag: etagOf(record.revision_id) });
    }),
  });

  return router;
}
