import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import type { BlobStore } from "../blobs/blob-store.ts";
import { BlobStream } from "../blobs/blob-stream.ts";
import { ContainerProblem } from "../containers/range-source.ts";
import type { FileEntryRow } from "../database/schema.ts";
import { isOn } from "../kernel/booleans.ts";
import { isPublicReader } from "../kernel/caller.ts";
import { checkedWhileSent, type PartCheck } from "../kernel/caller-check.ts";
import { isNotModified, isUnchangedSince } from "../kernel/conditional-requests.ts";
import { contentRange, requestedRange } from "../kernel/ranges.ts";
import { callerOf } from "../kernel/resource.ts";
import { contentHeaders, etagOf, guessType, type ServedFile } from "./content-headers.ts";
import { bytesNotReady } from "./file.lifecycle.ts";

function setHeaders(res: Response, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}

/**
 * What an anonymous caller may read is public: pages of every origin may read it, without credentials. Caches ask each
 * time, so that a file that becomes restricted vanishes at once.
 */
export function openToAllOrigins(req: Request, res: Response): void {
  if (!isPublicReader(callerOf(req))) return;
  res.setHeader("Cache-Control", "public, no-cache");
  if (res.hasHeader("Access-Control-Allow-Origin")) return;
  setHeaders(res, {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "Accept-Ranges, Content-Disposition, Content-Range, ETag",
  });
}

async function* checkedParts(source: AsyncIterable<Buffer>, check: PartCheck): AsyncGenerator<Buffer> {
  for await (const part of source) {
    await check(part.length);
    yield part;
  }
}

/**
 * Sends a stream. It stops when the client disconnects. A damaged archive, or a `check` that fails, cuts the
 * connection.
 */
export async function sendStream(res: Response, stream: Readable, check: PartCheck): Promise<void> {
  try {
    if (stream instanceof BlobStream) await stream.sendTo(res, check);
    else await pipeline(stream, (source) => checkedParts(source, check), res);
  } catch (error) {
    const isDisconnect = error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
    if (!isDisconnect && !(error instanceof ContainerProblem)) throw error;
  }
}

export interface SentFile extends ServedFile {
  sha256: string;
}

/**
 * Answers GET or HEAD of a file's bytes (records 6.7): 200, 206, or 304.
 * @param find repeats the look-up that checked access: a long download ends when the caller loses access.
 * @throws Failure 416; `unavailable` when the bytes are not on this computer.
 */
export async function sendContent(
  req: Request,
  res: Response,
  blobs: BlobStore,
  file: SentFile,
  find: () => Promise<unknown>,
): Promise<void> {
  const etag = etagOf(file.md5);
  const headers = contentHeaders(file, isOn(req.query.download));
  const { "if-none-match": known, "if-modified-since": since } = req.headers;
  openToAllOrigins(req, res);
  if (known === undefined ? isUnchangedSince(since, file.updated / 1000) : isNotModified(known, etag)) {
    const { "Content-Length": _length, ...rest } = headers;
    setHeaders(res, rest);
    res.status(304).end();
    return;
  }
  const ifRange = req.headers["if-range"];
  const conditions = { range: req.headers.range, ifRange: typeof ifRange === "string" ? ifRange : undefined };
  const range = requestedRange(conditions, { sizeBytes: file.sizeBytes, etag });
  setHeaders(res, headers);
  if (range) {
    res.setHeader("Content-Range", contentRange(range, file.sizeBytes));
    res.setHeader("Content-Length", String(range.end - range.start));
  }
  res.status(range ? 206 : 200);
  if (req.method !== "HEAD") {
    return sendStream(res, await blobs.read(file.sha256, range), checkedWhileSent(req, find));
  }
  // Reading one byte shows whether GET would find them.
  if (file.sizeBytes > 0) await blobs.readBytes(file.sha256, { start: 0, end: 1 });
  res.end();
}

/** A completed entry as it is sent. @throws Failure 503 without bytes */
export function asSent(entry: FileEntryRow): SentFile {
  const { key, sha256, md5, size, mimetype, updated } = entry;
  if (sha256 === null || md5 === null || size === null) throw bytesNotReady();
  return { key, sha256, md5, sizeBytes: size, mimetype: mimetype ?? guessType(key), updated };
}
