import type { Router } from "express";
import { answer, answerNothing } from "../kernel/answer.ts";
import { demandedRevision, etagOf } from "../kernel/conditional-requests.ts";
import { forbidden } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { parse } from "../kernel/parse.ts";
import { callerOf, pathPart, resource, routesAbout, withoutBody } from "../kernel/resource.ts";
import { deletionInput } from "./deletion.schema.ts";
import type { DeletionService } from "./deletion.service.ts";
import type { RecordService } from "./record.service.ts";
import type { RecordBodies } from "./record-facts.service.ts";

export interface DeletionRouteServices {
  host: Host;
  records: RecordService;
  bodies: RecordBodies;
  deletion: DeletionService;
}

/** Deleting and restoring published records (records 4.7). */
export function deletionRoutes({ host, records, bodies, deletion }: DeletionRouteServices): Router {
  const router = routesAbout("record");

  resource(router, "/records/:id/delete", {
    server: ["DELETE"],
    async DELETE(req, res) {
      const caller = callerOf(req);
      const id = pathPart(req, "id");
      await deletion.requireMine(host.db, caller, id);
      const ifMatch = demandedRevision(req.headers);
      await deletion.remove(caller, { id, ...parse(deletionInput, req.body ?? {}) }, ifMatch);
      answerNothing(res);
    },
  });

  resource(router, "/records/:id/restore", {
    server: ["POST"],
    POST: withoutBody(async (req, res) => {
      const caller = callerOf(req);
      const { id } = await deletion.restore(caller, { id: pathPart(req, "id") });
      const { record, family } = await records.find(host.db, caller, id);
      await answer(req, res, 200, await bodies.ofRecord(host.db, record, family), { etag: etagOf(record.revision_id) });
    }),
  });

  /** Owners cannot request a deletion. */
  resource(router, "/records/:id/request-deletion", {
    server: ["POST"],
    POST: withoutBody(async (req) => {
      await records.find(host.db, callerOf(req), pathPart(req, "id"));
      throw forbidden();
    }),
  });

  return router;
}
