import type { IncomingMessage } from "node:http";
import { Failure } from "../../../shared/kernel/failure.ts";
import { version } from "../../../shared/version.ts";
import { describeNetworkError, readAnswer, refusalOf, ServerError, Unreachable } from "../../sync/transport.ts";
import type { Account } from "../../sync/upstream.ts";
import { acceptOf } from "./accept.policy.ts";
import { afterAnswer, type Budget, isSlow, type Urgency, waitOf } from "./budget.policy.ts";
import { certaintyOf, isNeverSent } from "./certainty.policy.ts";
import type { Machine, SentBytes } from "./machine.ts";

/** An answer with JSON, or without a body. */
export interface RestAnswer {
  status: number;
  body: unknown;
}

/** An answer of JSON that comes more slowly, in bytes a second, would keep all others waiting. */
const slowest = { bytesPerSecond: 500, afterMs: 60_000 };

/** The pieces of an answer. @throws if it drips. */
async function* inTime(answer: IncomingMessage): AsyncIterable<Buffer> {
  const begun = performance.now();
  let size = 0;
  for await (const chunk of answer) {
    size += chunk.length;
    const tookMs = performance.now() - begun;
    if (tookMs > slowest.afterMs && (size * 1000) / tookMs < slowest.bytesPerSecond) throw new Error("time-out");
    yield chunk;
  }
}

/** The outcome of a write. */
export type Written =
  | { certainty: "done"; status: number; body: unknown }
  | { certainty: "refused"; status: number; message: string; errors: unknown }
  /** `isLate`: no answer, or a gateway gave up waiting. The call may still be carried out. */
  | { certainty: "unknown"; why: string; isLate: boolean };

export interface CallOptions {
  urgency?: Urgency;
  ifMatch?: number;
  json?: unknown;
  bytes?: SentBytes;
  timeoutMs?: number;
}

export interface RestLineOptions {
  account: Pick<Account, "server" | "token">;
  signal?: AbortSignal;
  /** The site, as messages name it. */
  name: string;
  /** What is left of the server's limits. It outlives a connection. */
  limits: { budget: Budget };
  /** Milliseconds UTC. */
  nowMs(): number;
  send: Machine["send"];
  /** A call had no answer, or an error of the server. */
  onLost?(): void;
}

/** The server allows no call for this purpose now: after a 429, or because its rate limit is used up. */
export class SlowedDown extends ServerError {}

/** The call was sent and no answer came: it may have taken effect. */
export class LostAnswer extends Error {}

const numberIn = (value: unknown): number | undefined => {
  const number = typeof value === "string" ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
};

const secondsFrom = (fromMs: number, toMs: number): number | undefined =>
  Number.isFinite(toMs - fromMs) ? Math.max(0, (toMs - fromMs) / 1000) : undefined;

/**
 * When the period ends, in seconds: `Retry-After`, a number or a time by the server's clock. A proxy may remove it, then
 * `X-RateLimit-Reset` says so, in seconds since 1970.
 */
function retryAfterIn({ "retry-after": after, "x-ratelimit-reset": reset, date }: IncomingMessage["headers"]) {
  const thereMs = Date.parse(date ?? "");
  const resetMs = (numberIn(reset) ?? Number.NaN) * 1000;
  return numberIn(after) ?? secondsFrom(thereMs, Date.parse(after ?? "")) ?? secondsFrom(thereMs, resetMs);
}

const limitsIn = ({ headers }: IncomingMessage) => ({
  limit: numberIn(headers["x-ratelimit-limit"]),
  remaining: numberIn(headers["x-ratelimit-remaining"]),
  retryAfter: retryAfterIn(headers),
});

const isRefusalBody = (body: unknown): body is { message: string; errors?: unknown } =>
  typeof body === "object" && body !== null && typeof (body as { message?: unknown }).message === "string";

/** The refusal of a read. */
export const refusedRead = (answer: RestAnswer): Error => refusalOf(answer);

const isError = (status: number): boolean => status >= 500;
const isDenied = (status: number): boolean => status === 401 || status === 403;

/** All calls to one InvenioRDM: the only place that sends the token. */
export class RestLine {
  readonly #options: RestLineOptions;
  /** Whether the last call was answered. */
  isUp = false;
  /** When the server last answered, in milliseconds UTC. */
  lastAnswerMs: number | undefined;
  /** The time of the last answer by the server's clock, in milliseconds UTC; undefined if it did not say it. */
  thereMs: number | undefined;

  constructor(options: RestLineOptions) {
    this.#options = options;
  }

  /** Until when the server wants no calls, in milliseconds; undefined if it wants them. */
  get silentUntilMs(): number | undefined {
    return this.#budget.silentUntilMs > this.#options.nowMs() ? this.#budget.silentUntilMs : undefined;
  }

  get isSlow(): boolean {
    return isSlow(this.#budget, this.#options.nowMs());
  }

  /** How long the limits leave no such call, in milliseconds. */
  waitMs(urgency: Urgency): number {
    return waitOf(this.#budget, urgency, this.#options.nowMs());
  }

  mayCall(urgency: Urgency): boolean {
    return this.waitMs(urgency) === 0;
  }

  /** @throws SlowedDown */
  assertMayCall(urgency: Urgency): void {
    if (!this.mayCall(urgency)) throw this.#slowedDown();
  }

  /** Reads. After a 403, checks whether the token still works. @throws Unreachable; Failure 401 for a dead token. */
  async read(path: string, options: CallOptions = {}): Promise<RestAnswer> {
    const answer = await this.#json("GET", path, { urgency: "send", ...options });
    if (answer.status === 429) throw this.#slowedDown();
    this.#assertOwn(answer);
    if (isDenied(answer.status)) await this.assertToken();
    return answer;
  }

  /** Writes, once. @throws Unreachable if nothing was sent; Failure 401 for a dead token. */
  async write(method: string, path: string, options: CallOptions = {}): Promise<Written> {
    let answer: RestAnswer & { isJson: boolean };
    try {
      answer = await this.#json(method, path, { urgency: "send", ...options });
    } catch (error) {
      if (error instanceof LostAnswer) return { certainty: "unknown", why: error.message, isLate: true };
      throw error;
    }
    const { status, body, isJson } = answer;
    if (status === 429) throw this.#slowedDown();
    const certainty = certaintyOf({ status, isJson, isRefusal: isRefusalBody(body) });
    if (certainty === "done") return { certainty, status, body };
    if (certainty === "unknown") {
      return { certainty: "unknown", why: `${this.#options.name} answered ${status}.`, isLate: status === 504 };
    }
    if (isDenied(status)) await this.assertToken();
    if (!isRefusalBody(body)) return { certainty, status, message: `It is too large (${status}).`, errors: undefined };
    return { certainty, status, message: body.message, errors: body.errors };
  }

  /**
   * An answer as a stream. A redirect to another site is followed without the token.
   * @throws SlowedDown; Unreachable; LostAnswer for a call that may have changed something
   */
  async open(
    path: string,
    headers: Record<string, string>,
    { method = "GET", body }: { method?: string; body?: Buffer } = {},
  ): Promise<IncomingMessage> {
    const { server, token, origin } = this.#own();
    let url = new URL(server + path);
    this.assertMayCall("user");
    for (let hops = 0; hops < 4; hops++) {
      const credentials: Record<string, string> = url.origin === origin ? { authorization: `Bearer ${token}` } : {};
      const sent: Record<string, string> =
        body === undefined || body.length === 0
          ? {}
          : { "content-type": "application/json", "content-length": String(body.length) };
      const answer = await this.#send(method, url, { ...credentials, ...headers, ...sent }, body, 60_000);
      // Another site's limits and clock are not the server's.
      if (url.origin === origin) this.#note(answer);
      const { statusCode = 0, headers: got } = answer;
      // A change is not sent to a second address.
      const isFollowed = method === "GET" || method === "HEAD";
      if (!isFollowed || statusCode < 300 || statusCode >= 400 || got.location === undefined) return answer;
      answer.destroy();
      if (!URL.canParse(got.location, url)) break;
      url = new URL(got.location, url);
      if (url.protocol !== "https:" && url.origin !== origin) break;
    }
    throw new ServerError(`${this.#options.name} sent this call to an address that is not followed.`);
  }

  /**
   * With a revoked token, the server treats each call as a guest's and answers 403. Only `/api/me` refuses the token.
   * @throws Failure 401
   */
  async assertToken(): Promise<void> {
    const me = await this.#json("GET", "/api/me", {});
    const probe = me.status === 404 ? await this.#json("GET", "/api/user/records?size=1", {}) : me;
    if (probe.status === 429) throw this.#slowedDown();
    this.#assertOwn(probe);
    if (isDenied(probe.status)) throw new Failure("unauthorized", "The access token is not valid any more.");
  }

  /** A refusal in another form than JSON is that of a proxy or a portal, and says nothing of what is there. */
  #assertOwn({ status, isJson }: { status: number; isJson: boolean }): void {
    if (isError(status)) throw new ServerError(`${this.#options.name} answered ${status}.`);
    if (status >= 300 && !isJson) throw new Unreachable(`The answer did not come from ${this.#options.name}.`);
  }

  #own() {
    const { server, token } = this.#options.account;
    return { server, token, origin: new URL(server).origin };
  }

  #slowedDown(): SlowedDown {
    const untilMs = this.silentUntilMs;
    if (untilMs === undefined) {
      return new SlowedDown(`Most of the calls that ${this.#options.name} allows are used. Carrel goes on shortly.`);
    }
    const until = new Date(untilMs).toTimeString().slice(0, 5);
    return new SlowedDown(`${this.#options.name} asks us to slow down. Carrel goes on at ${until}.`);
  }

  #setUp(isUp: boolean): void {
    this.isUp = isUp;
    if (isUp) this.lastAnswerMs = this.#options.nowMs();
    if (!isUp) this.#options.onLost?.();
  }

  get #budget(): Budget {
    return this.#options.limits.budget;
  }

  #note(incoming: IncomingMessage): void {
    this.#setUp((incoming.statusCode ?? 0) < 500);
    const thereMs = Date.parse(incoming.headers.date ?? "");
    this.thereMs = Number.isFinite(thereMs) ? thereMs : undefined;
    this.#options.limits.budget = afterAnswer(
      this.#budget,
      incoming.statusCode ?? 0,
      limitsIn(incoming),
      this.#options.nowMs(),
    );
  }

  async #json(method: string, path: string, options: CallOptions): Promise<RestAnswer & { isJson: boolean }> {
    const { server, token } = this.#own();
    const { urgency = "user", ifMatch, json, bytes, timeoutMs = 30_000 } = options;
    this.assertMayCall(urgency);
    const text = json === undefined ? undefined : Buffer.from(JSON.stringify(json));
    const headers: Record<string, string> = {
      authorization: `Bearer ${token}`,
      accept: acceptOf(path),
      ...(ifMatch === undefined ? {} : { "if-match": String(ifMatch) }),
      ...(text ? { "content-type": "application/json", "content-length": String(text.length) } : {}),
      ...(bytes ? { "content-type": "application/octet-stream", "content-length": String(bytes.size) } : {}),
    };
    const incoming = await this.#send(method, new URL(server + path), headers, bytes ?? text, timeoutMs);
    this.#note(incoming);
    const status = incoming.statusCode ?? 0;
    const isJson = (incoming.headers["content-type"] ?? "").includes("json");
    const lost = (why: string) => (method === "GET" ? new Unreachable(why) : new LostAnswer(why));
    let body: Buffer;
    try {
      body = await readAnswer(inTime(incoming));
    } catch (error) {
      if (error instanceof ServerError && method === "GET") throw error;
      this.#setUp(false);
      throw lost(error instanceof ServerError ? error.message : describeNetworkError(error));
    }
    if (isJson && body.length > 0) {
      try {
        return { status, isJson, body: JSON.parse(body.toString()) };
      } catch {
        throw lost(`The answer of ${this.#options.name} was incomplete or changed on the way (${status}).`);
      }
    }
    // A page of HTML in place of JSON, as a captive portal sends it, is no answer.
    if (method === "GET" && status < 300) throw new Unreachable(`The answer did not come from ${this.#options.name}.`);
    return { status, isJson: false, body: undefined };
  }

  async #send(
    method: string,
    url: URL,
    headers: Record<string, string>,
    body: Buffer | SentBytes | undefined,
    timeoutMs: number,
  ): Promise<IncomingMessage> {
    const { signal, send } = this.#options;
    const own = { "user-agent": `Carrel/${version}`, "accept-encoding": "identity" };
    const call = { method, url, headers: { ...own, ...headers }, body, timeoutMs };
    try {
      return await send({ ...call, ...(signal ? { signal } : {}) });
    } catch (error) {
      this.#setUp(false);
      const isSafe = method === "GET" || isNeverSent((error as NodeJS.ErrnoException).code ?? "");
      throw isSafe ? new Unreachable(describeNetworkError(error)) : new LostAnswer(describeNetworkError(error));
    }
  }
}
