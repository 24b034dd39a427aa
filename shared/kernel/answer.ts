import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Request, Response } from "express";
import { type FormOf, inForm } from "./body-form.ts";
import { isOn } from "./booleans.ts";
import { checkedWhileSent, type PartCheck } from "./caller-check.ts";
import { isNotModified } from "./conditional-requests.ts";
import { acceptedCoding, type Coding, compressed, compressor } from "./content-coding.ts";
import type { Hits, Pieces } from "./hits.ts";
import { jsonType } from "./negotiation.ts";

/** Smaller answers fit into one packet uncompressed, so they are not compressed. */
const compressFromBytes = 256;

const codingOf = (req: Request, sizeBytes: number): Coding | undefined =>
  sizeBytes < compressFromBytes ? undefined : acceptedCoding(String(req.headers["accept-encoding"] ?? ""));

export interface AnswerOptions {
  /** `ETag` of the resource; a GET or HEAD that sends the same one is answered 304. */
  etag?: string;
  /** The address leads to one object now and to another one later. Their ETags may be equal, so the answer is never 304. */
  isMoving?: boolean;
  headers?: Record<string, string>;
}

const sortKeys = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Longer lists are sent hit by hit. */
const hitsAtOnce = 100;

/**
 * The hits of a list: a short list is made now, a long one while it is sent.
 * @param count how many hits to expect, about.
 */
export async function hitsOf<T>(count: number, make: () => AsyncIterable<T>): Promise<Hits<T>> {
  if (count > hitsAtOnce) return { [Symbol.asyncIterator]: () => make()[Symbol.asyncIterator]() };
  const hits: T[] = [];
  for await (const hit of make()) hits.push(hit);
  return hits;
}

type Json = Record<string, unknown>;

function serialise(req: Request, body: unknown): string | Pieces {
  const isPretty = isOn(req.query.prettyprint);
  const list = (body as { hits?: { hits?: Hits<unknown> } } | null)?.hits?.hits;
  const isLong = Array.isArray(list)
    ? list.length > hitsAtOnce
    : typeof list === "object" && Symbol.asyncIterator in list;
  return list && isLong ? listPieces(body as Json, list, (hit) => hit, isPretty) : stringify(body, isPretty);
}

/** JSON as text. Pretty-printed JSON is indented by 2 and has sorted keys (search-and-conventions 2). */
const stringify = (body: unknown, isPretty: boolean): string =>
  isPretty ? JSON.stringify(body, sortKeys, 2) : JSON.stringify(body);

/** Short JSON as text, pretty-printed when the caller asks for it. */
export const shortJson = (req: Request, body: unknown): string => stringify(body, isOn(req.query.prettyprint));

/** The JSON of a search answer in pieces, one for each hit. */
export async function* listPieces<T>(
  envelope: Json,
  list: Hits<T>,
  form: (hit: T) => unknown,
  isPretty = false,
): AsyncGenerator<string> {
  const around = stringify({ ...envelope, hits: { ...(envelope.hits as Json | undefined), hits: [0] } }, isPretty);
  const indent = isPretty ? "\n      " : "";
  // This is never part of a JSON string: there, a quote has a backslash before it.
  const place = isPretty ? `"hits": [${indent}0` : '"hits":[0';
  const at = around.indexOf(place) + place.length - 1;
  yield around.slice(0, at);
  let before = "";
  for await (const hit of list) {
    const text = stringify(form(hit), isPretty);
    yield before + (isPretty ? text.replaceAll("\n", indent) : text);
    before = `,${indent}`;
  }
  yield around.slice(at + 1);
}

const blockMs = 8;
const bufferFrom = 65_536;

/**
 * The bytes of a long text in buffers. Yields to the event loop between pieces, since ten thousand records in one step
 * would block all other requests. Ends early when the client has disconnected.
 */
async function* buffersOf(pieces: Pieces, res: Response, check: PartCheck): AsyncGenerator<Buffer> {
  let waiting = "";
  let start = performance.now();
  for await (const piece of pieces) {
    waiting += piece;
    if (waiting.length > bufferFrom) {
      await check(waiting.length);
      yield Buffer.from(waiting);
      waiting = "";
    }
    if (performance.now() - start < blockMs) continue;
    await nextTurn();
    if (res.destroyed) return;
    start = performance.now();
  }
  if (waiting !== "") yield Buffer.from(waiting);
}

/** Sends a text while it is being made. Returns a text that fits into one buffer instead of sending it. */
async function sendLong(req: Request, res: Response, pieces: Pieces): Promise<Buffer | undefined> {
  const buffers = buffersOf(
    pieces,
    res,
    checkedWhileSent(req, async () => undefined),
  );
  try {
    const [first, second] = [await buffers.next(), await buffers.next()];
    if (first.done) return Buffer.alloc(0);
    if (second.done) return first.value;
    const coding = codingOf(req, first.value.length);
    if (coding) res.setHeader("Content-Encoding", coding);
    if (req.method === "HEAD") {
      res.end();
      return undefined;
    }
    const all = async function* () {
      yield* [first.value, second.value];
      yield* buffers;
    };
    await (coding ? pipeline(all, compressor(coding), res) : pipeline(all, res));
  } catch (error) {
    // The client has disconnected.
    if (!(error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE")) throw error;
  } finally {
    await buffers.return(undefined);
  }
  return undefined;
}

/** Sets the ETag. Answers 304 to a GET or HEAD of a client that has this state already. @returns whether it answered. */
export function answerIfKnown(req: Request, res: Response, status: number, etag: string): boolean {
  res.setHeader("ETag", etag);
  const isRead = req.method === "GET" || req.method === "HEAD";
  if (!isRead || status !== 200 || !isNotModified(req.headers["if-none-match"], etag)) return false;
  res.status(304).end();
  return true;
}

/** Files, links, replies and newer versions are no new revision, so a cache may not rely on the ETag alone. */
const keepFromCaches = (res: Response) =>
  res.setHeader("Cache-Control", res.hasHeader("Cache-Control") ? "private, no-store" : "no-store");

/** Sends JSON in the negotiated type, with ETag, 304 and compression. */
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
    keepFromCaches(res);
    if (options.isMoving) res.setHeader("ETag", options.etag);
    else if (answerIfKnown(req, res, status, options.etag)) return;
  }
  const form = (req.app.locals.formOf as FormOf | undefined)?.(req);
  const shaped = form === undefined ? body : inForm(body, form);
  await answerText(req, res, status, res.locals.produces ?? jsonType, serialise(req, shaped));
}

const indented = (text: string, depth: number): string =>
  JSON.stringify(JSON.parse(text), sortKeys, 2).replaceAll("\n", `\n${" ".repeat(depth)}`);

/** Sends JSON that is text already. */
export const answerJson = (req: Request, res: Response, text: string): Promise<void> =>
  answerText(req, res, 200, res.locals.produces ?? jsonType, isOn(req.query.prettyprint) ? indented(text, 0) : text);

/** Sends an object whose only member is a list of JSON texts, each read while the list is sent. */
export async function answerList(req: Request, res: Response, name: string, items: Pieces): Promise<void> {
  const isPretty = isOn(req.query.prettyprint);
  async function* pieces(): AsyncGenerator<string> {
    yield isPretty ? `{\n  "${name}": [` : `{"${name}":[`;
    let count = 0;
    for await (const text of items) {
      yield `${count === 0 ? "" : ","}${isPretty ? `\n    ${indented(text, 4)}` : text}`;
      count += 1;
    }
    yield isPretty ? `${count === 0 ? "" : "\n  "}]\n}` : "]}";
  }
  await answerText(req, res, 200, res.locals.produces ?? jsonType, pieces());
}

/**
 * Sends a text of any type, or its pieces as they are made. Compresses long texts when the client accepts it. Caches ask
 * each time, if the caller sets nothing else.
 */
export async function answerText(
  req: Request,
  res: Response,
  status: number,
  type: string,
  text: string | Pieces,
): Promise<void> {
  res.status(status);
  res.setHeader("Content-Type", type);
  if (!res.hasHeader("Cache-Control")) res.setHeader("Cache-Control", "no-cache");
  res.vary("Accept-Encoding");
  let bytes = typeof text === "string" ? Buffer.from(text) : await sendLong(req, res, text);
  if (!bytes) return;
  const coding = codingOf(req, bytes.length);
  if (coding) {
    bytes = await compressed(bytes, coding);
    res.setHeader("Content-Encoding", coding);
  }
  res.setHeader("Content-Length", bytes.length);
  res.end(bytes);
}

/** Sends 204 without a body. */
export function answerNothing(res: Response): void {
  res.status(204).end();
}

/** A JSON answer that was made before the request came. */
export interface PreparedAnswer {
  etag: string;
  /** A string, since Node sends a string and the headers in one write. */
  text: string;
  sizeBytes: number;
  zipped: Buffer;
}

/** Sends a prepared answer to a GET or HEAD: 200, or 304 when the client has the same ETag. */
export async function answerPrepared(req: Request, res: Response, prepared: PreparedAnswer): Promise<void> {
  const { etag, text, sizeBytes, zipped } = prepared;
  res.setHeader("ETag", etag);
  keepFromCaches(res);
  res.vary("Accept, Accept-Encoding");
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
