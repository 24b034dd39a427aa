import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { BlobStore } from "../../../shared/blobs/blob-store.ts";
import { Failure, type FailureKind } from "../../../shared/kernel/failure.ts";
import { AnswerTooLarge, ServerError, serverDiskFull, Unreachable } from "../../sync/transport.ts";
import type { SendProgress, WantedBytes } from "../../sync/upstream.ts";

export interface UploadTarget {
  server: string;
  token: string;
  headers: Record<string, string>;
}

interface UploadAnswer {
  status: number;
  /** Whether a Carrel server refused, and no proxy. */
  isRefusal: boolean;
  /** Message of a refusal. */
  message: string;
  /** The refusal's `error`: distinguishes a used-up quota from a full disk. */
  error: string;
  /** Undefined: the answer names none. */
  offset: number | undefined;
  isComplete: boolean;
}

const stalledMs = 20_000;
/** Limits the text of a refusal, whatever the server sends. */
const maxRefusalBytes = 64 * 1024;
/** Consecutive answers that request bytes the server already had. */
const maxRepeats = 5;

/** A refusal of a Carrel server, which repeats its status; anything else was written by a proxy. */
function refusalIn(status: number, body: string): Pick<UploadAnswer, "isRefusal" | "message" | "error"> {
  try {
    const { status: stated, message, error } = JSON.parse(body);
    const isRefusal = stated === status && typeof message === "string" && message !== "";
    return { isRefusal, message: String(message).slice(0, 1000), error: String(error) };
  } catch {
    return { isRefusal: false, message: "", error: "" };
  }
}

/** Refusals that the same bytes will always get. */
const permanentRefusals: Record<number, FailureKind> = { 403: "forbidden", 413: "too_large" };
/** Refusals that all bytes get at the moment. */
const generalRefusals = new Set([401, 429, 503, 507]);

/** @throws Failure if the server will never take the bytes; ServerError to try again. */
function assertAccepted({ status, isRefusal, message, error, offset }: UploadAnswer): void {
  if (status < 300 || (status === 409 && offset !== undefined)) return;
  if (!isRefusal) throw new ServerError(`The answer did not come from a Carrel server (${status}).`, status);
  // Waiting does not help with a quota: the user has to act (hosts-and-sync 8).
  if (error === "quota_used_up") throw new Failure(error, message, { extra: { error } });
  const kind = permanentRefusals[status];
  if (kind) throw new Failure(kind, message);
  const words = status === 507 ? serverDiskFull : `The server did not accept the file (${status}).`;
  throw new ServerError(words, generalRefusals.has(status) ? undefined : status);
}

/** One request of the resumable upload protocol (records 6.4.1), with a streamed body. */
async function send(
  target: UploadTarget,
  method: string,
  sha256: string,
  headers: Record<string, string>,
  body?: AsyncIterable<Uint8Array>,
): Promise<UploadAnswer> {
  const url = new URL(`${target.server}/api/sync/blobs/${sha256}`);
  const start = url.protocol === "https:" ? secureRequest : plainRequest;
  const all = { ...target.headers, authorization: `Bearer ${target.token}`, ...headers };
  const request = start(url, { method, headers: all, timeout: stalledMs });
  request.once("timeout", () => request.destroy(new Error("stalled")));
  try {
    const reply = new Promise<UploadAnswer>((resolve, reject) => {
      request.once("error", reject);
      request.once("response", (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on("data", (chunk: Buffer) => {
          size += chunk.length;
          if (size > maxRefusalBytes) request.destroy(new AnswerTooLarge());
          else chunks.push(chunk);
        });
        response.once("error", reject);
        response.once("end", () => {
          // Node sends no more of the body after the answer. Ends the upload and closes the file.
          if (!request.writableFinished) request.destroy();
          const status = response.statusCode ?? 0;
          const offset = response.headers["upload-offset"];
          resolve({
            status,
            ...refusalIn(status, Buffer.concat(chunks).toString()),
            offset: offset === undefined ? undefined : Number(offset),
            isComplete: response.headers["upload-complete"] === "?1",
          });
        });
      });
    });
    // An early refusal ends the upload. The answer gives the reason, not the broken pipe.
    if (body) void pipeline(body, request).catch(() => undefined);
    else request.end();
    return await reply;
  } catch (error) {
    throw new Unreachable(error instanceof Error ? error.message : String(error));
  }
}

async function* counted(source: AsyncIterable<Uint8Array>, onBytes: (count: number) => void | Promise<void>) {
  for await (const chunk of source) {
    yield chunk;
    await onBytes(chunk.length);
  }
}

const leastBytes = 64 * 1024;

/**
 * Request sizes of about a second's worth of the connection. Each answer confirms its bytes, so progress is reported
 * that often and a lost connection loses no more.
 */
export class RequestSize {
  #bytes = 256 * 1024;
  #most = 256 * 1024 * 1024;

  get bytes(): number {
    return this.#bytes;
  }

  adjust(ms: number): void {
    if (ms < 1000) this.#bytes = Math.min(this.#bytes * 2, this.#most);
    else if (ms > 3000) this.shrink();
  }

  shrink(): void {
    this.#bytes = Math.max(this.#bytes / 2, leastBytes);
  }

  /** A proxy refuses requests of this size. @returns whether a smaller one may pass. */
  mayPassSmaller(bytes: number): boolean {
    if (bytes <= leastBytes) return false;
    this.#most = Math.max(Math.floor(bytes / 2), leastBytes);
    this.#bytes = Math.min(this.#bytes, this.#most);
    return true;
  }
}

/** Whether the server has the bytes and this user may know. @throws Unreachable */
export async function hasBlob(target: UploadTarget, sha256: string): Promise<boolean> {
  const { status, isComplete } = await send(target, "HEAD", sha256, {});
  return isComplete || status === 200;
}

/** The offset from which the server wants to continue. @throws ServerError for an offset outside of the blob. */
function offsetIn({ offset = 0 }: UploadAnswer, size: number): number {
  if (Number.isInteger(offset) && offset >= 0 && offset <= size) return offset;
  throw new ServerError("The server asked for a part outside of the file.");
}

/**
 * Uploads a blob, resuming an earlier attempt.
 * @throws Unreachable if the connection was lost: call again to resume; Failure if the server will never take it.
 */
export async function uploadBlob(
  target: UploadTarget,
  blobs: BlobStore,
  { sha256, size }: WantedBytes,
  requestSize: RequestSize,
  { onArrived, onSent }: SendProgress,
): Promise<void> {
  const digest = `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`;
  const first = await send(target, "HEAD", sha256, {});
  if (first.isComplete || first.status === 200) return;
  let isBegun = first.status !== 404;
  let from = isBegun ? offsetIn(first, size) : 0;
  let sent = 0;
  for (let repeats = 0; repeats < maxRepeats; ) {
    onArrived(from);
    const until = Math.min(size, from + requestSize.bytes);
    const started = performance.now();
    const content = until > from ? await blobs.read(sha256, { start: from, end: until }) : Readable.from([]);
    const body = counted(content, (count) => {
      sent += count;
      return onSent(sent);
    });
    const headers = {
      "content-length": String(until - from),
      "upload-complete": until === size ? "?1" : "?0",
      "repr-digest": digest,
      "upload-length": String(size),
      "content-type": isBegun ? "application/partial-upload" : "application/octet-stream",
      ...(isBegun ? { "upload-offset": String(from) } : {}),
    };
    const reply = await send(target, isBegun ? "PATCH" : "PUT", sha256, headers, body);
    if (reply.status === 413 && !reply.isRefusal && requestSize.mayPassSmaller(until - from)) continue;
    assertAccepted(reply);
    isBegun = true;
    requestSize.adjust(performance.now() - started);
    if (reply.status !== 409 && until === size) return onArrived(size);
    const next = reply.status === 409 ? offsetIn(reply, size) : until;
    repeats = next > from ? 0 : repeats + 1;
    from = next;
  }
  throw new ServerError("The server keeps asking for the same part of the file.");
}
