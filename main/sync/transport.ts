import { type IncomingMessage, Agent as PlainAgent, request as plainRequest, type RequestOptions } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { Failure } from "../../shared/kernel/failure.ts";

/** An answer of the server, its JSON body parsed. */
export interface ServerAnswer {
  status: number;
  body: unknown;
}

export interface CallOptions {
  timeoutMs?: number;
  /** Much is to come: on this very computer it is not worth compressing. */
  isBulk?: boolean;
  /** Called when the head of an answer is here, before its body. */
  onHead?(headers: Record<string, unknown>): void;
}

/**
 * The line to the server. The simulator has one of its own.
 * @throws Unreachable when no answer came: cut line, time-out, something else than a Carrel server answered.
 */
export interface Transport {
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<ServerAnswer>;
}

/** No answer of the server: whether the call took effect there is not known. */
export class Unreachable extends Error {}

/** The server answered, and cannot be used at the moment: its disk is full, it is being started. */
export class ServerTrouble extends Unreachable {}

/** @throws Unreachable for a body that is not ours: a captive portal, a proxy's error page. */
export function parseBody(status: number, type: string | undefined, text: string): unknown {
  if (text === "") return undefined;
  if (!type?.includes("json")) throw new Unreachable(`Something else than a Carrel server answered (${status}).`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Unreachable(`The answer was cut or changed on the way (${status}).`);
  }
}

/** Words for an error of the network. */
export function inWords(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code === "ECONNREFUSED") return "The server does not answer at this address.";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "The server's name cannot be found; is the network there?";
  if (code.startsWith("CERT") || code.includes("SELF_SIGNED") || code.startsWith("ERR_TLS")) {
    return `The server's certificate is not trusted (${code}).`;
  }
  if (error instanceof Error && error.name === "TimeoutError") return "The server did not answer in time.";
  return `The line to the server was cut${code ? ` (${code})` : ""}.`;
}

export interface Line {
  server: string;
  token: string;
  headers: Record<string, string>;
  /** Ends every call under way. */
  signal?: AbortSignal;
}

/** A server closes what was idle for 65 seconds: those here give up sooner. */
const idle = { keepAlive: true, timeout: 50_000 };
const ways = {
  "http:": { request: plainRequest, agent: new PlainAgent(idle) },
  "https:": { request: secureRequest, agent: new SecureAgent(idle) },
};

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);

/** An ordinary HTTP/1.1 request with no header but those that say something. @throws Error of the network. */
function send(url: URL, init: RequestOptions, body: string | undefined): Promise<IncomingMessage> {
  const { request, agent } = ways[url.protocol as keyof typeof ways];
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    const sent = request(url, { ...init, agent, setDefaultHeaders: false }, (answer) => {
      isAnswered = true;
      resolve(answer);
    });
    sent.once("error", (error: NodeJS.ErrnoException) => {
      // The other end had closed the connection as this call began: it never heard of it.
      const isStale = sent.reusedSocket && error.code === "ECONNRESET" && !isAnswered;
      if (isStale) send(url, init, body).then(resolve, reject);
      else reject(error);
    });
    sent.end(body);
  });
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const isZipped = answer.headers["content-encoding"] === "gzip";
  return (isZipped ? await promisify(gunzip)(bytes) : bytes).toString();
}

/** They are numbered: a server that has to make up a name for a call makes a long one. Two digits tell them apart in a log. */
const numbers = 36 ** 2;
let calls = 0;

/** Calls with the person's token. */
export function httpTransport({ server, token, headers, signal }: Line): Transport {
  return {
    async call(method, path, body, { timeoutMs = 15_000, isBulk = false, onHead } = {}) {
      const url = new URL(server + path);
      const text = body === undefined ? undefined : JSON.stringify(body);
      const timeout = AbortSignal.timeout(timeoutMs);
      const init = {
        method,
        headers: {
          host: url.host,
          ...headers,
          "x-request-id": (++calls % numbers).toString(36),
          authorization: `Bearer ${token}`,
          ...(isBulk && isLoopback(url.hostname) ? { "accept-encoding": "identity" } : {}),
          ...(text === undefined ? {} : { "content-length": Buffer.byteLength(text) }),
        },
        signal: AbortSignal.any([timeout, ...(signal ? [signal] : [])]),
      };
      let answer: IncomingMessage;
      let answered: string;
      try {
        answer = await send(url, init, text);
        onHead?.(answer.headers);
        answered = await textOf(answer);
      } catch (error) {
        throw new Unreachable(inWords(timeout.aborted ? timeout.reason : error));
      }
      const status = answer.statusCode ?? 0;
      return { status, body: parseBody(status, answer.headers["content-type"], answered) };
    },
  };
}

/** The body of a 2xx answer. @throws Failure what the server refused with; Unreachable for a 5xx. */
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

/** The server's refusal as one of ours; a 5xx is no refusal but `ServerTrouble`. */
export function refusalOf(answer: ServerAnswer): Error {
  const body = (answer.body ?? {}) as Record<string, unknown>;
  const { status: _status, message, errors, ...extra } = body;
  const kind = kinds[answer.status];
  const words = typeof message === "string" ? message : `The server answered ${answer.status}.`;
  if (!kind) return new ServerTrouble(words);
  const problems = Array.isArray(errors) ? errors : [];
  return new Failure(kind, words, { problems, extra });
}
