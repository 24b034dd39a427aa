import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import type { Request, Response } from "express";
import type { BlobStore } from "../blobs/blob-store.ts";
import { dosTimeOf, writeZip, type ZipMember } from "../containers/zip-writer.ts";
import type { FileEntryRow } from "../database/schema.ts";
import { checkedWhileSent } from "../kernel/caller-check.ts";
import { contentDisposition, safetyHeaders } from "./content-headers.ts";
import { bytesNotReady } from "./file.lifecycle.ts";
import { openToAllOrigins, sendStream } from "./send-content.ts";

/** A text that the host wrote, as a ZIP member. */
function memberOf({ name, text }: WrittenFile): ZipMember {
  const bytes = Buffer.from(text);
  const dosTime = dosTimeOf(new Date(0));
  const size = { sizeBytes: bytes.length, compressedBytes: bytes.length };
  return { name, dosTime, method: 0, crc32: crc32(bytes), ...size, open: async () => Readable.from([bytes]) };
}

/** The files of a record as ZIP members, not compressed: most research files are compressed already. */
function* membersOf(blobs: BlobStore, { entries, first, under = "" }: ArchiveOfFiles): Generator<ZipMember> {
  if (first) yield memberOf(first);
  for (const { key, sha256, size, updated } of entries) {
    if (sha256 === null || size === null) continue;
    yield {
      name: under + key,
      dosTime: dosTimeOf(new Date(updated / 1000)),
      method: 0,
      crc32: undefined,
      sizeBytes: size,
      compressedBytes: size,
      open: () => blobs.read(sha256),
    };
  }
}

/**
 * Checks before the first byte is sent that all bytes are available: later the only way to fail is to cut the
 * connection.
 * @throws Failure 503 on a replica without a file's bytes and without the server; 403 when the server refuses them.
 */
async function assertWithinReach(blobs: BlobStore, entries: readonly FileEntryRow[]): Promise<void> {
  if (entries.some(({ owner_kind, sha256 }) => owner_kind === "record" && sha256 === null)) throw bytesNotReady();
  for (const { sha256, size } of entries) {
    if (sha256 === null || !size || (await blobs.has(sha256))) continue;
    (await blobs.read(sha256, { start: 0, end: 1 })).destroy();
    return;
  }
}

/** A file that is not stored. */
interface WrittenFile {
  name: string;
  text: string;
}

interface ArchiveOfFiles {
  id: string;
  /** Stands before the stored files. */
  first?: WrittenFile;
  /** A folder for the stored files, with its closing slash. */
  under?: string;
  /** The folder that the archive is of, with its closing slash; empty for all files. */
  folder?: string;
  entries: readonly FileEntryRow[];
  find(): Promise<unknown>;
}

/** Streams a ZIP of all completed files (records 6.5). @throws Failure 403 or 503, see `assertWithinReach`. */
export async function sendArchive(
  req: Request,
  res: Response,
  blobs: BlobStore,
  archive: ArchiveOfFiles,
): Promise<void> {
  await assertWithinReach(blobs, archive.entries);
  openToAllOrigins(req, res);
  res.setHeader("Content-Type", "application/zip");
  const { id, folder } = archive;
  const disposition = folder
    ? contentDisposition("attachment", `${folder.slice(0, -1)}.zip`)
    : `attachment; filename=${id}.zip`;
  res.setHeader("Content-Disposition", disposition);
  for (const [name, value] of Object.entries(safetyHeaders("application/zip"))) res.setHeader(name, value);
  res.status(200);
  if (req.method === "HEAD") return void res.end();
  const zip = Readable.from(writeZip(membersOf(blobs, archive)), { objectMode: false });
  await sendStream(res, zip, checkedWhileSent(req, archive.find));
}
