import { replaceObject } from "../../shared/bundles/bundle.repository.ts";
import type { Bundle } from "../../shared/bundles/bundle.schema.ts";
import { replaceableTransaction, transaction } from "../../shared/database/open.ts";
import type { ServerLink } from "../replica/replica-host.ts";
import { Bell } from "./backoff.ts";
import { MassRemoval } from "./brake.ts";
import type { EngineOptions } from "./engine-options.ts";
import { IndexBacklog } from "./index-backlog.ts";
import { keepConnection, keptConnection } from "./kept-connection.ts";
import { type Connection, Line, wireHeaders } from "./line.ts";
import { endAllSending, listOpenWithBlobs } from "./operation.repository.ts";
import { Pause } from "./pause.ts";
import { forget, recall, remember } from "./person.repository.ts";
import { personIn } from "./person.ts";
import { createPuller, type Puller } from "./puller.ts";
import { createPusher, type Pusher, type PusherOptions } from "./pusher.ts";
import { rebaseEverything } from "./rebase.ts";
import { type RefusalOptions, refuseWithout } from "./refusal.ts";
import type { Transport } from "./transport.ts";
import { Uploader } from "./uploader.ts";
import { Waiters } from "./waiters.ts";

const [watchSeconds, settleMs, idleMs] = [8, 30_000, 60_000];

/** The loop between one replica and its server: sends, uploads, watches the feed, and knows how things stand. */
export class SyncEngine implements ServerLink {
  readonly #options: EngineOptions;
  readonly #waiters = new Waiters();
  readonly #sendBell = new Bell();
  readonly #watchBell = new Bell();
  readonly line: Line;
  readonly uploader: Uploader;
  readonly backlog: IndexBacklog;
  #pusher: Pusher | undefined;
  #puller: Puller | undefined;
  #loops: Promise<void>[] = [];
  #isStopped = false;
  /** Whether everything that the server had to say was fetched. */
  isCaughtUp = false;
  readonly pause: Pause;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.line = new Line({ ...options, now: () => options.host().now() });
    this.pause = new Pause(options.db, options.startPaused);
    const { db, log, onStatus } = options;
    this.backlog = new IndexBacklog({ db, log, isDue: () => this.isCaughtUp, onDone: onStatus });
    this.uploader = new Uploader({
      db: options.db,
      blobs: options.blobs,
      line: () => this.connection && { ...this.connection, headers: wireHeaders },
      onEnded: () => this.nudge(),
      onProgress: options.onStatus,
      onRefused: (sha256, failure) => refuseWithout(this.#work(), sha256, failure),
    });
  }

  /** The server that is connected, changed by `connect` and `disconnect`. */
  get connection(): Connection | undefined {
    return this.line.connection;
  }

  /** What everything that changes this replica because of the server works with. */
  #work(): RefusalOptions & Pick<PusherOptions, "onStartOver"> {
    const { project, onChanged } = this.#options;
    return {
      host: this.#options.host(),
      handlers: this.#options.handlers(),
      ...{ callerIn: personIn, project, onChanged },
      onSettled: (id, settled) => this.#waiters.settle(id, settled),
      onStartOver: () => this.#startOver(),
    };
  }

  isOnline(): boolean {
    return this.line.isUp && !this.pause.isOn && !this.line.needsSignIn;
  }

  /** A call made beside the loops found the server out of reach. */
  readonly lost = (error: Error): void => void this.#failed(error);

  /** Reads what is remembered and begins. */
  async start(): Promise<void> {
    const { db } = this.#options;
    this.#puller = createPuller({
      ...this.#work(),
      mayRemoveMuch: () => this.pause.mayRemoveMuch,
      isHeard: this.#options.isHeard,
      onUnindexed: () => this.backlog.look(),
    });
    this.#pusher = createPusher({
      ...this.#work(),
      hasServer: (sha256) => this.uploader.hasServer(sha256),
      onMissing: (sha256) => this.uploader.forget(sha256),
      beyond: this.line.beyond,
    });
    await endAllSending(db);
    await this.backlog.start();
    await this.pause.recall();
    const kept = await keptConnection(db, this.#options.safe);
    if (kept) this.#use(kept);
    this.#loops = [this.#sendLoop(), this.#watchLoop(), this.#uploadLoop()];
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#hangUp();
    this.#ringAll();
    await Promise.all([...this.#loops, this.backlog.stop(), this.#puller?.close()]);
  }

  /** Takes a checked connection and its person's card; drafts made as `local` become hers. */
  async connect(connection: Connection, card: Bundle): Promise<void> {
    const { db } = this.#options;
    const isNew = (await recall(db, "user")) === undefined;
    await transaction(db, async (tx) => {
      await keepConnection(tx, this.#options.safe, connection);
      await replaceObject(tx, card);
      await this.#options.project(tx, [{ kind: card.kind, id: card.id }]);
      if (isNew) await this.#options.project(tx, await rebaseEverything(tx, this.#options.handlers()));
    });
    this.#use(connection);
    await this.#succeeded();
    this.run();
  }

  /** Forgets the server, one that was only named too; what is here stays. It was the line that was paused: the next one is not. */
  async disconnect(): Promise<void> {
    await forget(this.#options.db, ["server", "token", "wished"]);
    await this.pause.end();
    this.line.close();
    this.#waiters.giveUp();
    this.#options.onStatus();
  }

  async setPaused(isPaused: boolean): Promise<void> {
    await this.pause.set(isPaused);
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
    this.line.forgive();
    this.#ringAll();
  }

  async refresh(): Promise<void> {
    const { transport } = this.line;
    if (!transport || !this.#puller || this.pause.isOn) return;
    try {
      while (await this.#puller.pull(transport));
    } catch (error) {
      await this.#pullFailed(error);
    }
  }

  /** Sends all that can be sent now, then fetches what is new. */
  async flush(): Promise<void> {
    if ((await recall(this.#options.db, "cursor")) === undefined) await this.refresh();
    if (this.line.transport && this.#pusher) while ((await this.#pusher.push(this.line.transport)) > 0);
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
    this.line.open(connection);
    this.isCaughtUp = false;
  }

  /** Ends the calls under way: what was sent is found out about later. */
  #hangUp(): void {
    this.line.hangUp();
    this.#waiters.giveUp();
  }

  #ringAll(): void {
    this.#sendBell.ring();
    this.#watchBell.ring();
    this.uploader.bell.ring();
  }

  async #succeeded(): Promise<void> {
    const isBack = this.line.succeeded();
    await replaceableTransaction(this.#options.db, (tx) => remember(tx, "last_success", this.#options.host().now()));
    if (isBack) this.nudge();
    this.#options.onStatus();
  }

  /** A failed call: the person learns why, nothing is given up. @returns how long to wait, in milliseconds. */
  #failed(error: unknown): number {
    if (this.#isStopped || this.pause.isOn || !this.connection) return idleMs;
    const waitMs = this.line.failed(error);
    this.#waiters.giveUp();
    this.#options.onStatus();
    return waitMs;
  }

  async #pullFailed(error: unknown): Promise<number> {
    if (!(error instanceof MassRemoval)) return this.#failed(error);
    await this.pause.ask(error.message);
    this.#hangUp();
    this.#options.onStatus();
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
    return this.pause.isOn || this.line.needsSignIn ? undefined : this.line.transport;
  }

  async #sendLoop(): Promise<void> {
    while (!this.#isStopped) {
      // Without a line the watch looks for it: what waits is not called `sending` at every attempt.
      const transport = this.line.isUp ? this.#line() : undefined;
      let waitMs = idleMs;
      if (transport && this.#pusher) {
        try {
          const ended = await this.#pusher.push(transport);
          if (this.connection) await this.#options.signOn(transport, this.connection.server);
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
          const more = await this.#puller.pull(transport, this.line.isUp && this.isCaughtUp ? watchSeconds : 0);
          if (!this.isCaughtUp) this.#sendBell.ring(); // work waits for the first page
          this.isCaughtUp = !more;
          if (!more) this.backlog.poke();
          if (!more) this.pause.asked = null;
          await this.#succeeded();
        } catch (error) {
          waitMs = await this.#pullFailed(error);
        }
      }
      if (waitMs > 0) await this.#watchBell.wait(waitMs);
    }
  }

  async #uploadLoop(): Promise<void> {
    while (!this.#isStopped) {
      let waitMs = idleMs;
      if (this.line.isUp && this.#line()) {
        try {
          await this.uploader.uploadAll(await listOpenWithBlobs(this.#options.db));
        } catch (error) {
          waitMs = this.#failed(error);
        }
      }
      await this.uploader.bell.wait(waitMs);
    }
  }
}
