import { Chance } from "./chance.ts";
import { VirtualEnvironment } from "./environment.ts";
import { Faults } from "./faults.ts";
import { Ledger } from "./ledger.ts";
import { SimDatabase } from "./sim-database.ts";
import { SimReplica } from "./sim-replica.ts";
import { SimServer } from "./sim-server.ts";
import { people, type Scenario } from "./step.ts";
import { everythingOn } from "./text-of.ts";
import { Watch } from "./watch.ts";

const rolesOf: Record<string, string[]> = { dora: ["superuser-access"] };

/** A server, and replicas of some people, in one process. */
export class World {
  /** The chance of the step under way. */
  chance = new Chance(0);
  readonly faults = new Faults();
  readonly environment = new VirtualEnvironment();
  readonly ledger = new Ledger();
  readonly replicas: SimReplica[] = [];
  /** By how much the clock of a place is wrong, in microseconds. */
  readonly clocks = new Map<string, number>();
  readonly #people = new Map<string, string>();
  /** What happened, in words, for the replay of a failing seed. */
  readonly log: string[] = [];
  readonly watch = new Watch(this.ledger);
  readonly server: SimServer;
  /** What was known when the server was backed up. */
  #told: { intents: number; comments: number; files: number; grants: number; links: number } | undefined;

  readonly isIndexed: boolean;

  private constructor(database: SimDatabase, seed: number) {
    this.isIndexed = seed % 8 === 0;
    this.server = new SimServer(database, this);
  }

  static async create(scenario: Scenario): Promise<World> {
    const world = new World(await SimDatabase.create(), scenario.seed);
    world.environment.begin(scenario.seed);
    for (const name of people) world.#people.set(name, await world.server.createPerson(name, rolesOf[name] ?? []));
    await world.server.services.groups.provide({ name: "lab", description: null, is_managed: true });
    for (const [index, name] of scenario.cast.entries()) await world.#addReplica(index, name);
    return world;
  }

  async #addReplica(index: number, username: string): Promise<void> {
    const person = { id: this.idOf(username), username };
    await this.server.call(person.id, "GET", "/api/sync/hello", undefined);
    const name = `replica ${index + 1} (${username})`;
    const environment = this.environment.withClock(() => this.clocks.get(name) ?? 0);
    const replica = new SimReplica(name, person, await SimDatabase.create(), { ...this.#parts(), environment });
    await replica.prepare();
    this.replicas.push(replica);
  }

  #parts() {
    const { server, faults, watch, isIndexed } = this;
    return { server, faults, watch, isIndexed };
  }

  idOf(person: string): string {
    const id = this.#people.get(person);
    if (id === undefined) throw new Error(`nobody is called ${person}`);
    return id;
  }

  backUpServer(): void {
    this.server.backUp();
    const { intents, comments, files, grants, links } = this.ledger;
    this.#told = {
      intents: intents.length,
      comments: comments.length,
      files: files.length,
      grants: grants.length,
      links: links.length,
    };
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
    ledger.published.clear();
    return true;
  }

  /** A disk that was lost takes with it what the server had not heard of. */
  async restoreReplica(replica: SimReplica): Promise<boolean> {
    if (!(await replica.putBackup())) return false;
    const known = await everythingOn(this.server.db);
    const here = await everythingOn(replica.db);
    this.ledger.forget(replica.name, (text) => known.includes(text) || here.includes(text));
    for (const operation of this.ledger.operations) {
      if (operation.replica !== replica) continue;
      const isKnown = here.includes(operation.id) || known.includes(operation.id);
      if (!isKnown) this.ledger.dropped.add(operation.id);
    }
    return true;
  }

  async close(): Promise<void> {
    for (const replica of this.replicas) await replica.db.destroy();
    await this.server.db.destroy();
  }
}
