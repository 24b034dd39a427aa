import type { Logger } from "pino";
import { Failure } from "../../shared/kernel/failure.ts";
import { protocolHeader, protocolVersion } from "../../shared/sync-protocol/protocol-version.ts";
import { Backoff } from "./backoff.ts";
import type { Remembered } from "./person.repository.ts";
import { httpTransport, ServerTrouble, type Transport, Unreachable } from "./transport.ts";

export type Connection = Pick<Remembered, "server" | "token" | "user">;

export const wireHeaders = { [protocolHeader]: String(protocolVersion) };

export interface LineOptions {
  /** A number from 0 to 1, for waits. */
  random(): number;
  /** Microseconds UTC. */
  now(): number;
  makeRoom?(error: unknown): boolean;
  log: Logger;
}

/** What is known of the way to the server: whether it works, why not, and the calls under way on it. */
export class Line {
  readonly #options: LineOptions;
  readonly #backoff: Backoff;
  #calls = new AbortController();
  /** Undefined: no server is connected. */
  connection: Connection | undefined;
  /** Undefined: nothing is to be asked of the server. */
  transport: Transport | undefined;
  /** Whether the last call was answered. */
  isUp = false;
  needsSignIn = false;
  /** The server and this program are of versions that do not fit together. */
  isOutdated = false;
  /** By id the operations that the server is too old for, with its words; tried again when it was away meanwhile. */
  readonly beyond = new Map<string, string>();
  lastError: string | null = null;
  /** When it is tried again after a failure, in microseconds UTC. */
  nextAttempt: number | null = null;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.random);
  }

  /** Ends when the line breaks: for calls that are made beside the loops. */
  get signal(): AbortSignal {
    return this.#calls.signal;
  }

  open(connection: Connection): void {
    this.connection = connection;
    this.#calls = new AbortController();
    this.transport = httpTransport({ ...connection, headers: wireHeaders, signal: this.#calls.signal });
    if (connection.token !== "") return;
    this.needsSignIn = true;
    this.lastError = "The token is in a key store that cannot be read here: sign in again.";
  }

  /** Ends the calls under way: what was sent is found out about later. */
  hangUp(): void {
    this.#calls.abort();
    this.transport = undefined;
  }

  /** Forgets the server. */
  close(): void {
    this.connection = undefined;
    this.isUp = false;
    this.hangUp();
  }

  /** The next attempt is due now. */
  forgive(): void {
    this.beyond.clear();
    this.#backoff.succeeded();
  }

  /** @returns whether the line was down before. */
  succeeded(): boolean {
    const wasUp = this.isUp;
    if (!wasUp) this.beyond.clear();
    this.isUp = true;
    this.isOutdated = false;
    this.needsSignIn = false;
    this.#backoff.succeeded();
    this.nextAttempt = null;
    this.lastError = null;
    return !wasUp;
  }

  /** Keeps in words why a call failed. @returns how long to wait, in milliseconds. */
  failed(error: unknown): number {
    if (this.#options.makeRoom?.(error)) return 0;
    const isKnown = error instanceof Unreachable || error instanceof Failure;
    if (!isKnown) this.#options.log.error({ err: error }, "sync failed");
    this.lastError = isKnown ? error.message : "Something went wrong on this computer; the log tells what.";
    this.isOutdated = error instanceof Failure && error.kind === "upgrade_required";
    if (error instanceof Failure && error.kind === "unauthorized") this.needsSignIn = true;
    else this.#broke(error);
    const waitMs = this.#backoff.failed();
    this.nextAttempt = this.#options.now() + Math.round(waitMs * 1000);
    return waitMs;
  }

  /** What else is under way on a broken line would only wait for its time to be over. */
  #broke(error: unknown): void {
    const wasUp = this.isUp;
    this.isUp = false;
    if (!wasUp || !this.connection || error instanceof ServerTrouble) return;
    this.#calls.abort();
    this.open(this.connection);
  }
}
