import type { DiskBlobStore } from "../../shared/blobs/disk-blob-store.ts";
import type { Db } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { type RouteStep, routeOf } from "../../shared/kernel/route-facts.ts";
import type { SyncEngine } from "../sync/engine.ts";
import { findRemovedFrom } from "./held.repository.ts";

export interface UpstreamFilesOptions {
  db: Db;
  engine: SyncEngine;
  disk: DiskBlobStore;
}

const [renamePattern, restorePattern] = [
  "/api/records/:id/draft/actions/files-rename",
  "/api/records/:id/draft/removed-files/:version/restore",
];

/**
 * Refuses at once what an InvenioRDM server cannot do with files, because its refusal would come too late (upstreams 3).
 * It renames no files. Of a removed file it keeps nothing, so only this computer or the unsent removal can bring it back.
 */
export const upstreamFiles =
  ({ db, engine, disk }: UpstreamFilesOptions): RouteStep =>
  async (req) => {
    const { pattern, about, id } = routeOf(req);
    const { name } = engine.account?.upstream ?? {};
    if (about === "draft" && req.method === "GET") engine.connection.upstream?.opened?.(id);
    if (name === undefined || req.method !== "POST") return false;
    if (pattern === renamePattern) {
      const message = `${name} cannot rename files. Add the file under its new name, then remove this one.`;
      throw new Failure("unprocessable", message);
    }
    if (pattern !== restorePattern) return false;
    const lost = await findRemovedFrom(db, String(req.params.version));
    if (!lost || lost.isUnsent || (await disk.has(lost.sha256))) return false;
    const message = `“${lost.key}” is removed from ${name}, and its content is not on this computer. Add the file again.`;
    throw new Failure("gone", message);
  };
