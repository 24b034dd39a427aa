import { setTimeout as sleep } from "node:timers/promises";
import type { Bundle } from "../../shared/bundles/bundle.schema.ts";
import { replaceableTransaction } from "../../shared/database/open.ts";
import type { ServerLink } from "../replica/replica-host.ts";
import { Attempt } from "./attempt.ts";
import { Signal } from "./backoff.ts";
import { Connection } from "./connection.ts";
import type { EngineOptions } from "./engine-options.ts";
import { IndexBacklog } from "./index-backlog.ts";
import { endAllSending, listOpenWithBlobs } from "./operation.repository.ts";
import { OutcomeWaiters } from "./outcome-waiters.ts";
import { Pause } from "./pause.ts";
import { forget, recall, remember } from "./person.repository.ts";
import { personIn } from "./person.ts";
import { createPuller, type Puller, type PullerOptions } from "./puller.ts";
import { createPusher, type Pusher, type PusherOptions, pushEverything } from "./pusher.ts";
import { type RefusalOptions, refuseWithout } from "./refusal.ts";
import { MassRemoval } from "./removal-guard.ts";
import { adoptAccount, findStoredAccount } from "./stored-account.ts";
import { Uploader } from "./uploader.ts";
import type { Account, Upstream } from "./upstream.ts";

/** A user's call waits for new changes for `refreshMs`. The watch loop carries on afterwards. */
const [watchSeconds, outcomeWaitMs, idleMs, refreshMs, probeMs] = [8, 30_000, 60_000, 20_000, 5000];

/** Synchronises one replica with its server: sends operations, uploads files, watches the feed and knows the state. */
export class SyncEngine implements ServerLink {
  readonly #options: EngineOptions;
  readonly #waiters = new OutcomeWaiters((id) => this.connection.upstream?.press?.(id));
  readonly #sendSignal = new Signal();
  readonly #watchSignal = new Signal();
  readonly #attempt: Attempt;
  readonly #rekeyCounts = new Map<string, number>();
  readonly connection: Connection;
  readonly uploader: Uploader;
  readonly indexBacklog: IndexBacklog;
  #pusher: Pusher | undefined;
  #puller: Puller | undefined;
  #loops: Promise<void>[] = [];
  #isStopped = false;
  /** Whether all pages of the feed were fetched. */
  isCaughtUp = false;
  readonly pause: Pause;
  readonly waitsForUser = (): boolean => this.account?.upstream !== undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.connection = new Connection({ ...options, now: () => options.host().now() });
    this.pause = new Pause(options.db, options.startPaused);
    const { db, blobs, log, onStatus } = options;
    this.#attempt = new Attempt({
      isOnline: () => this.isOnline(),
      upstream: () => this.#usableUpstream(),
      onAnswered: () => this.#succeeded().then(() => this.retryNow()),
      onRefused: this.onUnreachable,
    });
    this.indexBacklog = new IndexBacklog({ db, log, isDue: () => this.isCaughtUp, onStatus });
    this.uploader = new Uploader({
      ...{ db, blobs, onProgress: onStatus, now: () => options.host().now(), putAside: this.connection.filesAside },
      bytes: () => this.connection.upstream?.bytes,
      onEnded: () => this.notify(),
      onRefused: (sha256, failure) => refuseWithout(this.#work(), sha256, failure),
    });
  }

  /** The connected server and its user. `connect` and `disconnect` change it. */
  get account(): Account | undefined {
    return this.connection.account;
  }

  /** Options shared by the puller, the pusher and refusals. */
  #work(): RefusalOptions & Pick<PullerOptions, "host"> & Pick<PusherOptions, "onStartOver"> {
    const { project, onChanged } = this.#options;
    return {
      host: this.#options.host(),
      handlers: this.#options.handlers(),
      ...{ callerIn: personIn, project, onChanged, rekeyCounts: this.#rekeyCounts },
      onOutcome: (id, outcome) => this.#waiters.resolve(id, outcome),
      onStartOver: () => this.#startOver(),
    };
  }

  isOnline(): boolean {
    return this.connection.isUp && !this.pause.isOn && !this.connection.needsSignIn;
  }

  /** Whether the server answers. Retries at once if the last call failed. */
  readonly reach = (): Promise<boolean> => this.#attempt.reach();

  /** A call outside of the loops could not reach the server. */
  readonly onUnreachable = (error: Error): void => void this.#failed(error);

  /** Loads the stored state and starts the loops. */
  async start(): Promise<void> {
    const { db } = this.#options;
    this.#puller = createPuller({
      ...this.#work(),
      onChanged: (refs, before) => {
        this.#options.onChanged(refs, before);
        this.#sendSignal.notify(); // work that a restored server lost may go now
      },
      ...{ isMassRemovalAllowed: () => this.pause.isMassRemovalAllowed, hasListeners: this.#options.hasListeners },
      onUnindexed: () => this.indexBacklog.markPending(),
    });
    this.#pusher = createPusher({
      ...this.#work(),
      isOnServer: (sha256) => this.uploader.isOnServer(sha256),
      onMissing: (sha256) => this.uploader.markMissing(sha256),
      ...{ unsupported: this.connection.unsupported, putAside: this.connection.putAside },
    });
    await endAllSending(db);
    await this.indexBacklog.start();
    await this.pause.recall();
    const kept = await findStoredAccount(db, this.#options.tokenCipher);
    if (kept) this.#use(kept);
    this.#loops = [
      this.#loop(this.#sendSignal, () => this.#send()),
      this.#loop(this.#watchSignal, () => this.#watch()),
      this.#loop(this.uploader.signal, () => this.#upload()),
    ];
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#abortCalls();
    this.#notifyAll();
    await Promise.all([...this.#loops, this.indexBacklog.stop(), this.#puller?.close()]);
  }

  /** Stores a checked account and its user's card. Drafts of the user `local` become that user's. */
  async connect(account: Account, card: Bundle): Promise<void> {
    await adoptAccount(this.#options, account, card);
    this.#use(account);
    await this.#succeeded();
    this.retryNow();
  }

  /** Forgets the server, also one that was never reached, and a pause, which belonged to it. Local content stays. */
  async disconnect(): Promise<void> {
    await forget(this.#options.db, ["server", "token", "wished"]);
    await this.pause.end();
    this.connection.close();
    this.#waiters.abandon();
    this.#options.onStatus();
  }

  async setPaused(isPaused: boolean): Promise<void> {
    await this.pause.set(isPaused);
    this.#abortCalls();
    if (!isPaused && this.account) this.#use(this.account);
    this.retryNow();
    this.#options.onStatus();
  }

  notify(): void {
    for (const signal of [this.#sendSignal, this.uploader.signal]) signal.notify();
    this.#options.onStatus();
  }

  /** Tries again at once, whatever the back-off says. */
  retryNow(): void {
    this.connection.retryNow();
    this.connection.upstream?.lookNow?.();
    this.#notifyAll();
  }

  async refresh(): Promise<void> {
    const { upstream } = this.connection;
    if (!upstream || !this.#puller || this.pause.isOn) return;
    await Promise.race([this.#pullAll(upstream, this.#puller), sleep(refreshMs, undefined, { ref: false })]);
  }

  async #pullAll(upstream: Upstream, puller: Puller): Promise<void> {
    const { account } = this;
    try {
      while (await puller.pull(upstream));
    } catch (error) {
      await this.#pullFailed(error, account);
    }
  }

  /** Sends everything that can be sent, then fetches changes. */
  async flush(): Promise<void> {
    if ((await recall(this.#options.db, "cursor")) === undefined) await this.refresh();
    if (this.connection.upstream && this.#pusher) await pushEverything(this.#pusher, this.connection.upstream);
    await this.refresh();
  }

  async waitForOutcome(operationId: string): Promise<{ result: unknown } | undefined> {
    const pending = this.#waiters.wait(operationId, outcomeWaitMs);
    this.notify();
    const outcome = await pending;
    if (!outcome) return undefined;
    if (outcome.state === "refused") {
      await this.refresh();
      throw outcome.error;
    }
    if (await this.#isBehind(outcome.seq)) await this.refresh();
    // The server executed the operation, but the feed has not shown it yet, so it still counts as pending.
    return (await this.#isBehind(outcome.seq)) ? undefined : { result: outcome.result };
  }

  async #isBehind(seq: number): Promise<boolean> {
    return this.#puller !== undefined && (await this.#puller.seq()) < seq;
  }

  #use(account: Account): void {
    this.connection.open(account);
    this.isCaughtUp = false;
  }

  /** Aborts the calls under way. Later pages of the feed show which took effect. */
  #abortCalls(): void {
    this.connection.abortCalls();
    this.#waiters.abandon();
  }

  #notifyAll(): void {
    for (const signal of [this.#sendSignal, this.#watchSignal, this.uploader.signal]) signal.notify();
  }

  async #succeeded(): Promise<void> {
    const isBack = this.connection.succeeded();
    await replaceableTransaction(this.#options.db, (tx) => remember(tx, "last_success", this.#options.host().now()));
    if (isBack) this.notify();
    this.#options.onStatus();
  }

  /** Records a failed call for the status. Nothing is given up. @returns how long to wait, in milliseconds. */
  #failed(error: unknown): number {
    if (this.#isStopped || this.pause.isOn || !this.account) return idleMs;
    const waitMs = this.connection.failed(error);
    this.#waiters.abandon();
    this.#options.onStatus();
    return waitMs;
  }

  /**
   * @param used the account of the call. A failure with an earlier token, such as a 401, says nothing about the current
   * one.
   */
  async #pullFailed(error: unknown, used: Account | undefined): Promise<number> {
    if (used !== this.account) return 0;
    if (!(error instanceof MassRemoval)) return this.#failed(error);
    await this.pause.askAboutRemoval(error.message);
    this.#abortCalls();
    this.#options.onStatus();
    return idleMs;
  }

  /** The server was restored from a backup: forget which blobs and pages it has. */
  #startOver(): void {
    this.#options.log.warn("the server was restored from a backup; what it lost is delivered again");
    this.isCaughtUp = false;
    this.uploader.markAllMissing();
    this.#notifyAll();
    this.#options.onStatus();
  }

  #usableUpstream(): Upstream | undefined {
    return this.pause.isOn || this.connection.needsSignIn ? undefined : this.connection.upstream;
  }

  /** @param step one round. @returns how long to wait after it, in milliseconds. */
  async #loop(signal: Signal, step: () => Promise<number>): Promise<void> {
    while (!this.#isStopped) {
      const { account } = this;
      const waitMs = await step().catch((error: unknown) => this.#pullFailed(error, account));
      if (waitMs > 0) await signal.wait(waitMs);
    }
  }

  async #send(): Promise<number> {
    // While offline only the watch loop tries, so that pending operations do not switch to `sending` at every attempt.
    const upstream = this.connection.isUp ? this.#usableUpstream() : undefined;
    if (!upstream || !this.#pusher) return idleMs;
    const asideMs = this.connection.putAside.waitMs() ?? idleMs;
    const ended = await this.#pusher.push(upstream);
    await upstream.prepare();
    if (ended === 0) return Math.min(asideMs, upstream.sendAgainInMs?.() ?? idleMs);
    await this.#succeeded();
    return 0;
  }

  async #watch(): Promise<number> {
    // Also after a 401: it may have come from a proxy, or have passed.
    const upstream = this.pause.isOn || !this.account?.token ? undefined : this.connection.upstream;
    if (!upstream || !this.#puller) return idleMs;
    if (this.connection.needsSignIn) await upstream.probe(probeMs);
    const more = await this.#puller.pull(upstream, this.isOnline() && this.isCaughtUp ? watchSeconds : 0);
    if (!this.isCaughtUp) this.#sendSignal.notify(); // the pusher waits for the first page
    this.isCaughtUp = !more;
    if (!more) this.indexBacklog.notify();
    if (!more) this.pause.removalQuestion = null;
    await this.#succeeded();
    return 0;
  }

  async #upload(): Promise<number> {
    if (!this.connection.isUp || !this.#usableUpstream()) return idleMs;
    return Math.min(idleMs, await this.uploader.uploadAll(await listOpenWithBlobs(this.#options.db)));
  }
}
