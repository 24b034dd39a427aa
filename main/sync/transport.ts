import { type IncomingMessage, Agent as PlainAgent, request as plainRequest, type RequestOptions } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { bodyCoding, encodeBody } from "../../shared/kernel/body-coding.ts";
import { Failure, type Problem } from "../../shared/kernel/failure.ts";
import { type JsonLimits, parseJson } from "../../shared/kernel/json-pieces.ts";
import { longSliceMs, Slices } from "../../shared/kernel/time-slice.ts";
import { isLoopback } from "../../shared/sync-protocol/connect.schema.ts";
import { isUntrusted } from "./certificate.policy.ts";
import { TimeLimit } from "./time-limit.ts";

/** The server's answer with its JSON body parsed. */
export interface ServerAnswer {
  status: number;
  body: unknown;
}

export interface CallOptions {
  /** How long a silent connection may last. Each byte sent or received allows more time. */
  timeoutMs?: number;
  /** The answer is large. From a server on this computer it is not worth compressing. */
  isBulk?: boolean;
  /** A long body is compressed. */
  isCompressed?: boolean;
  /** Aborts this call. */
  signal?: AbortSignal;
  /** Called with the headers, before the body arrives. */
  onHead?(headers: Record<string, unknown>): void;
}

/**
 * Calls to the server. The simulator implements its own.
 * @throws Unreachable if no valid answer came: connection lost, time limit exceeded, or not a Carrel server.
 */
export interface Transport {
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<ServerAnswer>;
}

/** No answer: the call may or may not have taken effect on the server. */
export class Unreachable extends Error {
  /** The status of an unusable answer; undefined without an answer. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** The server answered but cannot be used now: its disk is full, or it is starting. */
export class ServerError extends Unreachable {}

/** The answer to one call does not say what the call did. Other calls may succeed. */
export class UnclearAnswer extends ServerError {}

/** The answer exceeds the size limit. The caller may request a smaller one. */
export class AnswerTooLarge extends ServerError {
  constructor() {
    super("The server's answer is larger than this app accepts.");
  }
}

/** Largest answer after decompression. A page of the feed has about 512 KiB, but at least one object. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** A page may have many rows, each with about twenty members. */
const answerJsonLimits: JsonLimits = { members: 2_000_000, bareBytes: maxAnswerBytes };

/** Reads the body. @throws AnswerTooLarge, and any error of the connection. */
export async function readAnswer(
  answer: AsyncIterable<Buffer>,
  most = maxAnswerBytes,
  onBytes?: (count: number) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    size += chunk.length;
    onBytes?.(chunk.length);
    // Leaving the loop closes the connection.
    if (size > most) throw new AnswerTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function decompress(bytes: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: maxAnswerBytes });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") throw new AnswerTooLarge();
    throw error;
  }
}

/**
 * @throws Unreachable for a body that no Carrel server sent: a captive portal, a proxy's error page, JSON nested too
 * deeply.
 */
export async function parseBody(status: number, type: string | undefined, bytes: Buffer): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  if (!type?.includes("json"))
    throw new Unreachable(`The answer did not come from a Carrel server (${status}).`, status);
  try {
    return await parseJson(bytes, new Slices(longSliceMs), answerJsonLimits);
  } catch (error) {
    if (error instanceof RangeError) throw new AnswerTooLarge();
    throw new Unreachable(`The answer was incomplete or changed on the way (${status}).`, status);
  }
}

/** The message for a network error. */
export function describeNetworkError(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  // The code of an aborted call is a number, which means nothing to the user.
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "";
  if (code === "ECONNREFUSED") return "The server does not answer at this address.";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return "The server's name cannot be found. Check the network connection.";
  if (isUntrusted(code)) return `The server's certificate is not trusted (${code}).`;
  if (error instanceof Error && error.name === "TimeoutError") return "The server did not answer in time.";
  return code ? `The connection to the server was lost (${code}).` : "The connection to the server was lost.";
}

export interface TransportOptions {
  server: string;
  /** Undefined: the call sends no credential. */
  token?: string;
  headers: Record<string, string>;
  /** Aborts every call under way. */
  signal?: AbortSignal;
}

/** The server closes idle connections after 65 seconds, so the client closes them earlier. */
const idle = { keepAlive: true, timeout: 50_000 };
const protocols = {
  "http:": { request: plainRequest, agent: new PlainAgent(idle) },
  "https:": { request: secureRequest, agent: new SecureAgent(idle) },
};

/** Sends an HTTP/1.1 request without default headers. @throws a network error. */
function send(url: URL, init: RequestOptions, body: Buffer | undefined): Promise<IncomingMessage> {
  const { request, agent } = protocols[url.protocol as keyof typeof protocols];
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    const sent = request(url, { ...init, agent, setDefaultHeaders: false }, (answer) => {
      isAnswered = true;
      resolve(answer);
    });
    sent.once("error", (error: NodeJS.ErrnoException) => {
      // The server closed the reused connection before the request arrived, so a retry is safe.
      const isStale = sent.reusedSocket && error.code === "ECONNRESET" && !isAnswered;
      if (isStale) send(url, init, body).then(resolve, reject);
      else reject(error);
    });
    sent.end(body);
  });
}

async function bytesOf(answer: IncomingMessage, limit: TimeLimit): Promise<Buffer> {
  const bytes = await readAnswer(answer, maxAnswerBytes, (count) => limit.extend(count));
  return answer.headers["content-encoding"] === "gzip" ? decompress(bytes) : bytes;
}

/**
 * A short request id, since the id that a server would generate is long. Two characters suffice to tell calls apart in
 * a log.
 */
const requestIds = 36 ** 2;
let calls = 0;

/** Shorter bodies pass every proxy, and are sent at once. */
const minCompressedBytes = 64 * 1024;

interface SentBody {
  bytes: Buffer | undefined;
  headers: Record<string, string | number>;
}

async function encode(body: unknown, isCompressed: boolean): Promise<SentBody> {
  if (body === undefined) return { bytes: undefined, headers: {} };
  const plain = Buffer.from(JSON.stringify(body));
  const encoded = isCompressed && plain.length >= minCompressedBytes ? await encodeBody(plain) : undefined;
  const bytes = encoded ?? plain;
  return { bytes, headers: { "content-length": bytes.length, ...(encoded && { "content-encoding": bodyCoding }) } };
}

/** Calls with the user's token. */
export function httpTransport({ server, token, headers, signal }: TransportOptions): Transport {
  return {
    async call(method, path, body, options = {}) {
      const { timeoutMs = 15_000, isBulk = false, isCompressed = false, signal: own, onHead } = options;
      const url = new URL(server + path);
      const sent = await encode(body, isCompressed);
      const limit = new TimeLimit(timeoutMs);
      limit.extend(sent.bytes?.length ?? 0);
      const init = {
        method,
        headers: {
          host: url.host,
          ...headers,
          "x-request-id": (++calls % requestIds).toString(36),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(isBulk && isLoopback(url.hostname) ? { "accept-encoding": "identity" } : {}),
          ...sent.headers,
        },
        signal: AbortSignal.any([limit.signal, ...(signal ? [signal] : []), ...(own ? [own] : [])]),
      };
      let answer: IncomingMessage;
      let answered: Buffer;
      try {
        answer = await send(url, init, sent.bytes);
        onHead?.(answer.headers);
        answered = await bytesOf(answer, limit);
      } catch (error) {
        if (error instanceof AnswerTooLarge) throw error;
        throw new Unreachable(describeNetworkError(limit.signal.aborted ? limit.signal.reason : error));
      } finally {
        limit.end();
      }
      const status = answer.statusCode ?? 0;
      return { status, body: await parseBody(status, answer.headers["content-type"], answered) };
    },
  };
}

/** The body of a 2xx answer. @throws Failure for a refusal; Unreachable for a 5xx. */
export function bodyOf(answer: ServerAnswer): unknown {
  if (answer.status >= 200 && answer.status < 300) return answer.body;
  throw refusalOf(answer);
}

const kinds: Record<number, ConstructorParameters<typeof Failure>[0]> = {
  400: "invalid",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  406: "not_acceptable",
  409: "conflict",
  410: "gone",
  412: "stale",
  413: "too_large",
  415: "unsupported_type",
  416: "range",
  422: "unprocessable",
  426: "upgrade_required",
  429: "too_many",
};

const maxMessageLength = 1000;
const isString = (value: unknown): value is string => typeof value === "string";

function problemsIn(errors: unknown): Problem[] {
  if (!Array.isArray(errors)) return [];
  return errors
    .filter((error) => isString(error?.field) && Array.isArray(error.messages) && error.messages.every(isString))
    .map(({ field, messages }) => ({ field, messages }));
}

/** What a 507 means on this computer, whose own disk may have space. */
export const serverDiskFull =
  "The disk of the server is full. Your work is kept on this computer, and is sent once the server has space again.";

/** Converts a refusal to a `Failure`. A 5xx becomes a `ServerError`. */
export function refusalOf(answer: ServerAnswer): Error {
  const body = (answer.body ?? {}) as Record<string, unknown>;
  const { status: _status, message, errors, ...extra } = body;
  const kind = kinds[answer.status];
  if (answer.status === 507 && body.error !== "quota_used_up") return new ServerError(serverDiskFull, 507);
  const text = isString(message) ? message.slice(0, maxMessageLength) : `The server answered ${answer.status}.`;
  return kind ? new Failure(kind, text, { problems: problemsIn(errors), extra }) : new ServerError(text, answer.status);
}
