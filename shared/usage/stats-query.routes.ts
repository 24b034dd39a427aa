import type { Router } from "express";
import { answer } from "../kernel/answer.ts";
import type { Host } from "../kernel/host.ts";
import { parse } from "../kernel/parse.ts";
import { callerOf, resource, routesAbout } from "../kernel/resource.ts";
import type { RecordService } from "../records/record.service.ts";
import { statsQueries } from "./stats-query.schema.ts";
import { statsQueryService } from "./stats-query.service.ts";
import type { UsageService } from "./usage.service.ts";

interface Parts {
  host: Host;
  records: RecordService;
  usage: UsageService;
}

/** `POST /api/stats`: reads counts, so a token that reads may ask. A replica does not know the counts of all records. */
export function statsQueryRoutes({ host, ...parts }: Parts): Router {
  const router = routesAbout("library");
  const answerAll = statsQueryService(parts);
  resource(router, "/stats", {
    server: ["POST"],
    POST: {
      scope: "read",
      async handle(req, res) {
        const queries = parse(statsQueries, req.body ?? {});
        await answer(req, res, 200, await answerAll(host.db, callerOf(req), queries));
      },
    },
  });
  return router;
}
