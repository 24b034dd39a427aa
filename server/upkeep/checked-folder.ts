import { rm, stat } from "node:fs/promises";
import path from "node:path";
import { blobFile, listBlobFiles, listUploadFiles, sha256OfFile, sizeOfFile } from "./blob-files.ts";
import type { CheckedBytes, Leftover } from "./checked-bytes.ts";

const unusedMs = 3_600_000;

async function leftover(file: string, what: string): Promise<Leftover> {
  const isOld = Date.now() - (await stat(file)).mtimeMs > unusedMs;
  return { what, isOld, remove: () => rm(file, { force: true }) };
}

/** The bytes in the folder of a host. */
export const checkedFolder = (folder: string): CheckedBytes => ({
  sizeOf: (sha256) => sizeOfFile(blobFile(folder, sha256)),
  digestOf: (sha256) => sha256OfFile(blobFile(folder, sha256)),
  async *listLeftovers(referred, uploads) {
    for await (const sha256 of listBlobFiles(folder)) {
      if (!referred.has(sha256)) yield await leftover(blobFile(folder, sha256), `the blob ${sha256}`);
    }
    for (const name of await listUploadFiles(folder)) {
      if (!uploads.has(name)) yield await leftover(path.join(folder, "uploads", name), `the upload ${name}`);
    }
  },
});
