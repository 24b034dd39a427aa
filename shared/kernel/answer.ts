import { setImmediate as nextTurn } from "node:timers/promises";
import type { Request, Response } from "express";
import { isNotModified } from "./conditional-requests.ts";
import { acceptedCoding, type Coding, compressed } from "./content-coding.ts";
import { jsonType } from "./negotiation.ts";

/** Below this a packet holds it either way. */
const compressFromBytes = 256;

const codingOf = (req: Request, sizeBytes: number): Coding | undefined =>
  sizeBytes < compressFromBytes ? undefined : acceptedCoding(String(req.headers["accept-encoding"] ?? ""));

export interface AnswerOptions {
  /** `ETag` of the resource; a GET or HEAD that knows it already is answered 304. */
  etag?: string;
  headers?: Record<string, string>;
}

const sortKeys = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const hitsAtOnce = 200;

type Json = Record<string, unknown>;

async function serialise(req: Request, body: unknown): Promise<string> {
  const pretty = req.query.prettyprint;
  if (pretty !== undefined && pretty !== "0") return JSON.stringify(body, sortKeys, 2);
  const list = (body as { hits?: { hits?: unknown } } | null)?.hits?.hits;
  return Array.isArray(list) && list.length > hitsAtOnce ? serialiseList(body as Json, list) : JSON.stringify(body);
}

/** The JSON of a long list, some hits at a time: ten thousand at once would hold everything else up. */
async function serialiseList(body: Json, list: readonly unknown[]): Promise<string> {
  const pieces: string[] = [];
  for (let at = 0; at < list.length; at += hitsAtOnce) {
    pieces.push(JSON.stringify(list.slice(at, at + hitsAtOnce)).slice(1, -1));
    await nextTurn();
  }
  const hits = fieldsAfter("hits", `[${pieces.join(",")}]`, body.hits as Json);
  return fieldsAfter("hits", hits, body);
}

/** An object as JSON whose first field is written already. */
function fieldsAfter(name: string, written: string, whole: Json): string {
  const { [name]: _, ...rest } = whole;
  const others = JSON.stringify(rest).slice(1, -1);
  return `{"${name}":${written}${others === "" ? "" : `,${others}`}}`;
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
  res.vary("Accept-Encoding");
  if (options.etag !== undefined) {
    res.setHeader("ETag", options.etag);
    const isRead = req.method === "GET" || req.method === "HEAD";
    if (isRead && status === 200 && isNotModified(req.headers["if-none-match"], options.etag)) {
      res.status(304).end();
      return;
    }
  }
  await answerText(req, res, status, res.locals.produces ?? jsonType, await serialise(req, body));
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
  const coding = codingOf(req, bytes.length);
  if (coding) {
    bytes = await compressed(bytes, coding);
    res.setHeader("Content-Encoding", coding);
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
export async function answerPrepared(req: Request, res: Response, prepared: PreparedAnswer): Promise<void> {
  const { etag, text, sizeBytes, zipped } = prepared;
  res.setHeader("ETag", etag);
  res.vary("Accept-Encoding");
  if (isNotModified(req.headers["if-none-match"], etag)) {
    res.status(304).end();
    return;
  }
  const coding = codingOf(req, sizeBytes);
  res.setHeader("Content-Type", jsonType);
  if (!coding) {
    res.setHeader("Content-Length", sizeBytes);
    res.end(text);
    return;
  }
  const bytes = coding === "gzip" ? zipped : await compressed(Buffer.from(text), coding);
  res.setHeader("Content-Encoding", coding);
  res.setHeader("Content-Length", bytes.length);
  res.end(bytes);
}
