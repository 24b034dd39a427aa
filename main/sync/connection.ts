import type { Logger } from "pino";
import type { Db } from "../../shared/database/open.ts";
import { isDiskFull } from "../../shared/kernel/disk-full.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { Backoff } from "./backoff.ts";
import { localFailure } from "./local-failure.ts";
import type { Operation } from "./operation.repository.ts";
import { PutAside } from "./put-aside.ts";
import { ServerError, Unreachable } from "./transport.ts";
import type { Account, LeftOpen, NotTaken, Upstream, Upstreams, Welcome } from "./upstream.ts";

export interface ConnectionOptions {
  /** A number from 0 to 1, to randomise waits. */
  random(): number;
  /** Microseconds UTC. */
  now(): number;
  makeRoom?(error: unknown): boolean;
  log: Logger;
  upstreams: Upstreams;
}

/** How long after a 401 the token is tried again, because the 401 may have come from a proxy. */
const signInWaitMs = 15_000;
/** The server knows no such token. It waits for the user, and is tried seldom, because a restored server may know it. */
const deadTokenMs = { first: 30_000, longest: 3_600_000 };

const isDeadToken = (error: unknown): boolean => error instanceof Failure && error.extra.error === "invalid_token";

/** The connection to the server: whether it works, the last error, and the calls under way. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #backoff: Backoff;
  readonly #deadToken: Backoff;
  #calls = new AbortController();
  /** Undefined: no server is connected. */
  account: Account | undefined;
  /** Undefined while no call may be made. */
  upstream: Upstream | undefined;
  /** Whether the last call was answered. */
  isUp = false;
  needsSignIn = false;
  /** The last attempt failed because the disk of this computer is full. */
  lacksSpace = false;
  /** The protocol versions of the server and this app do not match. */
  isOutdated = false;
  /** Messages for operations whose command the server does not know yet, by operation id. Cleared after a reconnect. */
  readonly unsupported = new Map<string, string>();
  /** Operations that failed alone although the server answers, by operation id. */
  readonly putAside: PutAside;
  /** Files that the server, or a proxy, does not accept now, by digest. */
  readonly filesAside: PutAside;
  lastError: string | null = null;
  /** Time of the next attempt after a failure, in microseconds UTC. */
  nextAttempt: number | null = null;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.random);
    this.#deadToken = new Backoff(options.random, deadTokenMs.first, deadTokenMs.longest);
    this.putAside = new PutAside(options.now);
    this.filesAside = new PutAside(options.now);
  }

  /** Checks an address and a token. @throws Failure 400 that says what is wrong. */
  welcome(address: string, token: string): Promise<Welcome> {
    return this.#options.upstreams.welcome(address, token);
  }

  /** What a non-Carrel server left open. */
  leftOpen(): Promise<LeftOpen> {
    return this.#options.upstreams.leftOpen();
  }

  /** Values of a draft that a non-Carrel server did not store. */
  async notTakenOf(db: Db, draftId: string): Promise<NotTaken[]> {
    return this.account?.upstream ? this.#options.upstreams.notTakenOf(db, draftId) : [];
  }

  /** Aborts when the connection is lost: for calls outside of the loops. */
  get signal(): AbortSignal {
    return this.#calls.signal;
  }

  /** Aborts the calls of the previous account. */
  open(account: Account): void {
    this.account = account;
    this.#calls.abort();
    this.#calls = new AbortController();
    this.upstream = this.#options.upstreams.open(account, this.#calls.signal);
    if (account.token !== "") return;
    this.needsSignIn = true;
    this.lastError = "The stored access token cannot be read on this computer. Sign in again.";
  }

  /** Aborts the calls under way. Later pages of the feed show which took effect. */
  abortCalls(): void {
    this.#calls.abort();
    this.upstream = undefined;
  }

  /** Forgets the server. */
  close(): void {
    this.account = undefined;
    this.isUp = false;
    this.abortCalls();
  }

  /** Makes the next attempt due now. */
  retryNow(): void {
    this.unsupported.clear();
    this.putAside.retryNow();
    this.filesAside.retryNow();
    this.#backoff.succeeded();
    this.#deadToken.succeeded();
  }

  /** @returns whether nothing could be sent before. */
  succeeded(): boolean {
    const wasUp = this.isUp && !this.needsSignIn;
    if (!wasUp) this.unsupported.clear();
    this.isUp = true;
    this.isOutdated = false;
    this.lacksSpace = false;
    this.needsSignIn = false;
    this.#backoff.succeeded();
    this.#deadToken.succeeded();
    this.nextAttempt = null;
    this.lastError = null;
    return !wasUp;
  }

  /** Why an unsent operation waits although the server answers, and when it is sent again. */
  findAside({ id, blobs }: Pick<Operation, "id" | "blobs">): ReturnType<PutAside["find"]> {
    const ofFiles: { sha256: string }[] = this.filesAside.isEmpty ? [] : JSON.parse(blobs);
    return this.putAside.find(id) ?? ofFiles.map(({ sha256 }) => this.filesAside.find(sha256)).find(Boolean);
  }

  /** Records a failed call. @returns how long to wait, in milliseconds. */
  failed(error: unknown): number {
    if (this.#options.makeRoom?.(error)) return 0;
    const isKnown = error instanceof Unreachable || error instanceof Failure;
    if (!isKnown) this.#options.log.error({ err: error }, "sync failed");
    this.lastError = isKnown ? error.message : localFailure(error);
    this.lacksSpace = isDiskFull(error);
    this.isOutdated = error instanceof Failure && error.kind === "upgrade_required";
    if (error instanceof Failure && error.kind === "unauthorized") this.needsSignIn = true;
    else this.#reset(error);
    const signInMs = isDeadToken(error) ? this.#deadToken.failed() : signInWaitMs;
    const waitMs = this.needsSignIn ? signInMs : this.#backoff.failed();
    this.nextAttempt = this.#options.now() + Math.round(waitMs * 1000);
    return waitMs;
  }

  /** Aborts the other calls on a lost connection, which would only run into their time limits. */
  #reset(error: unknown): void {
    const wasUp = this.isUp;
    this.isUp = false;
    if (!wasUp || !this.account || error instanceof ServerError) return;
    this.open(this.account);
  }
}
