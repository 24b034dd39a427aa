import { createHash, type Hash } from "node:crypto";
import type { Request } from "express";
import { Failure } from "./failure.ts";
import { longSliceMs, Slices } from "./time-slice.ts";

/** Largest JSON body (records 1.1). */
const jsonLimitBytes = 10 * 1024 * 1024;

/** Whether the call brings a body at all; a zero `Content-Length` counts as none. */
export function hasBody(req: Request): boolean {
  if (req.headers["transfer-encoding"] !== undefined) return true;
  const length = req.headers["content-length"];
  return length !== undefined && length !== "0";
}

/** The media type of the body in lower case without parameters; undefined when not said. */
const contentTypeOf = (req: Request): string | undefined =>
  req.headers["content-type"]?.split(";")[0]?.trim().toLowerCase() || undefined;

/** @throws Failure 415 unless the body's type is one of those (a missing one counts as the first). */
export function assertContentType(req: Request, accepted: readonly string[]): void {
  const type = contentTypeOf(req);
  if (type === undefined || accepted.includes(type)) return;
  throw new Failure("unsupported_type", `Invalid 'Content-Type' header. Expected one of: ${accepted.join(", ")}`);
}

/** So much of a body that is too large is still taken in, since a client that is cut off never reads why. */
const discardLimitBytes = 8 * jsonLimitBytes;

const tooLarge = (most: number): Failure =>
  new Failure("too_large", `The request body is larger than ${most / 1024 / 1024} MiB.`);

async function readAll(req: Request, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    size += chunk.length;
    if (size > discardLimitBytes) break;
    if (size <= most) chunks.push(chunk);
  }
  if (size > most) throw tooLarge(most);
  return Buffer.concat(chunks);
}

/** Deeper JSON is refused: nothing of ours is, and what walks through it must not run out of stack. */
const depthLimit = 200;

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = Buffer.from('"\\[]{}');
/** So many bytes are looked at before the thread may be given up. */
const lookedAtOnce = 1024 * 1024;

/** Told before it is parsed: to see that of millions of brackets takes the parser much longer. */
async function assertNotTooDeep(bytes: Buffer, slices: Slices): Promise<void> {
  let depth = 0;
  let isInText = false;
  for (let at = 0, pause = lookedAtOnce; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) isInText = !isInText;
    else if (isInText) at += byte === backslash ? 1 : 0;
    else if (byte === openBracket || byte === openBrace) depth += 1;
    else if (byte === closeBracket || byte === closeBrace) depth -= 1;
    if (depth > depthLimit) throw new RangeError("too deep");
    if (at < pause) continue;
    pause = at + lookedAtOnce;
    await slices.next();
  }
}

async function decode(bytes: Buffer): Promise<unknown> {
  const slices = new Slices(longSliceMs);
  await assertNotTooDeep(bytes, slices);
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  const value: unknown = JSON.parse(text);
  await slices.next();
  return value;
}

/**
 * The JSON body; undefined when there is none.
 * @param most bytes.
 * @throws Failure 413 over that, 400 not JSON, not UTF-8, or nested over 200 levels.
 */
export async function readJson(req: Request, most = jsonLimitBytes): Promise<unknown> {
  if (Number(req.headers["content-length"] ?? 0) > discardLimitBytes) {
    throw tooLarge(most);
  }
  const bytes = await readAll(req, most);
  if (bytes.length === 0) return undefined;
  try {
    return await decode(bytes);
  } catch {
    throw new Failure("invalid", "Unable to decode JSON data in request body.");
  }
}

const streamHashes = new WeakMap<Request, Hash>();

/** Begins to take the hash of a body that is not parsed but streamed; it costs, so only who needs it asks. */
export const watchBody = (req: Request): void => void streamHashes.set(req, createHash("sha256"));

/** The hash of as much of a watched body as was read; undefined for another. */
export const hashOfBody = (req: Request): string | undefined => streamHashes.get(req)?.copy().digest("hex");

/** The body as it arrives; reading stops without closing the connection, so that a refusal can still be answered. */
export async function* streamBody(req: Request): AsyncGenerator<Buffer> {
  const hash = streamHashes.get(req);
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    hash?.update(chunk);
    yield chunk;
  }
}

/**
 * As `streamBody`, for large bodies: each chunk is there until the next one is asked for. Its memory is given back then,
 * to which the collector would come some fifty megabytes later.
 */
export async function* lentBody(req: Request): AsyncGenerator<Buffer> {
  for await (const chunk of streamBody(req)) {
    yield chunk;
    const { buffer } = chunk;
    if (buffer instanceof ArrayBuffer && buffer.byteLength === chunk.byteLength) buffer.transfer(0);
  }
}
