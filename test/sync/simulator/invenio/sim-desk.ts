import { ReplicaHost, type ServerLink } from "../../../../main/replica/replica-host.ts";
import { endAllSending, listOpenWithBlobs } from "../../../../main/sync/operation.repository.ts";
import type { Outcome } from "../../../../main/sync/outcome-waiters.ts";
import { personIn } from "../../../../main/sync/person.ts";
import { createPuller } from "../../../../main/sync/puller.ts";
import { createPusher } from "../../../../main/sync/pusher.ts";
import { PutAside } from "../../../../main/sync/put-aside.ts";
import { refuseWithout } from "../../../../main/sync/refusal.ts";
import { MassRemoval } from "../../../../main/sync/removal-guard.ts";
import { Unreachable } from "../../../../main/sync/transport.ts";
import { createTray } from "../../../../main/sync/tray.service.ts";
import { Tries } from "../../../../main/sync/tries.ts";
import { Uploader } from "../../../../main/sync/uploader.ts";
import type { Account } from "../../../../main/sync/upstream.ts";
import { emptyBudget } from "../../../../main/upstreams/invenio/budget.policy.ts";
import { invenioServer } from "../../../../main/upstreams/invenio/invenio-upstream.ts";
import { commandHandlers, createServices } from "../../../../shared/api.ts";
import { createCommentDrafts } from "../../../../shared/comments/comment-draft.service.ts";
import { committedHints } from "../../../../shared/kernel/committed.ts";
import type { Environment } from "../../../../shared/kernel/environment.ts";
import { Failure } from "../../../../shared/kernel/failure.ts";
import { defaultSettings } from "../../../../shared/settings/settings.schema.ts";
import { localPorts } from "../../../../shared/wiring/local-ports.ts";
import type { project } from "../../../../shared/wiring/projection.ts";
import { MemoryBlobStore, noPictures } from "../../../support/memory-blob-store.ts";
import { Crash, isExpected, isOfLine, isPassing } from "../faults.ts";
import type { SimDatabase } from "../sim-database.ts";
import { Violation } from "../violation.ts";
import { type LineParts, simLine } from "./sim-line.ts";
import type { WatchedDesk, Wish } from "./watched-desk.ts";

/** How often a press of "Publish" sends, and how long it waits in between. */
const [pressRounds, pressMicros] = [6, 4_000_000];

export interface DeskParts extends LineParts {
  /** The clock and the randomness of this desk. */
  own: Environment;
}

/** A real replica below its HTTP routes, connected to the fake site by the adapter for a stock InvenioRDM. */
export class SimDesk implements WatchedDesk {
  readonly name: string;
  account: Account;
  isPartitioned = false;
  needsSignIn = false;
  /** Whether a window of the app is open. */
  hasWindow = true;
  readonly blobs: MemoryBlobStore;
  readonly database: SimDatabase;
  /** What the desk is doing, for the budget: sending and looking around have less right than the user. */
  doing: WatchedDesk["doing"] = "user";
  /** What the user wants published, from the press of the button until they stop waiting. */
  wish: Wish | undefined;
  /** A mass removal that the user has confirmed. */
  isMassRemovalAllowed = false;
  wasRestored = false;
  #killed = Promise.withResolvers<never>();
  #waiting = new Map<string, Outcome | undefined>();
  #backup: { image: Buffer; blobs: ReadonlyMap<string, Buffer> } | undefined;
  readonly #parts: DeskParts;
  #work: ReturnType<SimDesk["boot"]>;

  constructor(name: string, account: Account, database: SimDatabase, parts: DeskParts) {
    this.name = name;
    this.account = account;
    this.database = database;
    this.blobs = new MemoryBlobStore();
    this.#parts = parts;
    this.#work = this.boot();
  }

  get db() {
    return this.database.db;
  }
  get host() {
    return this.#work.host;
  }
  get services() {
    return this.#work.services;
  }
  get tray() {
    return this.#work.tray;
  }
  get upstream() {
    return this.#work.upstream;
  }

  private boot() {
    const { faults, own } = this.#parts;
    this.#killed = Promise.withResolvers<never>();
    // Nobody may wait for it.
    this.#killed.promise.catch(() => undefined);
    const projected: typeof project = async () => {
      if (faults.strike("client: killed inside a transaction", 0.2)) throw new Crash("inside a transaction");
      if (faults.strike("client: disk full", 0.1)) throw new Failure("disk_full", "The disk is full.");
    };
    const link: ServerLink = {
      isOnline: () => !this.isPartitioned && !this.needsSignIn,
      waitsForUser: () => true,
      notify: () => {},
      refresh: () => this.#refresh(),
      waitForOutcome: (id) => this.#waitForOutcome(id),
    };
    const { db, blobs } = this;
    const common = { db, blobs, baseUrl: "http://desk", settings: defaultSettings, environment: own };
    const host = new ReplicaHost({ ...common, project: projected, hints: committedHints(), link });
    const services = createServices(host, localPorts(noPictures));
    const handlers = commandHandlers(services);
    const work = {
      host,
      handlers,
      callerIn: personIn,
      project: projected,
      isMassRemovalAllowed: () => this.isMassRemovalAllowed,
      onChanged: () => {},
      onStartOver: () => {},
      rekeyCounts: new Map<string, number>(),
      onOutcome: (id: string, outcome: Outcome) => {
        if (!this.#waiting.has(id)) return false;
        this.#waiting.set(id, outcome);
        return true;
      },
    };
    const upstream = invenioServer(
      {
        db,
        content: services.draftContent,
        loadEntries: services.vocabularies.lookups,
        now: () => host.now(),
        newClientId: () => host.newClientId(),
        newUuid: () => host.newUuid(),
        limits: { budget: emptyBudget },
        tries: new Tries(),
        hasWindow: () => this.hasWindow,
        machine: simLine(this, this.#parts),
      },
      this.account,
      new AbortController().signal,
    );
    const uploader = new Uploader({
      db,
      blobs,
      bytes: () => upstream.bytes,
      onEnded: () => {},
      onProgress: () => {},
      onRefused: (sha256, failure) => refuseWithout(work, sha256, failure),
      now: () => host.now(),
      putAside: new PutAside(() => host.now()),
    });
    const pusher = createPusher({
      ...work,
      isOnServer: (sha256) => uploader.isOnServer(sha256),
      onMissing: (sha256) => uploader.markMissing(sha256),
      unsupported: new Map(),
      putAside: new PutAside(() => host.now()),
    });
    const commentDrafts = createCommentDrafts(db, () => {});
    const tray = createTray({
      ...{ host, services, commentDrafts, handlers: () => handlers, project: projected, notify: () => {} },
    });
    return { host, services, tray, upstream, uploader, pusher, puller: createPuller(work) };
  }

  /** The process ends here: nothing of it goes on. */
  die(): Promise<never> {
    this.#killed.reject(new Crash("killed"));
    return new Promise(() => undefined);
  }

  /** Starts the process again: memory is empty, the database is as it was committed. */
  async restart(): Promise<void> {
    this.#waiting = new Map();
    this.isMassRemovalAllowed = false;
    this.doing = "user";
    this.wish = undefined;
    this.#parts.watch.restarted(this);
    this.#work = this.boot();
    await endAllSending(this.db);
  }

  /** The user pastes a new token. */
  async signIn(token: string): Promise<void> {
    this.account = { ...this.account, token };
    this.needsSignIn = false;
    await this.restart();
  }

  backUp(): void {
    this.#backup = { image: this.database.image(), blobs: this.blobs.copy() };
  }

  /** Restores the backup; later bytes stay. @returns whether there was one. */
  async putBackup(): Promise<boolean> {
    if (!this.#backup) return false;
    this.wasRestored = true;
    await this.database.putBack(this.#backup.image);
    this.blobs.bringBack(this.#backup.blobs);
    await this.restart();
    return true;
  }

  /** Runs work that may be cut by a crash. @throws Crash */
  live<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#killed.promise]);
  }

  /** What every end of a step means for the desk. @throws what no desk may meet */
  async survive(error: unknown): Promise<void> {
    this.doing = "user";
    if (error instanceof Crash) return this.restart();
    if (error instanceof MassRemoval) this.isMassRemovalAllowed = true;
    else if (error instanceof Failure && error.kind === "unauthorized") this.needsSignIn = true;
    else if (!isPassing(error) && !(error instanceof Failure)) throw error;
  }

  async #must<T>(doing: SimDesk["doing"], work: Promise<T>): Promise<T> {
    this.doing = doing;
    try {
      return await work;
    } catch (error) {
      if (isExpected(error)) throw error;
      throw new Violation(`U3 ${this.name} cannot go on: ${error instanceof Error ? error.stack : error}`);
    } finally {
      this.doing = "user";
    }
  }

  pushOnce(): Promise<number> {
    return this.#must("send", this.#work.pusher.push(this.#work.upstream));
  }

  async pullOnce(): Promise<boolean> {
    const more = await this.#must("poll", this.#work.puller.pull(this.#work.upstream));
    this.isMassRemovalAllowed &&= more;
    return more;
  }

  async pullAll(): Promise<void> {
    while (await this.pullOnce());
  }

  async uploadAll(): Promise<void> {
    await this.#must("send", this.#work.uploader.uploadAll(await listOpenWithBlobs(this.db)));
  }

  /** A lost upload holds nothing else up: in the engine each runs in its own loop. */
  async uploadWhatGoes(): Promise<void> {
    try {
      await this.uploadAll();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
  }

  /** Sends and fetches until nothing moves. */
  async syncAll(): Promise<void> {
    for (let rounds = 0; rounds < 20; rounds++) {
      await this.uploadWhatGoes();
      const moved = await this.pushOnce();
      await this.pullAll();
      if (moved === 0) return;
    }
  }

  async #refresh(): Promise<void> {
    try {
      await this.pullAll();
    } catch (error) {
      if (!isOfLine(error)) throw error;
    }
  }

  /** As the engine: sends while the user waits. What only a hand may send goes during this time alone. */
  async #waitForOutcome(id: string): Promise<{ result: unknown } | undefined> {
    this.#waiting.set(id, undefined);
    const release = this.#work.upstream.press?.(id);
    try {
      for (let round = 0; round < pressRounds && !this.#waiting.get(id); round++) {
        await this.uploadWhatGoes();
        if ((await this.pushOnce()) === 0) this.#parts.environment.advance(pressMicros);
      }
      const outcome = this.#waiting.get(id);
      if (outcome?.state === "refused") throw outcome.error;
      if (outcome) await this.pullAll();
      return outcome ? { result: outcome.result } : undefined;
    } catch (error) {
      const refused = this.#waiting.get(id);
      if (!(refused?.state === "refused" && refused.error === error) && isOfLine(error)) return undefined;
      throw error;
    } finally {
      release?.();
      this.#waiting.delete(id);
    }
  }
}
