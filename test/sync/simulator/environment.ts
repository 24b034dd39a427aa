import type { Environment } from "../../../shared/kernel/environment.ts";
import { Chance } from "./chance.ts";

/** Virtual time and seeded randomness, shared by everything in one run. */
export class VirtualEnvironment implements Environment {
  #now = Date.UTC(2026, 0, 1) * 1000;
  #chance = new Chance(1);

  /** Starts the randomness of one step. Each step needs its own number. */
  begin(dice: number): void {
    this.#chance = new Chance(dice ^ 0x5bd1e995);
  }

  now(): number {
    return ++this.#now;
  }

  random(count: number): Uint8Array {
    return this.#chance.bytes(count);
  }

  advance(micros: number): void {
    this.#now += micros;
  }

  /** The same environment with another clock. */
  withClock(offset: () => number): Environment {
    return { now: () => this.now() + offset(), random: (count) => this.random(count) };
  }
}
