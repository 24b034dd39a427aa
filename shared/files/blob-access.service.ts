import type { UploadService } from "../blobs/upload.service.ts";
import type { Db } from "../database/open.ts";
import type { BlobRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Host } from "../kernel/host.ts";
import type { FileLookup } from "./file-lookup.service.ts";

/** Who may use bytes by their digest (hosts-and-sync 6). */
export interface BlobAccess {
  /** The key of the upload by which a user sends bytes. A complete upload proves that they have the bytes. */
  uploadKey(caller: Caller, sha256: string): string;
  /** The blob, if it is here and the caller sent it or may read a file with it. */
  find(caller: Caller, sha256: string): Promise<BlobRow | undefined>;
  /** As `find`, in a transaction; `uploadKeys` are further uploads of the caller. */
  findIn(db: Db, caller: Caller, sha256: string, uploadKeys?: string[]): Promise<BlobRow | undefined>;
}

/** Checks access to bytes by something other than files, such as attachments of comments. */
export type MayReadBytes = (db: Db, caller: Caller, sha256: string) => Promise<boolean>;

interface Needs {
  host: Host;
  lookup: FileLookup;
  uploads: UploadService;
  others?: MayReadBytes[];
}

export function blobAccess(options: Needs): BlobAccess {
  const { uploads } = options;
  const judges: MayReadBytes[] = [options.lookup.mayReadBytes, ...(options.others ?? [])];
  const uploadKey = (caller: Caller, sha256: string): string => `blob:${caller.userId}:${sha256}`;

  async function findIn(
    db: Db,
    caller: Caller,
    sha256: string,
    uploadKeys: string[] = [],
  ): Promise<BlobRow | undefined> {
    const blob = await uploads.findBlob(db, sha256);
    if (!blob) return undefined;
    for (const key of [uploadKey(caller, sha256), ...uploadKeys]) {
      if ((await uploads.content(db, key))?.sha256 === sha256) return blob;
    }
    for (const mayRead of judges) if (await mayRead(db, caller, sha256)) return blob;
    return undefined;
  }

  return { uploadKey, findIn, find: (caller, sha256) => findIn(options.host.db, caller, sha256) };
}
