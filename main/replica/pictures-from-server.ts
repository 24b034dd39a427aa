import type { DiskBlobStore } from "../../shared/blobs/disk-blob-store.ts";
import type { Db } from "../../shared/database/open.ts";
import { type RouteStep, routeOf } from "../../shared/kernel/route-facts.ts";
import { type Forwarding, forwardAny } from "./forward.ts";
import { findPictureBytes } from "./held.repository.ts";

export interface PicturesFromServerOptions extends Forwarding {
  db: Db;
  disk: DiskBlobStore;
}

/** Forwards a call for a picture whose file is not on this computer: a thumbnail is smaller than its file. */
export const picturesFromServer = (options: PicturesFromServerOptions): RouteStep => {
  const { db, engine, disk } = options;
  return async (req, res) => {
    const picture = routeOf(req).facts.picture?.(req);
    if (!picture || !engine.isOnline()) return false;
    const sha256 = await findPictureBytes(db, picture);
    if (sha256 === undefined || (await disk.has(sha256))) return false;
    return forwardAny(options, req, res);
  };
};
