import { Readable } from "node:stream";
import type { Response } from "express";
import type { BlobStore } from "../blobs/blob-store.ts";
import { dosTimeOf, writeZip, type ZipMember } from "../containers/zip-writer.ts";
import type { FileEntryRow } from "../database/schema.ts";
import { safetyHeaders } from "./content-headers.ts";
import { sendStream } from "./send-content.ts";

/** The files of a record as members: stored, since most research files are packed already. */
function* membersOf(blobs: BlobStore, entries: readonly FileEntryRow[]): Generator<ZipMember> {
  for (const { key, sha256, size, updated } of entries) {
    if (sha256 === null || size === null) continue;
    yield {
      name: key,
      dosTime: dosTimeOf(new Date(updated / 1000)),
      method: 0,
      crc32: undefined,
      sizeBytes: size,
      compressedBytes: size,
      open: () => blobs.read(sha256),
    };
  }
}

/** Streams a ZIP of all completed files (records 6.5). */
export async function sendArchive(
  res: Response,
  blobs: BlobStore,
  archive: { id: string; entries: readonly FileEntryRow[]; isHead: boolean },
): Promise<void> {
  res.setHeader("Content-Type", "application/zip");
  res.setHeader("Content-Disposition", `attachment; filename=${archive.id}.zip`);
  for (const [name, value] of Object.entries(safetyHeaders("application/zip"))) res.setHeader(name, value);
  res.status(200);
  if (archive.isHead) res.end();
  else await sendStream(res, Readable.from(writeZip(membersOf(blobs, archive.entries)), { objectMode: false }));
}
