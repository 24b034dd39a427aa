import type * as Y from "yjs";
import { Chance } from "./chance.ts";
import { VirtualEnvironment } from "./environment.ts";
import { Faults } from "./faults.ts";
import { Ledger } from "./ledger.ts";
import { SimDatabase } from "./sim-database.ts";
import { SimReplica } from "./sim-replica.ts";
import { SimServer } from "./sim-server.ts";
import { people, type Scenario } from "./step.ts";
import { appliedOn, everythingOn, operationsOn } from "./text-of.ts";
import { Watch } from "./watch.ts";

const rolesOf: Record<string, string[]> = { dora: ["superuser-access"] };

/** Shorter than replicas keep delivered operations. */
const journalMicros = 20 * 86_400_000_000;

let peopled: Buffer | undefined;

/** A live document that a user has open, disconnected from the server. */
interface OpenDocument {
  draft: string;
  family: string;
  epoch: number;
  doc: Y.Doc;
  /** Markers that the user wrote in it and the server has not confirmed. */
  unconfirmed: string[];
}

/** A server and replicas of several users, in one process. */
export class World {
  /** The random numbers of the current step. */
  chance = new Chance(0);
  /** Steps with the same focus choose the same object, if their hosts have it. */
  focus: number | undefined;
  readonly faults = new Faults();
  readonly environment = new VirtualEnvironment();
  readonly ledger = new Ledger();
  readonly replicas: SimReplica[] = [];
  /** The error of each host's clock, in microseconds. */
  readonly clocks = new Map<string, number>();
  readonly #people = new Map<string, string>();
  /** The open live document of each user, in the state of that user's client. */
  readonly openDocuments = new Map<string, OpenDocument>();
  /** A description of each step, to replay a failing seed. */
  readonly log: string[] = [];
  readonly watch = new Watch(this.ledger);
  readonly server: SimServer;
  /** Replicas whose disk was lost once. They cannot send earlier operations again. */
  readonly #forgetful = new Set<SimReplica>();
  /** By host: the earliest clock since the backup, as in `clocks`. */
  #slowest = new Map<string, number>();
  /** The lengths of the ledger's lists when the server was backed up. */
  #atBackup: Record<"intents" | "comments" | "files" | "grants" | "links" | "attachments", number> | undefined;

  readonly isIndexed: boolean;
  readonly #isRestoredByHand: boolean;

  private constructor(database: SimDatabase, seed: number) {
    this.isIndexed = seed % 8 === 0;
    this.#isRestoredByHand = seed % 3 === 1;
    this.environment.begin(seed);
    const environment = this.environment.withClock(() => this.clocks.get("server") ?? 0);
    this.server = new SimServer(database, { ...this.#parts(), environment, processes: seed % 4 === 3 ? 3 : 1 });
  }

  static async create(scenario: Scenario): Promise<World> {
    peopled ??= await World.#withPeople();
    const world = new World(SimDatabase.of(peopled), scenario.seed);
    world.environment.advance(1_000_000);
    await world.server.recordStart();
    for (const { id, username } of await world.server.db.selectFrom("user").select(["id", "username"]).execute()) {
      world.#people.set(username, id);
    }
    for (const [index, name] of scenario.cast.entries()) await world.#addReplica(index, name);
    return world;
  }

  /** A server with users and a group: the start of every run. */
  static async #withPeople(): Promise<Buffer> {
    const { server } = new World(await SimDatabase.create(), 0);
    for (const name of people) await server.createPerson(name, rolesOf[name] ?? []);
    await server.services.groups.provide({ name: "lab", description: null, is_managed: true });
    const image = server.database.image();
    await server.database.close();
    return image;
  }

  async #addReplica(index: number, username: string): Promise<void> {
    const person = { id: this.idOf(username), username };
    await this.server.call(person.id, "GET", "/api/sync/hello", undefined);
    const name = `replica ${index + 1} (${username})`;
    const environment = this.environment.withClock(() => this.clocks.get(name) ?? 0);
    const replica = new SimReplica(name, person, await SimDatabase.create(), {
      ...{ ...this.#parts(), server: this.server, environment },
    });
    await replica.prepare();
    this.replicas.push(replica);
  }

  #parts() {
    const { faults, watch, isIndexed } = this;
    return { faults, watch, isIndexed };
  }

  /** The other user of the step, besides the one who acts. */
  other = "";

  /**
   * Picks a random row, or the one that the focus selects: the same one on every host that has it.
   * @param about the id of a row's object, so that rows of the same object are picked together.
   */
  pick<T extends { id: string }>(from: readonly T[], about: (row: T) => string = ({ id }) => id): T | undefined {
    return this.focus === undefined ? this.chance.pick(from) : Chance.favourite(this.focus, from, about);
  }

  idOf(person: string): string {
    const id = this.#people.get(person);
    if (id === undefined) throw new Error(`nobody is called ${person}`);
    return id;
  }

  async copyReplica(replica: SimReplica): Promise<string> {
    const copy = await replica.copyAs(`replica ${this.replicas.length + 1} (${replica.username})`);
    this.replicas.push(copy);
    return copy.name;
  }

  backUpServer(): void {
    this.server.backUp();
    this.#slowest = new Map(this.clocks);
    const { intents, comments, files, grants, links, attachments } = this.ledger;
    this.#atBackup = {
      attachments: attachments.length,
      intents: intents.length,
      comments: comments.length,
      files: files.length,
      grants: grants.length,
      links: links.length,
    };
  }

  /** Sets a clock. After a month by all clocks, replicas have dropped operations that an earlier backup lacks. */
  setClock(place: string, micros: number): void {
    this.#slowest.set(place, Math.min(micros, this.#slowest.get(place) ?? this.clocks.get(place) ?? 0));
    this.clocks.set(place, micros);
    const ahead = (name: string) => (this.clocks.get(name) ?? 0) - (this.#slowest.get(name) ?? 0);
    const furthest = Math.max(...this.replicas.map(({ name }) => ahead(name)));
    if (Math.min(ahead("server"), furthest) > journalMicros) this.server.forgetBackup();
  }

  /** Restores the server. Work done at the server itself since the backup is lost, as its users know. */
  async restoreServer(): Promise<boolean> {
    if (!(await this.server.putBackup(this.#isRestoredByHand)) || !this.#atBackup) return false;
    const { ledger } = this;
    const isServer = ({ place }: { place: string }) => place === "server";
    for (const list of ["intents", "comments"] as const) {
      for (const { marker } of ledger[list].slice(this.#atBackup[list]).filter(isServer)) ledger.dropped.add(marker);
    }
    for (const list of ["files", "grants", "links"] as const) {
      for (const { id } of ledger[list].slice(this.#atBackup[list]).filter(isServer)) ledger.dropped.add(id);
    }
    // Attachments are uploaded to the server directly, wherever the comments were written.
    for (const { id } of ledger.attachments.slice(this.#atBackup.attachments)) ledger.dropped.add(id);
    for (const replica of this.#forgetful) await this.#forget(replica, await operationsOn(replica.db));
    ledger.published.clear();
    this.watch.startOver();
    return true;
  }

  /** Restores a replica. Work that never reached the server is lost with its disk. */
  async restoreReplica(replica: SimReplica): Promise<boolean> {
    if (!(await replica.putBackup())) return false;
    this.#forgetful.add(replica);
    this.ledger.markRestored(replica.name);
    await this.#forget(replica, await everythingOn(replica.db));
    return true;
  }

  /** @param here what the replica can still send to the server. */
  async #forget(replica: SimReplica, here: string): Promise<void> {
    const known = here + (await everythingOn(this.server.db));
    this.ledger.forget(replica.name, (text) => known.includes(text));
    // Rejected operations were only in the tray.
    const applied = await appliedOn(this.server.db);
    for (const { replica: at, id } of this.ledger.operations) {
      if (at === replica && !here.includes(id) && !applied.has(id)) this.ledger.dropped.add(id);
    }
  }

  async close(): Promise<void> {
    for (const replica of this.replicas) await replica.database.close();
    await this.server.database.close();
  }
}
