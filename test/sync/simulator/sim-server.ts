import type { ServerAnswer } from "../../../main/sync/transport.ts";
import { authorityHost } from "../../../server/authority-host.ts";
import { changesService } from "../../../server/sync/changes.service.ts";
import { callerFor } from "../../../server/sync/feed.service.ts";
import { leaseService } from "../../../server/sync/id-lease.service.ts";
import { openService } from "../../../server/sync/open.service.ts";
import { pushService } from "../../../server/sync/push.service.ts";
import { commandHandlers, createServices } from "../../../shared/api.ts";
import type { Db } from "../../../shared/database/open.ts";
import { openDatabase } from "../../../shared/database/open.ts";
import type { Caller } from "../../../shared/kernel/caller.ts";
import type { Environment } from "../../../shared/kernel/environment.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import { defaultSettings } from "../../../shared/kernel/settings.ts";
import { project } from "../../../shared/projection.ts";
import { pushRequest } from "../../../shared/sync-protocol/push.schema.ts";
import { newUser } from "../../../shared/users/user.schema.ts";
import { MemoryBlobStore } from "../../support/memory-blob-store.ts";
import { Crash, type Faults } from "./faults.ts";

/** The real server below its HTTP routes: host, services, sync services over a database in memory. */
export class SimServer {
  readonly db: Db;
  readonly blobs = new MemoryBlobStore();
  readonly #environment: Environment;
  readonly #faults: Faults;
  #parts: ReturnType<SimServer["boot"]>;

  constructor(environment: Environment, faults: Faults) {
    this.#environment = environment;
    this.#faults = faults;
    this.db = openDatabase(":memory:").db;
    this.#parts = this.boot();
  }

  /** What a process holds in memory; made anew after a crash. */
  private boot() {
    const { db, blobs } = this;
    const host = authorityHost({
      db,
      blobs,
      baseUrl: "http://server",
      settings: defaultSettings,
      environment: this.#environment,
      project: async (tx, touched) => {
        await project(tx, touched);
        this.#faults.crashPoint("server: inside a transaction");
      },
    });
    host.onCommitted(() => this.#faults.crashPoint("server: after a commit"));
    const services = createServices(host);
    const { access, requests } = services;
    return {
      host,
      services,
      push: pushService({ host, access, handlers: commandHandlers(services) }),
      changes: changesService({ host, access, closing: new AbortController().signal }),
      leases: leaseService(host),
      open: openService({ host, access, requests }),
    };
  }

  get host() {
    return this.#parts.host;
  }

  get services() {
    return this.#parts.services;
  }

  async createPerson(username: string): Promise<string> {
    return this.services.users.create(newUser.parse({ username, email: `${username}@example.org` }));
  }

  /** One call of the wire. A crash of the server is an answer that never comes: undefined. */
  async call(userId: string, method: string, path: string, body: unknown): Promise<ServerAnswer | undefined> {
    const caller = await callerFor(this.db, userId);
    try {
      return { status: 200, body: structuredClone(await this.#route(caller, method, new URL(path, "http://s"), body)) };
    } catch (error) {
      if (error instanceof Failure) return { status: error.status, body: error.toBody() };
      if (!(error instanceof Crash)) throw error;
      this.#parts = this.boot();
      return undefined;
    }
  }

  async #route(caller: Caller, method: string, url: URL, body: unknown): Promise<unknown> {
    const { push, changes, leases, open } = this.#parts;
    const known: Record<string, () => Promise<unknown>> = {
      "POST /api/sync/push": async () => {
        const { operations, cursor } = pushRequest.parse(structuredClone(body));
        if (cursor !== undefined) await changes.assertSameLife(cursor);
        return { outcomes: await push.push(caller, operations) };
      },
      "GET /api/sync/changes": () => changes.page(caller, url.searchParams.get("cursor") ?? undefined, 5, 0),
      "POST /api/sync/leases": async () => ({ ids: await leases.lease(caller.userId ?? "", 8) }),
      "GET /api/sync/hello": () => open.includeSelf(caller),
    };
    const work = known[`${method} ${url.pathname}`];
    if (!work) throw new Error(`the simulator has no ${method} ${url.pathname}`);
    return work();
  }
}
