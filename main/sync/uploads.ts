import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { BlobStore } from "../../shared/blobs/blob-store.ts";
import { Failure, type FailureKind } from "../../shared/kernel/failure.ts";
import { ServerTrouble, Unreachable } from "./transport.ts";

export interface UploadLine {
  server: string;
  token: string;
  headers: Record<string, string>;
}

interface Reply {
  status: number;
  /** What the server said, when it said no. */
  message: string;
  offset: number;
  isComplete: boolean;
}

const stalledMs = 20_000;

function messageIn(body: string): string {
  try {
    return String(JSON.parse(body).message);
  } catch {
    return "";
  }
}

/** Answers that the same bytes will get again. */
const final: Record<number, FailureKind> = { 403: "forbidden", 413: "too_large" };

function assertTaken({ status, message }: Reply): void {
  if (status < 300 || status === 409) return;
  const kind = final[status];
  if (kind) throw new Failure(kind, message);
  throw new ServerTrouble(`The server did not take the bytes (${status}).`);
}

/** One request of the resumable protocol (records 6.4.1), its body streamed. */
async function send(
  line: UploadLine,
  method: string,
  sha256: string,
  headers: Record<string, string>,
  body?: AsyncIterable<Uint8Array>,
): Promise<Reply> {
  const url = new URL(`${line.server}/api/sync/blobs/${sha256}`);
  const start = url.protocol === "https:" ? secureRequest : plainRequest;
  const all = { ...line.headers, authorization: `Bearer ${line.token}`, ...headers };
  const request = start(url, { method, headers: all, timeout: stalledMs });
  request.once("timeout", () => request.destroy(new Error("stalled")));
  try {
    const reply = new Promise<Reply>((resolve, reject) => {
      request.once("error", reject);
      request.once("response", (response) => {
        const said: Buffer[] = [];
        response.on("data", (chunk: Buffer) => said.push(chunk));
        response.once("error", reject);
        response.once("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            message: messageIn(Buffer.concat(said).toString()),
            offset: Number(response.headers["upload-offset"] ?? 0),
            isComplete: response.headers["upload-complete"] === "?1",
          }),
        );
      });
    });
    // An early refusal ends the upload; the reply, not the broken pipe, says why.
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

/** Sizes of single requests: small on a line that breaks, large on one that holds. */
export class RequestSize {
  #bytes = 8 * 1024 * 1024;

  get bytes(): number {
    return this.#bytes;
  }

  took(ms: number): void {
    if (ms < 5000) this.#bytes = Math.min(this.#bytes * 2, 256 * 1024 * 1024);
    else if (ms > 15_000) this.broke();
  }

  broke(): void {
    this.#bytes = Math.max(this.#bytes / 2, 256 * 1024);
  }
}

/** Whether the server has the bytes already, as far as this person may know. @throws Unreachable */
export async function hasBlob(line: UploadLine, sha256: string): Promise<boolean> {
  const { status, isComplete } = await send(line, "HEAD", sha256, {});
  return isComplete || status === 200;
}

/**
 * Brings a blob to the server, going on where an earlier attempt stopped.
 * @param onProgress bytes that are on their way so far; awaited before more are sent.
 * @throws Unreachable when the line broke: what arrived counts, call again; Failure when the server will never take it.
 */
export async function uploadBlob(
  line: UploadLine,
  blobs: BlobStore,
  blob: { sha256: string; size: number },
  requestSize: RequestSize,
  onProgress: (bytes: number) => void | Promise<void>,
): Promise<void> {
  const { sha256, size } = blob;
  const digest = `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`;
  let { status, offset, isComplete } = await send(line, "HEAD", sha256, {});
  if (isComplete || status === 200) return;
  if (status === 404) offset = -1;
  for (;;) {
    const from = Math.max(offset, 0);
    const until = Math.min(size, from + requestSize.bytes);
    await onProgress(from);
    const started = performance.now();
    const content = until > from ? await blobs.read(sha256, { start: from, end: until }) : Readable.from([]);
    let sent = from;
    const body = counted(content, (count) => {
      sent += count;
      return onProgress(sent);
    });
    const isLast = until === size;
    const headers = {
      "content-length": String(until - from),
      "upload-complete": isLast ? "?1" : "?0",
      "repr-digest": digest,
      "upload-length": String(size),
    };
    const reply =
      offset < 0
        ? await send(line, "PUT", sha256, { ...headers, "content-type": "application/octet-stream" }, body)
        : await send(
            line,
            "PATCH",
            sha256,
            { ...headers, "content-type": "application/partial-upload", "upload-offset": String(from) },
            body,
          );
    assertTaken(reply);
    status = reply.status;
    requestSize.took(performance.now() - started);
    if (isLast && status !== 409) return;
    offset = status === 409 ? reply.offset : until;
  }
}
