import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Request, Response } from "express";
import { isNotModified } from "./conditional-requests.ts";
import { jsonType } from "./negotiation.ts";

const compress = promisify(gzip);
const compressFromBytes = 1024;

const acceptsGzip = (req: Request): boolean => /\bgzip\b/.test(String(req.headers["accept-encoding"] ?? ""));

export interface AnswerOptions {
  /** `ETag` of the resource; a GET or HEAD that knows it already is answered 304. */
  etag?: string;
  headers?: Record<string, string>;
}

const sortKeys = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

function serialise(req: Request, body: unknown): string {
  const pretty = req.query.prettyprint;
  return pretty === undefined || pretty === "0" ? JSON.stringify(body) : JSON.stringify(body, sortKeys, 2);
}

/** Writes JSON in the type that was negotiated, with ETag, 304 and compression. */
export async function answer(
  req: Request,
  res: Response,
  status: number,
  body: unknown,
  options: AnswerOptions = {},
): Promise<void> {
  for (const [name, value] of Object.entries(options.headers ?? {})) res.setHeader(name, value);
  if (options.etag !== undefined) {
    res.setHeader("ETag", options.etag);
    const isRead = req.method === "GET" || req.method === "HEAD";
    if (isRead && status === 200 && isNotModified(req.headers["if-none-match"], options.etag)) {
      res.status(304).end();
      return;
    }
  }
  await answerText(req, res, status, res.locals.produces ?? jsonType, serialise(req, body));
}

/** Writes a text of any type, compressed when the client accepts it and it is worth it. */
export async function answerText(
  req: Request,
  res: Response,
  status: number,
  type: string,
  text: string,
): Promise<void> {
  res.status(status);
  res.setHeader("Content-Type", type);
  res.vary("Accept-Encoding");
  let bytes: Buffer = Buffer.from(text);
  if (bytes.length >= compressFromBytes && acceptsGzip(req)) {
    bytes = await compress(bytes, { level: 4 });
    res.setHeader("Content-Encoding", "gzip");
  }
  res.setHeader("Content-Length", bytes.length);
  res.end(bytes);
}

/** 204 without a body. */
export function answerNothing(res: Response): void {
  res.status(204).end();
}

/** A JSON answer that was written before. */
export interface PreparedAnswer {
  etag: string;
  /** As text, since Node sends text together with the headers in one write. */
  text: string;
  sizeBytes: number;
  zipped: Buffer;
}

/** Sends a prepared answer to a GET or HEAD: 200, or 304 to who knows it. */
export function answerPrepared(req: Request, res: Response, { etag, text, sizeBytes, zipped }: PreparedAnswer): void {
  res.setHeader("ETag", etag);
  if (isNotModified(req.headers["if-none-match"], etag)) {
    res.status(304).end();
    return;
  }
  const isZipped = sizeBytes >= compressFromBytes && acceptsGzip(req);
  res.setHeader("Content-Type", jsonType);
  res.vary("Accept-Encoding");
  if (isZipped) res.setHeader("Content-Encoding", "gzip");
  res.setHeader("Content-Length", isZipped ? zipped.length : sizeBytes);
  res.end(isZipped ? zipped : text);
}
