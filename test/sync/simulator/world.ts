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

/** Less than replicas keep what they delivered. */
const journalMicros = 20 * 86_400_000_000;

let peopled: Buffer | undefined;

/** A document as somebody has it open, away from the server since. */
interface OpenDocument {
  draft: string;
  family: string;
  epoch: number;
  doc: Y.Doc;
  /** What she wrote there and has not been told is done. */
  written: string[];
}

/** A server, and replicas of some people, in one process. */
export class World {
  /** The chance of the step under way. */
  chance = new Chance(0);
  /** Steps of one focus work on the same object, as far as their places show the same. */
  focus: number | undefined;
  readonly faults = new Faults();
  readonly environment = new VirtualEnvironment();
  readonly ledger = new Ledger();
  readonly replicas: SimReplica[] = [];
  /** By how much the clock of a place is wrong, in microseconds. */
  readonly clocks = new Map<string, number>();
  readonly #people = new Map<string, string>();
  /** By person: the document that she has open live, as she has it. */
  readonly openDocuments = new Map<string, OpenDocument>();
  /** What happened, in words, for the replay of a failing seed. */
  readonly log: string[] = [];
  readonly watch = new Watch(this.ledger);
  readonly server: SimServer;
  /** Replicas whose disk was lost once: of what they told the server before, they cannot tell it again. */
  readonly #forgetful = new Set<SimReplica>();
  /** By place: the clock that was the furthest behind since the backup, as in `clocks`. */
  #slowest = new Map<string, number>();
  /** What was known when the server was backed up. */
  #told: Record<"intents" | "comments" | "files" | "grants" | "links" | "attachments", number> | undefined;

  readonly isIndexed: boolean;

  private constructor(database: SimDatabase, seed: number) {
    this.isIndexed = seed % 8 === 0;
    this.environment.begin(seed);
    const environment = this.environment.withClock(() => this.clocks.get("server") ?? 0);
    this.server = new SimServer(database, { ...this.#parts(), environment });
  }

  static async create(scenario: Scenario): Promise<World> {
    peopled ??= await World.#withPeople();
    const world = new World(SimDatabase.of(peopled), scenario.seed);
    world.environment.advance(1_000_000);
    for (const { id, username } of await world.server.db.selectFrom("user").select(["id", "username"]).execute()) {
      world.#people.set(username, id);
    }
    for (const [index, name] of scenario.cast.entries()) await world.#addReplica(index, name);
    return world;
  }

  /** A server with its people and a group, as every run begins. */
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

  /** The one whom the step is about beside the one who acts. */
  other = "";

  /**
   * Any row of several, or the one that the focus points at: the same one wherever it is among them.
   * @param about the object that a row tells of, so that what belongs together is picked together.
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
    this.#told = {
      attachments: attachments.length,
      intents: intents.length,
      comments: comments.length,
      files: files.length,
      grants: grants.length,
      links: links.length,
    };
  }

  /** Sets a clock. Replicas that took all clocks for a month further have dropped what a backup from before lacks. */
  setClock(place: string, micros: number): void {
    this.#slowest.set(place, Math.min(micros, this.#slowest.get(place) ?? this.clocks.get(place) ?? 0));
    this.clocks.set(place, micros);
    const ahead = (name: string) => (this.clocks.get(name) ?? 0) - (this.#slowest.get(name) ?? 0);
    const furthest = Math.max(...this.replicas.map(({ name }) => ahead(name)));
    if (Math.min(ahead("server"), furthest) > journalMicros) this.server.forgetBackup();
  }

  /** What was said to people at the server itself since the backup is gone, as they will be told. */
  async restoreServer(): Promise<boolean> {
    if (!(await this.server.putBackup()) || !this.#told) return false;
    const { ledger } = this;
    const isServer = ({ place }: { place: string }) => place === "server";
    for (const list of ["intents", "comments"] as const) {
      for (const { marker } of ledger[list].slice(this.#told[list]).filter(isServer)) ledger.dropped.add(marker);
    }
    for (const list of ["files", "grants", "links"] as const) {
      for (const { id } of ledger[list].slice(this.#told[list]).filter(isServer)) ledger.dropped.add(id);
    }
    // Their bytes went to the server, wherever the comments were written.
    for (const { id } of ledger.attachments.slice(this.#told.attachments)) ledger.dropped.add(id);
    for (const replica of this.#forgetful) await this.#forget(replica, await operationsOn(replica.db));
    ledger.published.clear();
    this.watch.startOver();
    return true;
  }

  /** A disk that was lost takes with it what the server had not heard of. */
  async restoreReplica(replica: SimReplica): Promise<boolean> {
    if (!(await replica.putBackup())) return false;
    this.#forgetful.add(replica);
    this.ledger.beginsAnotherLife(replica.name);
    await this.#forget(replica, await everythingOn(replica.db));
    return true;
  }

  /** @param here what the replica can still tell the server of. */
  async #forget(replica: SimReplica, here: string): Promise<void> {
    const known = here + (await everythingOn(this.server.db));
    this.ledger.forget(replica.name, (text) => known.includes(text));
    // What the server refused was in the tray alone.
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
