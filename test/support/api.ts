import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, onTestFinished } from "vitest";
import { openReplica, type RunningReplica } from "../../main/replica/open-replica.ts";
import { connectReplica } from "../../main/sync/connect.ts";
import { waitingForRefused } from "../../main/sync/order.policy.ts";
import { recall } from "../../main/sync/person.repository.ts";
import { listOpenWithTopics } from "../../main/sync/sending.repository.ts";
import { openServer, type RunningServer } from "../../server/open-server.ts";
import { readHead } from "../../server/sync/feed.repository.ts";
import { type Environment, machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings, type Settings, sharedSettings } from "../../shared/settings/settings.schema.ts";
import { newUser } from "../../shared/users/user.schema.ts";
import type { TestDatabase } from "./engines/postgres.ts";
import { freshIndex, isOnOpenSearch, type TestIndex } from "./engines/search-index.ts";
import { type HostChoice, HttpClient, roundRobin } from "./http-client.ts";
import { hosts } from "./left-open.ts";
import { givenDatabase } from "./migrated-folder.ts";
import { CarrelProcess } from "./process.ts";
import { isOnBucket, isOnPostgres, serverBucket, serverDatabase } from "./server-database.ts";
import { until } from "./until.ts";

/** Whether the server of a test is two processes on one data folder, which get the calls alternately. */
const isScaled = process.env.CARREL_SCALED === "1";

export type Role = "server" | "replica";

/** The hosts that a test runs on. */
export const roles: readonly Role[] =
  isScaled || isOnPostgres || isOnBucket || isOnOpenSearch ? ["server"] : ["server", "replica"];

/** Where a server of a test keeps its data. */
interface Place {
  path: string;
  database: TestDatabase | undefined;
  index: TestIndex | undefined;
}

interface Person {
  id: string;
  token: string;
  client: HttpClient;
}

export interface StartOptions {
  settings?: Partial<Settings>;
  /** Clock and randomness of the server; those of the machine by default. */
  environment?: Environment;
  /** A bucket for the bytes, whatever the vitest project. */
  blobs?: string;
  /** Two processes, whatever the vitest project. */
  isScaled?: boolean;
  /** Why the server is one process in the vitest project `scaled` too, which is printed there. */
  aloneBecause?: string;
  /** The search engine; an index of the server's own in the vitest project `opensearch`. */
  search?: string;
}

/** Groups of users by name; other names are ordinary users. */
const namedRoles: Record<string, string[]> = {
  admin: ["superuser-access"],
  moderator: ["administration-moderation"],
};

const fullName = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)} Example`;

/**
 * A server with users, of two processes in the vitest project `scaled`. In the role `replica` each user works on a replica connected to it, and every call waits until
 * all replicas have the change. So the same tests run on both hosts.
 */
export class Api {
  readonly role: Role;
  readonly server: RunningServer;
  readonly #place: Place;
  readonly #second: SecondProcess | undefined;
  readonly #people = new Map<string, Person>();
  readonly #replicas = new Map<string, RunningReplica>();
  readonly #asLeft = { name: "a server", end: () => this.close() };

  constructor(role: Role, server: RunningServer, place: Place, second?: SecondProcess) {
    this.role = role;
    this.server = server;
    this.#place = place;
    this.#second = second;
  }

  /** A client without credentials; of the server, because a replica answers only its user. */
  get anonymous(): HttpClient {
    return this.#serverClient();
  }

  #serverClient(token?: string): HttpClient {
    return new HttpClient(this.server.url, token, () => this.waitForSync(), this.#hosts());
  }

  #hosts(): HostChoice {
    return roundRobin(this.#second ? [this.server.url, this.#second.url] : [this.server.url]);
  }

  /** The client of a user, created at first use: `admin`, `moderator`, or any other name. */
  async as(name: string): Promise<HttpClient> {
    return (await this.person(name)).client;
  }

  /** A user's client of this process alone, for what each process counts itself. */
  async atOneProcess(name: string): Promise<HttpClient> {
    return new HttpClient(this.server.url, (await this.person(name)).token);
  }

  /** The address of the second process. */
  get secondUrl(): string {
    if (!this.#second) throw new Error("the server is one process");
    return this.#second.url;
  }

  /** Ends the second process. */
  async endSecond(signal: NodeJS.Signals): Promise<void> {
    await this.#second?.stop(signal);
  }

  /** Data folder of the server. */
  get dataDir(): string {
    return join(this.#place.path, "server");
  }

  /** Data folder of a user's replica. */
  dataDirOf(name: string): string {
    return join(this.#place.path, `replica-${name}`);
  }

  /** The user's id on the server. */
  async idOf(name: string): Promise<string> {
    return (await this.person(name)).id;
  }

  /** A user by name: id, server token, client. */
  async person(name: string): Promise<Person> {
    const known = this.#people.get(name);
    if (known) return known;
    const { id, token } = await this.#create(name);
    const person = { id, token, client: await this.#clientFor(name, token) };
    this.#people.set(name, person);
    return person;
  }

  /** The user's client, once their host knows the operator's settings. */
  async withSettings(name: string): Promise<HttpClient> {
    const client = await this.as(name);
    const isKnown = () => {
      const known = this.#replicas.get(name)?.host.settings;
      return known !== undefined && isDeepStrictEqual(sharedSettings(known), sharedSettings(this.server.host.settings));
    };
    if (this.role === "replica") await until(isKnown, "the settings of the server are known");
    return client;
  }

  /** A user's client of the server, in either role. */
  async onServer(name: string): Promise<HttpClient> {
    return this.#serverClient((await this.person(name)).token);
  }

  /** A user's replica, in the role `replica`. */
  async replicaOf(name: string): Promise<RunningReplica> {
    await this.person(name);
    const replica = this.#replicas.get(name);
    if (!replica) throw new Error("people have replicas only in the role 'replica'");
    return replica;
  }

  /** Waits until every unpaused replica has fetched everything, and sent what does not wait for its user. */
  async waitForSync(): Promise<void> {
    for (const replica of this.#replicas.values()) {
      const isSynced = async () => !replica.engine.isOnline() || (await this.#isSynced(replica));
      await until(isSynced, "a replica is settled");
    }
  }

  /** Lets the end of the test file close it, unless somebody does so earlier. */
  closeWithFile(): void {
    hosts.add(this.#asLeft);
  }

  async close(): Promise<void> {
    hosts.delete(this.#asLeft);
    await Promise.all([...this.#replicas.values()].map((replica) => replica.close()));
    await this.#second?.stop();
    await this.server.close();
    await this.#place.database?.drop();
    await this.#place.index?.drop();
    await rm(this.#place.path, { recursive: true, force: true, maxRetries: 5 });
  }

  async #isSynced(replica: RunningReplica): Promise<boolean> {
    const { db } = replica.host;
    const open = await listOpenWithTopics(db);
    const waiting = waitingForRefused(open);
    if (open.some((operation) => operation.state !== "rejected" && !waiting.has(operation))) return false;
    const head = await readHead(this.server.host.db);
    if (((await recall(db, "seq")) ?? 0) >= head) return true;
    await replica.engine.refresh();
    return false;
  }

  async #create(name: string): Promise<{ id: string; token: string }> {
    const { users, tokens } = this.server.services;
    const card = {
      username: name,
      email: `${name}@example.org`,
      full_name: fullName(name),
      roles: namedRoles[name] ?? [],
    };
    const id = await users.create(newUser.parse(card));
    const grant = { userId: id, byPassword: false, defaultScopes: ["read", "write", "tokens"] as const };
    const { secret } = await tokens.issue(grant, { name: "tests" });
    return { id, token: secret };
  }

  async #clientFor(name: string, token: string): Promise<HttpClient> {
    if (this.role === "server") return new HttpClient(this.server.url, token, undefined, this.#hosts());
    const replica = await openReplica({
      dataDir: await givenDatabase(this.dataDirOf(name)),
      port: 0,
      environment: machineEnvironment(),
      log: createLog("silent"),
      startPaused: false,
      openOther: () => undefined,
    });
    this.#replicas.set(name, replica);
    await connectReplica(replica.host.db, replica.engine, this.server.url, token);
    await until(() => replica.engine.isCaughtUp, "a new replica has caught up");
    return new HttpClient(replica.url, replica.guard.secret, () => this.waitForSync());
  }
}

/** Another process of the same server. */
interface SecondProcess {
  url: string;
  stop(signal?: NodeJS.Signals): Promise<unknown>;
}

async function startSecond(
  folder: string,
  { url }: RunningServer,
  settings: Partial<Settings>,
  search: string | undefined,
): Promise<SecondProcess> {
  const config = join(folder, "config.json");
  await writeFile(config, JSON.stringify(settings));
  const common = ["--data", join(folder, "server"), "--port", "0", "--base-url", url, "--config", config];
  if (search !== undefined) common.push("--search", search);
  const second = new CarrelProcess(["server", "--shared", ...common, "--drain", "0", "--log-level", "error"]);
  return { url: (await second.ready()).url, stop: (signal) => second.stop(signal) };
}

/** Starts an API. It is closed at the end of the test, or of the file when a hook starts it. */
export async function startApi(role: Role = "server", options: StartOptions = {}): Promise<Api> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-test-"));
  const aloneBecause = options.aloneBecause ?? (options.environment && "it has a clock of its own");
  const isShared = options.isScaled === true || (isScaled && aloneBecause === undefined);
  if (isScaled && !isShared)
    process.stderr.write(`ONE PROCESS: ${expect.getState().currentTestName ?? "a hook"}: ${aloneBecause}\n`);
  const database = await serverDatabase();
  const index = isOnOpenSearch && options.search === undefined ? freshIndex() : undefined;
  const search = options.search ?? index?.address;
  const server = await openServer({
    dataDir: database ? join(folder, "server") : await givenDatabase(join(folder, "server")),
    isShared,
    database: database?.address,
    blobs: options.blobs ?? (await serverBucket()),
    search,
    hostName: "127.0.0.1",
    port: 0,
    settings: { ...defaultSettings, ...options.settings },
    environment: options.environment ?? machineEnvironment(),
    log: createLog("error"),
  });
  const second = isShared ? await startSecond(folder, server, options.settings ?? {}, search) : undefined;
  const api = new Api(role, server, { path: folder, database, index }, second);
  try {
    onTestFinished(() => api.close());
  } catch {
    api.closeWithFile();
  }
  return api;
}
