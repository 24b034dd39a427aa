import type { Environment } from "../../../shared/kernel/environment.ts";
import { Chance } from "./chance.ts";
import { Faults } from "./faults.ts";
import { SimReplica } from "./sim-replica.ts";
import { SimServer } from "./sim-server.ts";

export interface WorldOptions {
  seed: number;
  replicas: number;
  faultRate: number;
}

/** Virtual time and seeded randomness, shared by everything in one run. */
function virtualEnvironment(chance: Chance): Environment & { advance(micros: number): void } {
  let now = Date.UTC(2026, 0, 1) * 1000;
  return {
    now: () => ++now,
    random: (count) => chance.bytes(count),
    advance: (micros) => {
      now += micros;
    },
  };
}

/** A server and some replicas of one person in one process. */
export class World {
  readonly chance: Chance;
  readonly faults: Faults;
  readonly environment: ReturnType<typeof virtualEnvironment>;
  readonly server: SimServer;
  readonly replicas: SimReplica[] = [];
  userId = "";
  /** What happened, in words, for the replay of a failing seed. */
  readonly log: string[] = [];
  readonly #options: WorldOptions;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.chance = new Chance(options.seed);
    this.faults = new Faults(this.chance, 0);
    this.environment = virtualEnvironment(new Chance(options.seed + 1));
    this.server = new SimServer(this.environment, this.faults);
  }

  async prepare(): Promise<void> {
    this.userId = await this.server.createPerson("alice");
    await this.server.call(this.userId, "GET", "/api/sync/hello", undefined);
    for (let index = 0; index < this.#options.replicas; index++) {
      const replica = new SimReplica(`replica ${index + 1}`, this.userId, this);
      await replica.prepare();
      await replica.topUp();
      await replica.pullAll();
      this.replicas.push(replica);
    }
    this.faults.rate = this.#options.faultRate;
  }

  /** Ends all faults and lets everybody send and fetch until nothing is left to do. */
  async heal(): Promise<void> {
    this.faults.rate = 0;
    for (const replica of this.replicas) replica.isPartitioned = false;
    for (let round = 0; round < 60; round++) {
      let moved = 0;
      for (const replica of this.replicas) {
        moved += await replica.pushOnce();
        await replica.pullAll();
      }
      const left = await Promise.all(this.replicas.map((replica) => replica.unsent()));
      if (moved === 0 && left.every((count) => count === 0)) {
        for (const replica of this.replicas) await replica.pullAll();
        return;
      }
    }
    throw new Error("work is still unsent after healing (I9)");
  }

  async close(): Promise<void> {
    for (const replica of this.replicas) await replica.db.destroy();
    await this.server.db.destroy();
  }
}
