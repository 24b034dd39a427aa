import type { Router } from "express";
import type { BlobStore } from "../../shared/blobs/blob-store.ts";
import type { Db } from "../../shared/database/open.ts";
import { answer } from "../../shared/kernel/answer.ts";
import { notFound } from "../../shared/kernel/failure.ts";
import { parse } from "../../shared/kernel/parse.ts";
import { pathPart, resource, routesAbout, withoutBody } from "../../shared/kernel/resource.ts";
import { keepingSchema } from "../../shared/sync-protocol/keeping.schema.ts";
import type { Keeper } from "./keeper.ts";
import { holdsRecord } from "./storage.repository.ts";
import { freeStorage, listLargest, readStorage } from "./storage.ts";

const shownRecords = 50;

export interface StorageRoutesOptions {
  db: Db;
  /** The bytes on this computer. */
  disk: BlobStore;
  keeper: Keeper;
  /** Path of the data folder. */
  location: string;
  /** The size in bytes of the disk space reserved for a full disk. */
  reserved: () => number;
}

/**
 * Storage used on this computer, the rules for files available offline, and freeing space (hosts-and-sync 5; design, ux
 * 10).
 */
export function storageRoutes({ db, disk, keeper, location, reserved }: StorageRoutesOptions): Router {
  const router = routesAbout("sync");
  const figures = async () => ({ ...(await readStorage(db, disk)), reserved: reserved(), location });
  resource(router, "/api/sync/storage", {
    GET: async (req, res) => answer(req, res, 200, await figures()),
  });
  resource(router, "/api/sync/storage/free", {
    POST: withoutBody(async (req, res) => {
      await freeStorage(db, disk);
      await answer(req, res, 200, await figures());
    }),
  });
  resource(router, "/api/sync/storage/records", {
    GET: async (req, res) => answer(req, res, 200, { records: await listLargest(db, disk, shownRecords) }),
  });
  resource(router, "/api/sync/storage/records/:id", {
    DELETE: withoutBody(async (req, res) => {
      const id = pathPart(req, "id");
      if (!keeper.rules.records.includes(id) && !(await holdsRecord(db, id))) throw notFound();
      await keeper.release(id);
      await answer(req, res, 200, await figures());
    }),
  });
  resource(router, "/api/sync/keeping", {
    GET: async (req, res) => answer(req, res, 200, keeper.rules),
    PUT: async (req, res) => {
      await keeper.setRules(parse(keepingSchema, req.body));
      await answer(req, res, 200, keeper.rules);
    },
  });
  return router;
}
