import { ReplicaHost, type ServerLink } from "../../../main/replica/replica-host.ts";
import { endAllSending } from "../../../main/sync/operation.repository.ts";
import type { Outcome } from "../../../main/sync/outcome-waiters.ts";
import { remember } from "../../../main/sync/person.repository.ts";
import { personIn } from "../../../main/sync/person.ts";
import { createPuller } from "../../../main/sync/puller.ts";
import { createPusher } from "../../../main/sync/pusher.ts";
import { PutAside } from "../../../main/sync/put-aside.ts";
import { MassRemoval } from "../../../main/sync/removal-guard.ts";
import { bodyOf, type ServerAnswer, type Transport, Unreachable } from "../../../main/sync/transport.ts";
import { createTray } from "../../../main/sync/tray.service.ts";
import { carrelCalls } from "../../../main/upstreams/carrel/carrel-upstream.ts";
import { topUpLeases } from "../../../main/upstreams/carrel/leases.ts";
import { commandHandlers, createServices, type Services } from "../../../shared/api.ts";
import { createCommentDrafts } from "../../../shared/comments/comment-draft.service.ts";
import type { Caller } from "../../../shared/kernel/caller.ts";
import { committedHints } from "../../../shared/kernel/committed.ts";
import type { Environment } from "../../../shared/kernel/environment.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import { defaultSettings } from "../../../shared/settings/settings.schema.ts";
import { localPorts } from "../../../shared/wiring/local-ports.ts";
import { project } from "../../../shared/wiring/projection.ts";
import { MemoryBlobStore, noPictures } from "../../support/memory-blob-store.ts";
import { Crash, type Faults, isExpected, isOfLine, isPassing } from "./faults.ts";
import { SimDatabase } from "./sim-database.ts";
import type { SimServer } from "./sim-server.ts";
import { bringBytes } from "./sim-uploads.ts";
import { Violation } from "./violation.ts";
import type { Watch } from "./watch.ts";

export interface ReplicaWorld {
  server: SimServer;
  faults: Faults;
  environment: Environment;
  watch: Watch;
  isIndexed: boolean;
}

/** A real replica below its HTTP routes, with simulated connection, clock and crashes. */
export class SimReplica {
  readonly name: string;
  readonly userId: string;
  readonly username: string;
  readonly database: SimDatabase;
  readonly blobs = new MemoryBlobStore();
  isPartitioned = false;
  isTokenExpired = false;
  /** Whether the user has confirmed a mass removal. */
  #isMassRemovalAllowed = false;
  readonly #world: ReplicaWorld;
  #waiting = new Map<string, Outcome | undefined>();
  /** Digests that the server has, as far as this process knows. */
  #arrived = new Set<string>();
  #backup: { image: Buffer; blobs: ReadonlyMap<string, Buffer> } | undefined;
  /** Runs between the server's answer to the next push and its arrival. */
  #meanwhile: (() => Promise<void>) | undefined;
  #parts: ReturnType<SimReplica["boot"]>;

  constructor(name: string, person: { id: string; username: string }, database: SimDatabase, world: ReplicaWorld) {
    this.name = name;
    this.userId = person.id;
    this.username = person.username;
    this.database = database;
    this.#world = world;
    this.#parts = this.boot();
  }

  get db() {
    return this.database.db;
  }

  async prepare(): Promise<void> {
    await remember(this.db, "user", { id: this.userId, username: this.username });
    await this.topUp();
    await this.pullAll();
  }

  private boot() {
    const { faults, environment } = this.#world;
    const projected: typeof project = async (tx, touched) => {
      if (this.#world.isIndexed) await project(tx, touched);
      faults.crashPoint("client: inside a transaction");
      if (faults.strike("client: disk full", 0.3)) throw new Failure("disk_full", "The disk is full.");
    };
    const link: ServerLink = {
      isOnline: () => !this.isPartitioned && !this.isTokenExpired,
      notify: () => {},
      refresh: () => this.#refresh(),
      waitForOutcome: (id) => this.#waitForOutcome(id),
    };
    const { db, blobs } = this;
    const common = { db, blobs, baseUrl: "http://replica", settings: defaultSettings, environment, project: projected };
    const host = new ReplicaHost({ ...common, hints: committedHints(), link });
    const services = createServices(host, localPorts(noPictures));
    const handlers = commandHandlers(services);
    const parts = {
      host,
      handlers,
      callerIn: personIn,
      project: projected,
      isMassRemovalAllowed: () => this.#isMassRemovalAllowed,
      onChanged: () => faults.crashPoint("client: after a commit"),
      onStartOver: () => this.#arrived.clear(),
      rekeyCounts: new Map<string, number>(),
      onOutcome: (id: string, outcome: Outcome) => {
        if (!this.#waiting.has(id)) return false;
        this.#waiting.set(id, outcome);
        return true;
      },
    };
    const pusher = createPusher({
      ...parts,
      isOnServer: (sha256) => this.#arrived.has(sha256),
      onMissing: (sha256) => this.#arrived.delete(sha256),
      ...{ unsupported: new Map(), putAside: new PutAside(() => host.now()) },
    });
    const tray = createTray({
      host,
      services,
      commentDrafts: createCommentDrafts(db, () => {}),
      handlers: () => handlers,
      project: projected,
      notify: () => {},
    });
    const upstream = carrelCalls(db, this.transport);
    return { host, services, pusher, puller: createPuller(parts), tray, work: parts, upstream };
  }

  get host() {
    return this.#parts.host;
  }
  get services() {
    return this.#parts.services;
  }
  get tray() {
    return this.#parts.tray;
  }

  /** Starts the process again: memory is empty, the database is as it was committed. */
  async restart(): Promise<void> {
    this.#waiting = new Map();
    this.#arrived = new Set();
    this.#isMassRemovalAllowed = false;
    this.#parts = this.boot();
    await endAllSending(this.db);
  }

  backUp(): void {
    this.#backup = { image: this.database.image(), blobs: this.blobs.copy() };
  }

  /** Restores the backup; later bytes stay. @returns whether there was one. */
  async putBackup(): Promise<boolean> {
    if (!this.#backup) return false;
    await this.database.putBack(this.#backup.image);
    this.blobs.bringBack(this.#backup.blobs);
    await this.restart();
    return true;
  }

  /** Two computers now run what was one data folder. */
  async copyAs(name: string): Promise<SimReplica> {
    const person = { id: this.userId, username: this.username };
    const copy = new SimReplica(name, person, SimDatabase.copyOf(this.database.image()), this.#world);
    copy.blobs.bringBack(this.blobs.copy());
    await copy.restart();
    return copy;
  }

  /** Runs work that may end in a crash or a lost connection. @returns whether it completed. */
  async survive(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof Crash) await this.restart();
      else if (error instanceof MassRemoval) this.#isMassRemovalAllowed = true;
      else if (!isPassing(error)) throw error;
      return false;
    }
  }

  /** The connection: requests and answers may be lost, and the process may crash after an answer. */
  readonly transport: Transport = {
    call: async (method, path, body) => {
      const { faults, server } = this.#world;
      if (this.isPartitioned || faults.strike("request lost")) throw new Unreachable("request lost");
      if (this.isTokenExpired) return { status: 401, body: { message: "The token has expired." } };
      if (faults.strike("too many requests", 0.2)) return { status: 429, body: { message: "Slow down." } };
      if (faults.strike("bad gateway", 0.2)) return { status: 502, body: undefined };
      if (faults.strike("a server of another version", 0.2)) return { status: 426, body: { message: "Update." } };
      const answer = await this.#ask(method, path, body);
      if (!answer || faults.strike("answer lost")) throw new Unreachable("answer lost");
      faults.crashPoint("client: answer arrived");
      if (faults.strike("request sent twice")) await server.call(this.userId, method, path, body);
      return answer;
    },
  };

  async #ask(method: string, path: string, body: unknown): Promise<ServerAnswer | undefined> {
    const { server, watch } = this.#world;
    const isPush = path.startsWith("/api/sync/push");
    if (isPush) watch.attempts(this, body);
    const before = isPush ? await watch.beforePush(server.db) : undefined;
    const answer = await server.call(this.userId, method, path, body);
    if (before && answer) await watch.afterPush(server.db, before, answer);
    const meanwhile = this.#meanwhile;
    this.#meanwhile = undefined;
    await meanwhile?.();
    if (answer?.status !== 200 || !path.startsWith("/api/sync/changes")) return answer;
    await watch.page(server.db, this, path, answer.body);
    return { ...answer, body: server.shortened(this.userId, path, answer.body) };
  }

  /** Reports a failure that is neither a lost connection nor a crash: it would stop sync for ever. */
  async #mustWork<T>(invariant: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (isExpected(error)) throw error;
      const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
      throw new Violation(`${invariant} ${this.name} cannot go on: ${words}`);
    }
  }

  async pushOnce(): Promise<number> {
    return this.#mustWork("I9", this.#parts.pusher.push(this.#parts.upstream));
  }

  /** As `pushOnce`, with `meanwhile` running before the answer arrives. */
  async pushSlowly(meanwhile: () => Promise<void>): Promise<number> {
    this.#meanwhile = meanwhile;
    try {
      return await this.pushOnce();
    } finally {
      this.#meanwhile = undefined;
    }
  }

  async pullOnce(): Promise<boolean> {
    const more = await this.#mustWork("I1", this.#parts.puller.pull(this.#parts.upstream));
    this.#isMassRemovalAllowed &&= more;
    return more;
  }

  async pullAll(): Promise<void> {
    while (await this.pullOnce());
  }

  /** Fetches a record by its id, as opening it does. */
  async open(id: string): Promise<void> {
    await this.#parts.upstream.open("record", id);
  }

  /** Uploads the bytes that unsent operations need. @returns how many blobs arrived. */
  async uploadAll(): Promise<number> {
    if (this.isPartitioned || this.isTokenExpired) throw new Unreachable("no line");
    const { server } = this.#world;
    return bringBytes(this, server, { arrived: this.#arrived, work: this.#parts.work });
  }

  /** Forwards a call that only the server may decide, as the routes of a replica do. */
  async passOn<R>(work: (services: Services, caller: Caller) => Promise<R>): Promise<R> {
    const { faults, server } = this.#world;
    if (this.isPartitioned || this.isTokenExpired || faults.strike("request lost")) throw new Unreachable("no line");
    const answer = await server.passedOn(this.userId, work);
    if (!answer || faults.strike("answer lost")) throw new Unreachable("answer lost");
    return bodyOf(answer as ServerAnswer) as R;
  }

  async topUp(): Promise<void> {
    await topUpLeases(this.db, this.transport, this.#world.environment.now());
  }

  async #refresh(): Promise<void> {
    try {
      await this.pullAll();
    } catch (error) {
      if (!isOfLine(error)) throw error;
    }
  }

  async #waitForOutcome(id: string): Promise<{ result: unknown } | undefined> {
    this.#waiting.set(id, undefined);
    try {
      for (let attempt = 0; attempt < 5 && !this.#waiting.get(id); attempt++) await this.pushOnce();
      const outcome = this.#waiting.get(id);
      if (outcome?.state === "refused") throw outcome.error;
      if (outcome) await this.pullAll();
      return outcome ? { result: outcome.result } : undefined;
    } catch (error) {
      const refused = this.#waiting.get(id);
      const isRefusal = refused?.state === "refused" && refused.error === error;
      if (!isRefusal && isOfLine(error)) return undefined;
      throw error;
    } finally {
      this.#waiting.delete(id);
    }
  }
}
