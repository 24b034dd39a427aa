import { Failure } from "../../shared/kernel/failure.ts";

/** Longest time for one call, so that a cut connection does not keep a search waiting. */
const callMs = 30_000;

/** The search engine cannot be reached, or cannot answer now. Everything except search still works. */
export class SearchAway extends Failure {
  constructor(cause: unknown, message = awayMessage) {
    super("unavailable", message, { headers: { "Retry-After": "5" } });
    this.cause = cause;
  }

  /** Why, for operators: the innermost cause, since `fetch` says no more than that it failed. */
  get reason(): string {
    let { cause } = this;
    while (cause instanceof Error && cause.cause instanceof Error) ({ cause } = cause);
    const { message = "", code = "" } = (cause ?? {}) as { message?: string; code?: string };
    return message || code;
  }
}

const awayMessage = "Searching is not possible at the moment. Everything else works. Please try again soon.";

/** An answer of OpenSearch with another status than 2xx. */
export class EngineError extends Error {
  readonly status: number;
  readonly type: string;

  constructor(status: number, type: string, reason: string) {
    super(`OpenSearch answered ${status}: ${type}: ${reason}`);
    this.name = "EngineError";
    this.status = status;
    this.type = type;
  }
}

/** Whether the engine has no such index, or no such document. */
export const isMissing = (error: unknown): boolean => error instanceof EngineError && error.status === 404;

/** A server of OpenSearch and the name under which a library's index is found there. */
export interface EnginePlace {
  /** Without credentials. */
  url: string;
  authorization: string | undefined;
  prefix: string;
}

/** Reads `opensearch+http://user:password@host:9200/prefix`. Undefined: no such address. */
export function readPlace(address: string): EnginePlace | undefined {
  const url = URL.parse(address);
  const scheme = /^opensearch\+(https?):$/.exec(url?.protocol ?? "")?.[1];
  const prefix = url?.pathname.replace(/^\//, "") || "carrel";
  if (!url || !scheme || url.host === "" || !/^[a-z0-9][a-z0-9_-]{0,99}$/.test(prefix)) return undefined;
  const secret = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const authorization = secret === ":" ? undefined : `Basic ${Buffer.from(secret).toString("base64")}`;
  return { url: `${scheme}://${url.host}`, authorization, prefix };
}

/** The body of a call: JSON, or lines of JSON. */
type Body = object | readonly string[];

export class OpenSearchClient {
  readonly #place: EnginePlace;

  constructor(place: EnginePlace) {
    this.#place = place;
  }

  /**
   * @throws EngineError for a refusal, 404 among them.
   * @throws SearchAway when it cannot be reached, is overloaded or does not answer in time.
   */
  async call<T>(method: string, path: string, body?: Body): Promise<T> {
    const isLines = Array.isArray(body);
    const content = isLines ? `${body.join("\n")}\n` : JSON.stringify(body);
    const { url, authorization } = this.#place;
    let status: number;
    let text: string;
    try {
      const answer = await fetch(`${url}${path}`, {
        method,
        signal: AbortSignal.timeout(callMs),
        headers: {
          ...(authorization === undefined ? {} : { authorization }),
          ...(body === undefined ? {} : { "content-type": isLines ? "application/x-ndjson" : "application/json" }),
        },
        ...(body === undefined ? {} : { body: content }),
      });
      status = answer.status;
      text = await answer.text();
    } catch (error) {
      throw new SearchAway(error);
    }
    if (status === 429 || status >= 500)
      throw new SearchAway(new Error(`OpenSearch answered ${status}: ${text.slice(0, 500)}`));
    const parsed: unknown = text === "" ? undefined : JSON.parse(text);
    if (status >= 400) throw engineError(status, parsed);
    return parsed as T;
  }

  /** As `call`; undefined for 404. */
  async find<T>(path: string): Promise<T | undefined> {
    try {
      return await this.call<T>("GET", path);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }
}

interface ErrorBody {
  error?: string | { type?: string; reason?: string; root_cause?: { type?: string; reason?: string }[] };
}

/** The first cause of a refusal. */
export function engineError(status: number, body: unknown): EngineError {
  const { error } = (body ?? {}) as ErrorBody;
  if (typeof error !== "object") return new EngineError(status, "error", error ?? "without a reason");
  const cause = error.root_cause?.[0] ?? error;
  return new EngineError(status, cause.type ?? "error", cause.reason ?? "without a reason");
}
