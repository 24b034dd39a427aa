import type { Router } from "express";
import { recordContainerMethods } from "../containers/container.routes.ts";
import type { ContainerService } from "../containers/container.service.ts";
import { answer } from "../kernel/answer.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf, type Methods, pathPart, resource, resourceBy, routesAbout } from "../kernel/resource.ts";
import { signpostFile } from "../representations/signposts.ts";
import { countDownload } from "../usage/count-visit.ts";
import type { UsageService } from "../usage/usage.service.ts";
import { sendArchive } from "./archive.ts";
import { presentEntry } from "./file.presenter.ts";
import { presentCollection } from "./file-collection.presenter.ts";
import type { FileLookup } from "./file-lookup.service.ts";
import { type FilePath, isContent, partsOf } from "./file-path.ts";
import { asSent, sendContent } from "./send-content.ts";

export interface RecordFileRoutesOptions {
  host: Host;
  lookup: FileLookup;
  containers: ContainerService;
  usage: UsageService;
}

/** The file endpoints of published records (records 6.5). */
export function recordFileRoutes({ host, lookup, containers, usage }: RecordFileRoutesOptions): Router {
  const router = routesAbout("record");
  const { db, blobs } = host;
  const containerMethods = recordContainerMethods({ host, lookup, containers });

  resource(router, "/records/:id/files", {
    async GET(req, res) {
      const { record } = await lookup.record(db, callerOf(req), pathPart(req, "id"));
      const entries = await lookup.entries(db, { kind: "record", id: record.id });
      await answer(req, res, 200, presentCollection(record, entries, { id: record.id, isDraft: false }));
    },
  });

  resource(router, "/records/:id/files-archive", {
    isBytes: () => true,
    GET: {
      ...{ produces: [], isForAllOrigins: true },
      async handle(req, res) {
        const find = () => lookup.record(db, callerOf(req), pathPart(req, "id"));
        const { record } = await find();
        const entries = await lookup.entries(db, { kind: "record", id: record.id });
        await sendArchive(req, res, blobs, { id: record.id, entries, find });
        const sizeBytes = entries.reduce((sum, { size }) => sum + (size ?? 0), 0);
        countDownload(usage, req, res, { recordId: record.id, count: entries.length, sizeBytes });
      },
    },
  });

  const entryMethods = (id: string, { key }: FilePath): Methods => ({
    async GET(req, res) {
      const { entry } = await lookup.recordFile(db, callerOf(req), id, key);
      await answer(req, res, 200, presentEntry(entry, { id, isDraft: false }));
    },
  });

  const contentMethods = (id: string, { key }: FilePath): Methods => ({
    GET: {
      ...{ produces: [], isForAllOrigins: true },
      async handle(req, res) {
        const find = () => lookup.recordFile(db, callerOf(req), id, key);
        const file = asSent((await find()).entry);
        signpostFile(res, host.baseUrl, id);
        await sendContent(req, res, blobs, file, find);
        countDownload(usage, req, res, { recordId: id, count: 1, sizeBytes: file.sizeBytes });
      },
    },
  });

  resourceBy(router, "/records/:id/files/*path", { about: "file", isBytes: isContent }, async (req) => {
    const id = pathPart(req, "id");
    const path = await lookup.splitRecord(db, id, partsOf(req.params.path));
    if (path.route === "entry") return entryMethods(id, path);
    if (path.route === "content") return contentMethods(id, path);
    if (path.route === "container") return containerMethods(id, path);
    return {};
  });
  return router;
}
