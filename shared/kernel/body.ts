import { createHash, type Hash } from "node:crypto";
import type { Request } from "express";
import { type BodyBudget, freeBytes } from "./body-budget.ts";
import { bodyCoding, decodeBody, mostExpansion } from "./body-coding.ts";
import { checkCallerAgain } from "./caller-check.ts";
import { Failure } from "./failure.ts";
import { type JsonLimits, JsonTooLarge, parseJson } from "./json-pieces.ts";
import { longSliceMs, Slices } from "./time-slice.ts";

/** Largest JSON body (records 1.1). */
export const jsonLimitBytes = 10 * 1024 * 1024;

/** Whether the call has a body; a zero `Content-Length` counts as none. */
export function hasBody(req: Request): boolean {
  if (req.headers["transfer-encoding"] !== undefined) return true;
  const length = req.headers["content-length"];
  return length !== undefined && length !== "0";
}

/** The media type of the body in lower case without parameters; undefined without a `Content-Type`. */
const contentTypeOf = (req: Request): string | undefined =>
  req.headers["content-type"]?.split(";")[0]?.trim().toLowerCase() || undefined;

/** @throws Failure 415 unless the body's type is one of `accepted` (a missing type counts as the first). */
export function assertContentType(req: Request, accepted: readonly string[]): void {
  const type = contentTypeOf(req);
  if (type === undefined || accepted.includes(type)) return;
  throw new Failure("unsupported_type", `Invalid 'Content-Type' header. Expected one of: ${accepted.join(", ")}`);
}

/** The codings of the body, without those that change nothing. */
const codingsOf = (req: Request): string[] =>
  (req.headers["content-encoding"] ?? "")
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");

const isEncoded = (req: Request): boolean => codingsOf(req).length > 0;

/**
 * A body is used as it arrives. Only `readJson` decodes it, for a method that takes `bodyCoding`.
 * @throws Failure 415 for any other coding; its `Accept-Encoding` names what is taken (RFC 9110, 15.5.16).
 */
export function assertCoding(req: Request, isCodingTaken: boolean): void {
  const codings = codingsOf(req);
  if (codings.length === 0 || (isCodingTaken && codings.join() === bodyCoding)) return;
  const taken = isCodingTaken ? `${bodyCoding}, identity` : "identity";
  throw new Failure("unsupported_type", `Invalid 'Content-Encoding' header. Expected: ${taken}`, {
    headers: { "Accept-Encoding": taken },
  });
}

/**
 * A client that is disconnected while it sends does not read the refusal. So the rest of a refused body is read and
 * dropped, up to twice the limit or this size.
 */
const discardBytes = 1024 * 1024;
/** The time limit of a body is this, plus a second for each `slowestBytes`. */
const graceMs = 30_000;
const slowestBytes = 16 * 1024;

/** How a JSON body may be read. */
export interface BodyLimits {
  /** Bytes. */
  most: number;
  /** Limits of the JSON inside; `bodyJsonLimits` by default. */
  json?: JsonLimits | undefined;
  /** Whose share of the memory budget the body uses: a user id, or null for an anonymous caller. */
  holder: string | null;
  budget: BodyBudget;
  /** Milliseconds for the whole body; by default it depends on the size. */
  deadlineMs?: number;
}

const sizeInWords = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`;

const tooLarge = (most: number, headers: Record<string, string> = {}): Failure =>
  new Failure("too_large", `The request body is larger than ${sizeInWords(most)}.`, { headers });

/** Closes the connection, which cannot be used again because the rest of the body stays unread. */
const closing = { Connection: "close" };

async function readWithin(req: Request, { most, holder, budget }: BodyLimits): Promise<Buffer> {
  const declared = req.headers["content-length"];
  const expansion = isEncoded(req) ? mostExpansion : 1;
  const expected = Math.min(declared === undefined ? most : Number(declared) * expansion, most);
  const discarded = Math.max(2 * most, discardBytes);
  if (Number(declared ?? 0) > discarded) throw tooLarge(most, closing);
  const chunks: Buffer[] = [];
  let size = 0;
  let isReserved = false;
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > discarded) throw tooLarge(most, closing);
    if (size > most) chunks.length = 0;
    else chunks.push(chunk);
    if (size * expansion <= freeBytes || size > most || isReserved) continue;
    isReserved = true;
    const release = await budget.reserve(holder, expected);
    if (req.res?.closed) release();
    else req.res?.once("close", release);
  }
  if (size > most) throw tooLarge(most);
  return Buffer.concat(chunks);
}

/** @throws Failure 408 when the body does not arrive in time. */
async function readAll(req: Request, limits: BodyLimits): Promise<Buffer> {
  const expected = Math.min(Number(req.headers["content-length"] ?? limits.most), limits.most);
  const deadlineMs = limits.deadlineMs ?? graceMs + (expected / slowestBytes) * 1000;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const failure = new Failure("too_slow", "The request body did not arrive in time.", { headers: closing });
    timer = setTimeout(() => reject(failure), deadlineMs);
  });
  try {
    return await Promise.race([readWithin(req, limits), late]);
  } finally {
    clearTimeout(timer);
  }
}

const isOverLimit = (error: unknown): boolean =>
  error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";

/**
 * The JSON body; undefined when there is none.
 * @throws Failure 413 over a limit, 408 too slow, 503 without room, 400 not JSON, not UTF-8, or nested over 200 levels.
 */
export async function readJson(req: Request, limits: BodyLimits): Promise<unknown> {
  const sent = await readAll(req, limits);
  if (sent.length === 0) return undefined;
  try {
    const bytes = isEncoded(req) ? await decodeBody(sent, limits.most) : sent;
    return await parseJson(bytes, new Slices(longSliceMs), limits.json);
  } catch (error) {
    if (error instanceof JsonTooLarge) throw new Failure("too_large", error.message);
    if (isOverLimit(error)) throw tooLarge(Math.min(limits.most, sent.length * mostExpansion));
    throw new Failure("invalid", "Unable to decode JSON data in request body.");
  }
}

export const formType = "application/x-www-form-urlencoded";

/** The fields of an HTML form. @throws Failure as `readJson`. */
export const readForm = async (req: Request, limits: BodyLimits): Promise<URLSearchParams> =>
  new URLSearchParams((await readAll(req, limits)).toString());

const streamHashes = new WeakMap<Request, Hash>();

/** Starts to hash a streamed body. Only routes that need the hash call this, since it costs time. */
export const watchBody = (req: Request): void => void streamHashes.set(req, createHash("sha256"));

/** SHA-256 of what was read so far of a watched body, in hex; undefined for other bodies. */
export const hashOfBody = (req: Request): string | undefined => streamHashes.get(req)?.copy().digest("hex");

/** The body as it arrives. A reader may stop early: the connection stays open, so that a refusal can be sent. */
export async function* streamBody(req: Request): AsyncGenerator<Buffer> {
  const hash = streamHashes.get(req);
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      hash?.update(chunk);
      yield chunk;
    }
  } finally {
    // The answer was sent before the reader stopped, so nothing else drops the rest (see `drained` in listen.ts).
    if (req.res?.writableFinished) req.resume();
  }
}

/**
 * As `streamBody`, for uploads. A chunk is valid until the next one is read: its memory is freed then, since the garbage
 * collector would free it only after some fifty megabytes.
 * @throws Failure 401 at the end when the caller's credentials were withdrawn meanwhile.
 */
export async function* lentBody(req: Request): AsyncGenerator<Buffer> {
  for await (const chunk of streamBody(req)) {
    yield chunk;
    const { buffer } = chunk;
    if (buffer instanceof ArrayBuffer && buffer.byteLength === chunk.byteLength) buffer.transfer(0);
  }
  await checkCallerAgain(req);
}
