import { Failure } from "../../shared/kernel/failure.ts";

/** An answer of the server, its JSON body parsed. */
export interface ServerAnswer {
  status: number;
  body: unknown;
}

/**
 * The line to the server. The simulator has one of its own.
 * @throws Unreachable when no answer came: cut line, time-out, something else than a Carrel server answered.
 */
export interface Transport {
  call(method: string, path: string, body?: unknown, timeoutMs?: number): Promise<ServerAnswer>;
}

/** No answer of the server: whether the call took effect there is not known. */
export class Unreachable extends Error {}

/** The server answered, and cannot be used at the moment: its disk is full, it is being started. */
export class ServerTrouble extends Unreachable {}

/** A body that is not ours: a captive portal, a proxy's error page. */
function parseBody(status: number, type: string | null, text: string): unknown {
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

/** Ordinary HTTP/1.1 requests with the person's token. */
export function httpTransport({ server, token, headers, signal }: Line): Transport {
  return {
    async call(method, path, body, timeoutMs = 15_000) {
      let response: Response;
      let text: string;
      try {
        response = await fetch(server + path, {
          method,
          headers: {
            ...headers,
            authorization: `Bearer ${token}`,
            accept: "application/json",
            ...(body === undefined ? {} : { "content-type": "application/json" }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
          redirect: "manual",
        });
        text = await response.text();
      } catch (error) {
        throw new Unreachable(inWords(error));
      }
      return { status: response.status, body: parseBody(response.status, response.headers.get("content-type"), text) };
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
