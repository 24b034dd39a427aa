import type { Request, Response, Router } from "express";
import type { AccessService } from "../access/access.service.ts";
import { answer, answerNothing } from "../kernel/answer.ts";
import { etagOf } from "../kernel/conditional-requests.ts";
import type { Host } from "../kernel/host.ts";
import { vendorType } from "../kernel/negotiation.ts";
import { callerOf, pathPart, resource, routesAbout, withoutBody } from "../kernel/resource.ts";
import type { RecordService } from "../records/record.service.ts";
import type { RecordBodies } from "../records/record-facts.service.ts";
import type { DoiService } from "./doi.service.ts";
import { publicationDoi } from "./publication-doi.ts";

export interface DoiRouteServices {
  host: Host;
  access: AccessService;
  records: RecordService;
  bodies: RecordBodies;
  dois: DoiService;
}

/** Reserves and releases DOIs, and tells the DOI that publishing gives (records 5). */
export function doiRoutes({ host, access, records, bodies, dois }: DoiRouteServices): Router {
  const router = routesAbout("draft");

  async function answerDraft(req: Request, res: Response, status: number, id: string): Promise<void> {
    const draft = await records.findDraft(host.db, id);
    const family = await access.requireDraft(host.db, callerOf(req), draft, "preview");
    const body = await bodies.ofDraft(host.db, draft, family, { hasIsoTimes: true });
    await answer(req, res, status, body, { etag: etagOf(draft.revision_id) });
  }

  resource(router, "/records/:id/draft/pids/doi", {
    server: ["POST", "DELETE"],
    POST: withoutBody(async (req, res) => {
      const { id } = await dois.reserve(callerOf(req), { id: pathPart(req, "id") });
      await answerDraft(req, res, 201, id);
    }),
    DELETE: withoutBody(async (req, res) => {
      const id = pathPart(req, "id");
      await dois.release(callerOf(req), { id });
      // The deposit form of InvenioRDM reads the draft from this answer (interoperability 4).
      if (res.locals.produces === vendorType) await answerDraft(req, res, 200, id);
      else answerNothing(res);
    }),
  });
  resource(router, "/records/:id/draft/publication-doi", {
    async GET(req, res) {
      const draft = await records.findDraft(host.db, pathPart(req, "id"));
      await access.requireDraft(host.db, callerOf(req), draft, "preview");
      const { doi, source } = publicationDoi(draft.id, draft, host.settings);
      await answer(req, res, 200, { identifier: doi?.identifier ?? null, source });
    },
  });
  return router;
}
