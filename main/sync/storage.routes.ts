import type { Router } from "express";
import type { BlobStore } from "../../shared/blobs/blob-store.ts";
import type { Db } from "../../shared/database/open.ts";
import { answer } from "../../shared/kernel/answer.ts";
import { newRouter, resource } from "../../shared/kernel/resource.ts";
import { freeStorage, readStorage } from "./storage.ts";

/** What takes room on this computer, and giving it back (hosts-and-sync 5). @param disk the bytes on this computer. */
export function storageRoutes(db: Db, disk: BlobStore): Router {
  const router = newRouter();
  resource(router, "/api/sync/storage", {
    GET: async (req, res) => answer(req, res, 200, await readStorage(db, disk)),
  });
  resource(router, "/api/sync/storage/free", {
    POST: async (req, res) => {
      await freeStorage(db, disk);
      await answer(req, res, 200, await readStorage(db, disk));
    },
  });
  return router;
}
