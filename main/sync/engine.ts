import { replaceObject } from "../../shared/bundles/bundle.repository.ts";
import type { Bundle } from "../../shared/bundles/bundle.schema.ts";
import { transaction } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { protocolHeader, protocolVersion } from "../../shared/sync-protocol/protocol-version.ts";
import type { ServerLink } from "../replica/replica-host.ts";
import { Backoff, Bell } from "./backoff.ts";
import type { EngineOptions } from "./engine-options.ts";
import { topUpLeases } from "./leases.ts";
import { endAllSending, listOpen } from "./operation.repository.ts";
import { forget, type Remembered, recall, remember } from "./person.repository.ts";
import { personIn } from "./person.ts";
import { createPuller, MassRemoval, type Puller } from "./puller.ts";
import { createPusher, type Pusher } from "./pusher.ts";
import { rebaseEverything } from "./rebase.ts";
import { httpTransport, type Transport, Unreachable } from "./transport.ts";
import { Uploader } from "./uploader.ts";
import { Waiters } from "./waiters.ts";

export type Connection = Pick<Remembered, "server" | "token" | "user">;

const [watchSeconds, settleMs, idleMs] = [8, 30_000, 60_000];

export const wireHeaders = { [protocolHeader]: String(protocolVersion) };

/** The loop between one replica and its server: sends, uploads, watches the feed, and knows how things stand. */
export class SyncEngine implements ServerLink {
  readonly #options: EngineOptions;
  readonly #waiters = new Waiters();
  readonly #sendBell = new Bell();
  readonly #watchBell = new Bell();
  readonly #backoff: Backoff;
  readonly uploader: Uploader;
  #pusher: Pusher | undefined;
  #puller: Puller | undefined;
  /** Undefined: no server is connected. Changed by `connect` and `disconnect`. */
  connection: Connection | undefined;
  #transport: Transport | undefined;
  #calls = new AbortController();
  #loops: Promise<void>[] = [];
  #isStopped = false;
  #isOnline = false;
  /** Whether everything that the server had to say was fetched. */
  isCaughtUp = false;
  #mayRemoveMuch = false;
  isPaused: boolean;
  needsSignIn = false;
  lastError: string | null = null;
  /** When the line is tried again after a failure, in microseconds UTC. */
  nextAttempt: number | null = null;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.random);
    this.isPaused = options.startPaused;
    this.uploader = new Uploader({
      db: options.db,
      blobs: options.blobs,
      line: () => this.connection && { ...this.connection, headers: wireHeaders },
      onArrived: () => this.nudge(),
      onProgress: options.onStatus,
    });
  }

  isOnline(): boolean {
    return this.#isOnline && !this.isPaused && !this.needsSignIn;
  }

  /** Reads what is remembered and begins. */
  async start(): Promise<void> {
    const { db } = this.#options;
    const common = {
      host: this.#options.host(),
      handlers: this.#options.handlers(),
      project: this.#options.project,
      callerIn: personIn,
      onChanged: this.#options.onChanged,
      mayRemoveMuch: () => this.#mayRemoveMuch,
      onStartOver: () => this.#startOver(),
    };
    this.#puller = createPuller(common);
    this.#pusher = createPusher({
      ...common,
      hasServer: (sha256) => this.uploader.hasServer(sha256),
      onMissing: (sha256) => this.uploader.forget(sha256),
      onSettled: (id, settled) => this.#waiters.settle(id, settled),
    });
    await endAllSending(db);
    this.isPaused = this.isPaused || ((await recall(db, "paused")) ?? false);
    const [server, token, user] = [await recall(db, "server"), await recall(db, "token"), await recall(db, "user")];
    if (server && token && user) this.#use({ server, token, user });
    this.#loops = [this.#sendLoop(), this.#watchLoop(), this.#uploadLoop()];
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#hangUp();
    this.#ringAll();
    await Promise.all(this.#loops);
  }

  /** Takes a checked connection and its person's card; drafts made as `local` become hers. */
  async connect(connection: Connection, card: Bundle): Promise<void> {
    const { db } = this.#options;
    const isNew = (await recall(db, "user")) === undefined;
    await transaction(db, async (tx) => {
      for (const name of ["server", "token", "user"] as const) await remember(tx, name, connection[name]);
      await replaceObject(tx, card);
      await this.#options.project(tx, [{ kind: card.kind, id: card.id }]);
      if (isNew) await this.#options.project(tx, await rebaseEverything(tx, this.#options.handlers()));
    });
    this.#use(connection);
    this.needsSignIn = false;
    this.run();
  }

  /** Forgets the server; what is here stays. */
  async disconnect(): Promise<void> {
    await forget(this.#options.db, ["server", "token"]);
    this.connection = undefined;
    this.#isOnline = false;
    this.#hangUp();
    this.#options.onStatus();
  }

  async setPaused(isPaused: boolean): Promise<void> {
    this.isPaused = isPaused;
    await remember(this.#options.db, "paused", isPaused);
    this.#hangUp();
    if (!isPaused && this.connection) this.#use(this.connection);
    this.run();
    this.#options.onStatus();
  }

  nudge(): void {
    this.#sendBell.ring();
    this.uploader.bell.ring();
    this.#options.onStatus();
  }

  /** An attempt now, whatever the back-off says. */
  run(): void {
    this.#backoff.succeeded();
    this.#ringAll();
  }

  async refresh(): Promise<void> {
    const transport = this.#transport;
    if (!transport || !this.#puller || this.isPaused) return;
    try {
      while (await this.#puller.pull(transport));
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Sends all that can be sent now, then fetches what is new. */
  async flush(): Promise<void> {
    const transport = this.#transport;
    if (transport && this.#pusher) while ((await this.#pusher.push(transport)) > 0);
    await this.refresh();
  }

  async settle(operationId: string): Promise<{ result: unknown } | undefined> {
    const outcome = this.#waiters.wait(operationId, settleMs);
    this.nudge();
    const settled = await outcome;
    if (!settled) return undefined;
    if (settled.state === "refused") {
      await this.refresh();
      throw settled.error;
    }
    if (await this.#isBehind(settled.seq)) await this.refresh();
    // Done there, but the line broke before it could be seen here: for the person it still waits.
    return (await this.#isBehind(settled.seq)) ? undefined : { result: settled.result };
  }

  async #isBehind(seq: number): Promise<boolean> {
    return this.#puller !== undefined && (await this.#puller.seq()) < seq;
  }

  #use(connection: Connection): void {
    this.connection = connection;
    this.#calls = new AbortController();
    this.#transport = httpTransport({ ...connection, headers: wireHeaders, signal: this.#calls.signal });
    this.isCaughtUp = false;
  }

  /** Ends the calls under way: what was sent is found out about later. */
  #hangUp(): void {
    this.#calls.abort();
    this.#transport = undefined;
    this.#waiters.giveUp();
  }

  #ringAll(): void {
    this.#sendBell.ring();
    this.#watchBell.ring();
    this.uploader.bell.ring();
  }

  async #succeeded(): Promise<void> {
    this.#backoff.succeeded();
    this.nextAttempt = null;
    this.lastError = null;
    const wasOnline = this.#isOnline;
    this.#isOnline = true;
    await remember(this.#options.db, "last_success", this.#options.host().now());
    if (!wasOnline) this.nudge();
    this.#options.onStatus();
  }

  /** A failed call: the person learns why, nothing is given up. @returns how long to wait, in milliseconds. */
  #failed(error: unknown): number {
    if (this.#isStopped || this.isPaused || !this.connection) return idleMs;
    const isKnown = error instanceof Unreachable || error instanceof Failure;
    if (!isKnown) this.#options.log.error({ err: error }, "sync failed");
    this.lastError = isKnown ? error.message : "Something went wrong on this computer; the log tells what.";
    if (error instanceof Failure && error.kind === "unauthorized") this.needsSignIn = true;
    else this.#isOnline = false;
    this.#waiters.giveUp();
    this.#options.onStatus();
    const waitMs = this.#backoff.failed();
    this.nextAttempt = this.#options.host().now() + waitMs * 1000;
    return waitMs;
  }

  async #askFirst(removal: MassRemoval): Promise<number> {
    await this.setPaused(true);
    this.#mayRemoveMuch = true;
    this.lastError = removal.message;
    return idleMs;
  }

  /** The server lost some of what it had: nothing that was believed of it counts. */
  #startOver(): void {
    this.#options.log.warn("the server was restored from a backup; what it lost is delivered again");
    this.isCaughtUp = false;
    this.uploader.forgetAll();
    this.#ringAll();
    this.#options.onStatus();
  }

  #line(): Transport | undefined {
    return this.isPaused || this.needsSignIn ? undefined : this.#transport;
  }

  async #sendLoop(): Promise<void> {
    while (!this.#isStopped) {
      const transport = this.#line();
      let waitMs = idleMs;
      if (transport && this.#pusher) {
        try {
          const ended = await this.#pusher.push(transport);
          await topUpLeases(this.#options.db, transport, this.#options.host().now());
          if (ended > 0) {
            await this.#succeeded();
            continue;
          }
        } catch (error) {
          waitMs = this.#failed(error);
        }
      }
      await this.#sendBell.wait(waitMs);
    }
  }

  async #watchLoop(): Promise<void> {
    while (!this.#isStopped) {
      const transport = this.#line();
      let waitMs = transport ? 0 : idleMs;
      if (transport && this.#puller) {
        try {
          const waits = this.#isOnline && this.isCaughtUp ? watchSeconds : 0;
          const more = await this.#puller.pull(transport, waits);
          this.isCaughtUp = !more;
          this.#mayRemoveMuch &&= more;
          await this.#succeeded();
        } catch (error) {
          waitMs = error instanceof MassRemoval ? await this.#askFirst(error) : this.#failed(error);
        }
      }
      if (waitMs > 0) await this.#watchBell.wait(waitMs);
    }
  }

  async #uploadLoop(): Promise<void> {
    while (!this.#isStopped) {
      let waitMs = idleMs;
      if (this.#line()) {
        try {
          await this.uploader.uploadAll(await listOpen(this.#options.db));
        } catch (error) {
          waitMs = this.#failed(error);
        }
      }
      await this.uploader.bell.wait(waitMs);
    }
  }
}
