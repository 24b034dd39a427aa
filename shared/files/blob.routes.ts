import type { Request, Response, Router } from "express";
import type { UploadStart } from "../blobs/storage-meters.ts";
import type { StorageQuotaService } from "../blobs/storage-quota.service.ts";
import type { UploadService } from "../blobs/upload.service.ts";
import {
  answerUploadState,
  assertUploadType,
  patchUpload,
  putUpload,
  type UploadCall,
} from "../blobs/upload-protocol.ts";
import { answer } from "../kernel/answer.ts";
import { Failure, forbidden, notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf, pathPart, resource, routesAbout } from "../kernel/resource.ts";
import type { BlobAccess } from "./blob-access.service.ts";
import { fileTooLarge } from "./file.lifecycle.ts";
import { sendContent } from "./send-content.ts";

interface Needs {
  host: Host;
  uploads: UploadService;
  blobAccess: BlobAccess;
  quota: StorageQuotaService;
}

function digestOf(req: Request): string {
  const sha256 = pathPart(req, "sha256");
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw notFound();
  return sha256;
}

/**
 * Bytes by digest, for replicas: uploaded by the protocol of file contents (records 6.4.1), read with `Range`. Only for
 * callers who may read a file with these bytes, or who sent them (hosts-and-sync 6).
 */
export function blobRoutes({ host, uploads, blobAccess, quota }: Needs): Router {
  const router = routesAbout("sync");

  const uploadCall = (req: Request, res: Response): UploadCall => {
    assertUploadType(req);
    const caller = callerOf(req);
    if (caller.userId === null) throw forbidden();
    const sha256 = digestOf(req);
    const target = {
      key: blobAccess.uploadKey(caller, sha256),
      maxBytes: host.settings.max_file_bytes,
      tooLarge: () => new Failure("too_large", fileTooLarge().message),
      expected: { sha256 },
      openMeter: (bytes: number, at: UploadStart) => quota.open(String(caller.userId), bytes, at),
    };
    const answerComplete: UploadCall["answerComplete"] = ({ md5, sizeBytes }) =>
      answer(req, res, 200, { sha256, md5, size: sizeBytes });
    return { uploads, target, answerComplete };
  };

  async function send(req: Request, res: Response): Promise<void> {
    const find = async () => {
      const found = await blobAccess.find(callerOf(req), digestOf(req));
      if (!found) throw notFound();
      return found;
    };
    const blob = await find();
    const { sha256, md5, size, created } = blob;
    const mimetype = "application/octet-stream";
    const file = { key: sha256, sha256, md5, sizeBytes: size, mimetype, updated: created };
    await sendContent(req, res, host.blobs, file, find);
  }

  /** The offset of an upload. Bytes that are here already count as sent. */
  async function head(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    if (caller.userId === null) throw forbidden();
    const sha256 = digestOf(req);
    const blob = await blobAccess.find(caller, sha256);
    const state = blob
      ? { offset: blob.size, isComplete: true, length: blob.size }
      : await uploads.state(blobAccess.uploadKey(caller, sha256));
    answerUploadState(res, state, host.settings.max_file_bytes);
  }

  resource(router, "/sync/blobs/:sha256", {
    GET: { produces: [], handle: send },
    HEAD: { produces: [], handle: head },
    PUT: { consumes: "stream", handle: (req, res) => putUpload(req, res, uploadCall(req, res)) },
    PATCH: { consumes: "stream", handle: (req, res) => patchUpload(req, res, uploadCall(req, res)) },
  });
  return router;
}
