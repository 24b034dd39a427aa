import { ReplicaHost, type ServerLink } from "../../../main/replica/replica-host.ts";
import { topUpLeases } from "../../../main/sync/leases.ts";
import { listUnsent } from "../../../main/sync/operation.repository.ts";
import { remember } from "../../../main/sync/person.repository.ts";
import { personIn } from "../../../main/sync/person.ts";
import { createPuller } from "../../../main/sync/puller.ts";
import { createPusher } from "../../../main/sync/pusher.ts";
import { type Transport, Unreachable } from "../../../main/sync/transport.ts";
import type { Settled } from "../../../main/sync/waiters.ts";
import { commandHandlers, createServices } from "../../../shared/api.ts";
import { type Db, openDatabase, type Tx } from "../../../shared/database/open.ts";
import type { Environment } from "../../../shared/kernel/environment.ts";
import type { CommandHandler, ObjectRef } from "../../../shared/kernel/host.ts";
import { defaultSettings } from "../../../shared/kernel/settings.ts";
import { project } from "../../../shared/projection.ts";
import { MemoryBlobStore } from "../../support/memory-blob-store.ts";
import { Crash, type Faults } from "./faults.ts";
import type { SimServer } from "./sim-server.ts";

/** A real replica below its HTTP routes; its line, its clock and its deaths are the simulator's. */
export class SimReplica {
  readonly name: string;
  readonly userId: string;
  readonly db: Db;
  readonly blobs = new MemoryBlobStore();
  isPartitioned = false;
  readonly #server: SimServer;
  readonly #faults: Faults;
  readonly #environment: Environment;
  readonly #waiting = new Map<string, Settled | undefined>();
  #parts: ReturnType<SimReplica["boot"]>;

  constructor(name: string, userId: string, world: { server: SimServer; faults: Faults; environment: Environment }) {
    this.name = name;
    this.userId = userId;
    this.#server = world.server;
    this.#faults = world.faults;
    this.#environment = world.environment;
    this.db = openDatabase(":memory:").db;
    this.#parts = this.boot();
  }

  async prepare(): Promise<void> {
    await remember(this.db, "user", { id: this.userId, username: this.name });
  }

  private boot() {
    const projected = async (tx: Tx, touched: ObjectRef[]) => {
      await project(tx, touched);
      this.#faults.crashPoint("client: inside a transaction");
    };
    const link: ServerLink = {
      isOnline: () => !this.isPartitioned,
      nudge: () => {},
      refresh: () => this.pullAll(),
      settle: (id) => this.#settle(id),
    };
    const { db, blobs } = this;
    const environment = this.#environment;
    const common = { db, blobs, baseUrl: "http://replica", settings: defaultSettings, environment, project: projected };
    const host = new ReplicaHost({ ...common, link });
    const services = createServices(host);
    const handlers: Map<string, CommandHandler> = commandHandlers(services);
    const parts = {
      host,
      handlers,
      callerIn: personIn,
      project: projected,
      mayRemoveMuch: () => true,
      onChanged: () => this.#faults.crashPoint("client: after a commit"),
      onStartOver: () => {},
    };
    const pusher = createPusher({
      ...parts,
      hasServer: (sha256) => this.#server.blobs.hasNow(sha256),
      onMissing: () => {},
      onSettled: (id, settled) => {
        if (!this.#waiting.has(id)) return false;
        this.#waiting.set(id, settled);
        return true;
      },
    });
    return { host, services, pusher, puller: createPuller(parts) };
  }

  get host() {
    return this.#parts.host;
  }

  get services() {
    return this.#parts.services;
  }

  /** Starts the process again: memory is empty, the database is as it was committed. */
  restart(): void {
    this.#waiting.clear();
    this.#parts = this.boot();
  }

  /** Runs something that may end in a crash or a lost line. @returns whether it came to its end. */
  async survive(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof Crash) this.restart();
      else if (!(error instanceof Unreachable)) throw error;
      return false;
    }
  }

  /** The line: requests and answers may be lost, and the process may die with an answer in its hands. */
  readonly transport: Transport = {
    call: async (method, path, body) => {
      if (this.isPartitioned || this.#faults.strike("request lost")) throw new Unreachable("request lost");
      const answer = await this.#server.call(this.userId, method, path, body);
      if (!answer || this.#faults.strike("answer lost")) throw new Unreachable("answer lost");
      this.#faults.crashPoint("client: answer arrived");
      if (this.#faults.strike("request sent twice")) await this.#server.call(this.userId, method, path, body);
      return answer;
    },
  };

  async pushOnce(): Promise<number> {
    return this.#parts.pusher.push(this.transport);
  }

  async pullOnce(): Promise<boolean> {
    return this.#parts.puller.pull(this.transport);
  }

  async pullAll(): Promise<void> {
    while (await this.pullOnce());
  }

  async topUp(): Promise<void> {
    await topUpLeases(this.db, this.transport, this.#environment.now());
  }

  async unsent(): Promise<number> {
    return (await listUnsent(this.db)).length;
  }

  async #settle(id: string): Promise<{ result: unknown } | undefined> {
    this.#waiting.set(id, undefined);
    try {
      for (let attempt = 0; attempt < 5 && !this.#waiting.get(id); attempt++) await this.pushOnce();
      const settled = this.#waiting.get(id);
      if (settled?.state === "refused") throw settled.error;
      if (settled) await this.pullAll();
      return settled ? { result: settled.result } : undefined;
    } catch (error) {
      if (error instanceof Unreachable) return undefined;
      throw error;
    } finally {
      this.#waiting.delete(id);
    }
  }
}
