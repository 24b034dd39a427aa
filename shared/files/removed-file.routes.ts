import type { Router } from "express";
import type { RemovedFileRow } from "../database/schema.ts";
import { answer } from "../kernel/answer.ts";
import { callerOf, pathPart, resource, routesAbout, withoutBody } from "../kernel/resource.ts";
import { isoTime } from "../kernel/timestamps.ts";
import { presentEntry } from "./file.presenter.ts";
import type { RemovedFiles } from "./removed-file.service.ts";

const presentRemoved = ({ entry, version_id, removed }: RemovedFileRow) => {
  const { key, size }: { key: string; size: number } = JSON.parse(entry);
  return { version_id, key, size, removed: isoTime(removed) };
};

/** Lists and restores files that were removed from a draft (app H2). */
export function removedFileRoutes({ removedFiles }: { removedFiles: RemovedFiles }): Router {
  const router = routesAbout("draft");
  resource(router, "/records/:id/draft/removed-files", {
    async GET(req, res) {
      const rows = await removedFiles.list(callerOf(req), pathPart(req, "id"));
      await answer(req, res, 200, { entries: rows.map(presentRemoved) });
    },
  });
  resource(router, "/records/:id/draft/removed-files/:version/restore", {
    POST: withoutBody(async (req, res) => {
      const entry = await removedFiles.restore(callerOf(req), pathPart(req, "id"), pathPart(req, "version"));
      await answer(req, res, 200, presentEntry(entry, { id: entry.owner_id, isDraft: true }));
    }),
  });
  return router;
}
