import type { ServerAnswer } from "../../../main/sync/transport.ts";
import { authorityHost } from "../../../server/authority-host.ts";
import { changesService } from "../../../server/sync/changes.service.ts";
import { cursorService, seqOf } from "../../../server/sync/cursor.service.ts";
import { beginNewEpoch } from "../../../server/sync/epoch.service.ts";
import { callerFor } from "../../../server/sync/feed.service.ts";
import { feedSignal } from "../../../server/sync/feed-signal.ts";
import { recordFeedStart } from "../../../server/sync/feed-starts.service.ts";
import { leaseService } from "../../../server/sync/id-lease.service.ts";
import { openService } from "../../../server/sync/open.service.ts";
import { pushService } from "../../../server/sync/push.service.ts";
import { SentBundles } from "../../../server/sync/sent-bundles.ts";
import { commandHandlers, createServices, type Services } from "../../../shared/api.ts";
import type { UploadState } from "../../../shared/blobs/upload.service.ts";
import type { Caller } from "../../../shared/kernel/caller.ts";
import { committedHints } from "../../../shared/kernel/committed.ts";
import type { Environment } from "../../../shared/kernel/environment.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import type { CommandHandler } from "../../../shared/kernel/host.ts";
import { defaultSettings } from "../../../shared/settings/settings.schema.ts";
import { type FeedPage, feedPage } from "../../../shared/sync-protocol/feed.schema.ts";
import { type PushOutcome, pushRequest } from "../../../shared/sync-protocol/push.schema.ts";
import { localPorts } from "../../../shared/wiring/local-ports.ts";
import { project } from "../../../shared/wiring/projection.ts";
import { sharedPorts } from "../../../shared/wiring/shared-ports.ts";
import { MemoryBlobStore, noPictures } from "../../support/memory-blob-store.ts";
import { breakingBytes } from "./breaking-bytes.ts";
import { Crash, type CrashPoint, type Faults } from "./faults.ts";
import type { SimDatabase } from "./sim-database.ts";
import { createPerson } from "./sim-person.ts";
import type { Watch } from "./watch.ts";

/** The page size of the feed during faults; small, so that there are many pages. */
const smallPage = 5;
const largePage = 50;
const leaseSize = 8;

/** Secrets of the users' tokens by token id: every run starts with the same users. */
const secrets = new Map<string, string>();

interface ServerWorld {
  environment: Environment;
  faults: Faults;
  watch: Watch;
  /** Whether the search index is maintained. No invariant needs it, and it takes a third of the time. */
  isIndexed: boolean;
  /** How many server processes share the database. They get the calls alternately. */
  processes: number;
}

/**
 * The real server below its HTTP routes: host, services, sync services over a database in memory. With several processes
 * each has services of its own, and nothing but the database in common.
 */
export class SimServer {
  /** Digests of all bytes that the server ever had, in any epoch. */
  readonly received = new Set<string>();
  readonly database: SimDatabase;
  readonly blobs = new MemoryBlobStore();
  readonly #environment: Environment;
  readonly #faults: Faults;
  readonly #watch: Watch;
  readonly #isIndexed: boolean;
  /** Whether pages of the feed are small. */
  isPaging = true;
  #backup: { image: Buffer; blobs: ReadonlyMap<string, Buffer> } | undefined;
  /** The process that has crashed. It then gives no answer, even if the product caught the error. */
  #died: number | undefined;
  readonly #processes: ReturnType<SimServer["boot"]>[];
  #turns = 0;

  constructor(database: SimDatabase, world: ServerWorld) {
    this.database = database;
    this.#environment = world.environment;
    this.#faults = world.faults;
    this.#watch = world.watch;
    this.#isIndexed = world.isIndexed;
    this.#processes = Array.from({ length: world.processes }, (_, index) => this.boot(index, world.processes > 1));
  }

  get db() {
    return this.database.db;
  }

  /** Creates everything that a process holds in memory; called again after a crash. */
  private boot(index: number, sharesDatabase: boolean) {
    const { db, blobs } = this;
    const host = authorityHost({
      db,
      blobs,
      sharesDatabase,
      hints: committedHints(),
      baseUrl: "http://server",
      settings: defaultSettings,
      environment: this.#environment,
      onUnrecorded: (error) => {
        throw error;
      },
      project: async (tx, touched) => {
        if (this.#isIndexed) await project(tx, touched);
        this.#mayDie(index, "server: inside a transaction");
        if (this.#faults.strike("server: disk full", 0.3)) throw new Failure("disk_full", "The disk is full.");
      },
    });
    host.onCommitted(() => this.#mayDie(index, "server: after a commit"));
    const services = createServices(host, sharesDatabase ? sharedPorts(host, noPictures) : localPorts(noPictures));
    const { access, requests } = services;
    const closing = new AbortController().signal;
    const signal = feedSignal(host, closing);
    const cursors = cursorService(host);
    return {
      host,
      services,
      push: pushService({
        host,
        access,
        handlers: this.#perhapsOlder(this.#watch.guarded(db, commandHandlers(services), services.publishing.hashOf)),
      }),
      cursors,
      changes: changesService({ host, access, cursors, signal, closing }),
      lastSent: new SentBundles(),
      leases: leaseService(host),
      open: openService({ host, access, requests, users: services.users, groups: services.groups, signal }),
    };
  }

  /** A server that, for once, does not know a command yet. */
  #perhapsOlder(handlers: Map<string, CommandHandler>): Map<string, CommandHandler> {
    const execute = (handler: CommandHandler) => async (caller: Caller, payload: unknown) => {
      if (this.#faults.strike("server: too old for a command", 0.1))
        throw new Failure("upgrade_required", `This server is too old for '${handler.name}'.`);
      return handler.execute(caller, payload);
    };
    return new Map([...handlers].map(([name, handler]) => [name, { ...handler, execute: execute(handler) }]));
  }

  #mayDie(index: number, point: CrashPoint): void {
    try {
      this.#faults.crashPoint(point);
    } catch (error) {
      this.#died = index;
      throw error;
    }
  }

  get host() {
    return this.#parts.host;
  }

  get services() {
    return this.#parts.services;
  }

  /** Starts all processes again, or one. */
  restart(one?: number): void {
    this.#died = undefined;
    const several = this.#processes.length > 1;
    for (const index of this.#processes.keys()) {
      if (one === undefined || one === index) this.#processes[index] = this.boot(index, several);
    }
  }

  /** The process whose turn it is. */
  get #parts(): ReturnType<SimServer["boot"]> {
    const parts = this.#processes[this.#turns++ % this.#processes.length];
    if (!parts) throw new Error("a server has at least one process");
    return parts;
  }

  /** @returns the secret of a token of theirs. */
  async createPerson(username: string, roles: string[]): Promise<string> {
    const { userId, secret } = await createPerson(this.db, this.services, username, roles);
    secrets.set(userId, secret);
    return userId;
  }

  /** Somebody as the server takes them by their token; undefined for who is not let in any more. */
  async callerOf(userId: string): Promise<Caller | undefined> {
    const token = await this.services.tokens.verify(this.db, secrets.get(userId) ?? "");
    return token && callerFor(this.db, defaultSettings, userId);
  }

  async #signedIn(userId: string): Promise<Caller> {
    const caller = await this.callerOf(userId);
    if (!caller) throw new Failure("unauthorized", "The access token is unknown, expired or revoked.");
    return caller;
  }

  /** As each start of the server does. Crashes leave it out: they lose nothing, so nobody can tell. */
  recordStart(): Promise<void> {
    return recordFeedStart(this.db, this.#randomMark());
  }

  #randomMark(): string {
    return Buffer.from(this.#environment.random(8)).toString("hex");
  }

  backUp(): void {
    this.#backup = { image: this.database.image(), blobs: this.blobs.copy() };
  }

  /** A backup older than what replicas keep of their past is none. */
  forgetBackup(): void {
    this.#backup = undefined;
  }

  /** Goes back to the backup, as `carrel restore` does, or as files put back by hand. @returns whether there was one. */
  async putBackup(isByHand: boolean): Promise<boolean> {
    if (!this.#backup) return false;
    await this.database.putBack(this.#backup.image);
    this.blobs.bringBack(this.#backup.blobs);
    if (isByHand) await this.recordStart();
    else await beginNewEpoch(this.db, this.#randomMark(), this.#environment.now());
    this.restart();
    return true;
  }

  /** One call of the wire. A crash of the server is an answer that never comes: undefined. */
  async call(userId: string, method: string, path: string, body: unknown): Promise<ServerAnswer | undefined> {
    return this.#survive(async () => {
      const caller = await this.#signedIn(userId);
      const answer = await this.#route(caller, method, new URL(path, "http://s"), structuredClone(body));
      return { status: 200, body: structuredClone(answer) };
    });
  }

  async #survive<T>(work: () => Promise<T>): Promise<T | ServerAnswer | undefined> {
    let answer: T | ServerAnswer | undefined;
    try {
      answer = await work();
    } catch (error) {
      if (error instanceof Failure) answer = { status: error.status, body: error.toBody() };
      else if (!(error instanceof Crash)) throw error;
    }
    if (this.#died === undefined) return answer;
    this.restart(this.#died);
    return undefined;
  }

  async #route(caller: Caller, method: string, url: URL, body: unknown): Promise<unknown> {
    const { push, changes, cursors, leases, open } = this.#parts;
    const known: Record<string, () => Promise<unknown>> = {
      "POST /api/sync/push": async () => {
        const { operations, cursor, known } = pushRequest.parse(body);
        await cursors.assertOwn(cursor, known);
        const outcomes: PushOutcome[] = await push.push(caller, operations);
        return { outcomes, position: await cursors.positionOf(outcomes) };
      },
      "GET /api/sync/changes": async () => {
        await cursors.assertOwn(url.searchParams.get("known") ?? undefined);
        const limit = this.isPaging ? smallPage : largePage;
        return changes.page(caller, url.searchParams.get("cursor") ?? undefined, limit, 0);
      },
      "POST /api/sync/leases": async () => ({ ids: await leases.lease(caller.userId ?? "", leaseSize) }),
      "POST /api/sync/open": () => open.open(caller, "record", (body as { id: string }).id),
      "GET /api/sync/hello": () => open.includeSelf(caller),
    };
    const work = known[`${method} ${url.pathname}`];
    if (!work) throw new Error(`the simulator has no ${method} ${url.pathname}`);
    return work();
  }

  /** A page as it travels to a replica: what was sent before as its difference. */
  shortened(userId: string, path: string, page: unknown): FeedPage {
    const { searchParams } = new URL(path, "http://server");
    const cursor = searchParams.get("cursor");
    const after = cursor === null || searchParams.has("whole") ? undefined : seqOf(cursor);
    return this.#parts.lastSent.withDeltas(userId, after, feedPage.parse(page));
  }

  /** Where the bytes of a digest stand, as HEAD tells. */
  async bytesOf(userId: string, sha256: string): Promise<UploadState> {
    const caller = await this.#signedIn(userId);
    const { blobAccess, uploads } = this.services;
    const blob = await blobAccess.find(caller, sha256);
    if (blob) return { offset: blob.size, isComplete: true, length: blob.size };
    return uploads.state(blobAccess.uploadKey(caller, sha256));
  }

  /** Takes bytes from an offset on; the line may break in the midst of them. @returns whether all arrived. */
  async takeBytes(userId: string, sha256: string, bytes: Buffer, from: number): Promise<boolean> {
    const caller = await this.#signedIn(userId);
    const { blobAccess, uploads } = this.services;
    const tooLarge = () => new Failure("invalid", "File size limit exceeded.");
    const key = blobAccess.uploadKey(caller, sha256);
    const target = { key, maxBytes: 1_000_000, tooLarge, expected: { sha256 } };
    const length = { contentLength: bytes.length - from, uploadLength: bytes.length };
    const headers = { isComplete: true, offset: from, sha256, ...length };
    const arriving = breakingBytes(bytes.subarray(from), this.#faults, () => this.#mayDie(0, "server: upload cut"));
    const sent = await this.#survive(() => uploads.patch(target, arriving, headers));
    return sent !== undefined && "state" in sent && sent.state === "complete";
  }

  /** A call that replicas pass on, below its route. A crash of the server is an answer that never comes: undefined. */
  async passedOn<R>(userId: string, work: (services: Services, caller: Caller) => Promise<R>) {
    return this.#survive(async () => ({
      status: 200,
      body: await work(this.services, await this.#signedIn(userId)),
    }));
  }
}
