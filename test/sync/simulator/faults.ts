import type { Chance } from "./chance.ts";

/** Thrown where a process dies: what was not committed is gone, and so is everything in memory. */
export class Crash extends Error {}

/** Points at which a process may die. */
export type CrashPoint =
  | "client: inside a transaction"
  | "client: after a commit"
  | "client: answer arrived"
  | "server: inside a transaction"
  | "server: after a commit";

/** Decides what goes wrong, and counts what did. */
export class Faults {
  readonly #chance: Chance;
  /** 0 while healing: nothing goes wrong any more. */
  rate: number;
  readonly seen = new Map<string, number>();

  constructor(chance: Chance, rate: number) {
    this.#chance = chance;
    this.rate = rate;
  }

  /** Whether the fault happens now. */
  strike(name: string, weight = 1): boolean {
    if (this.rate === 0 || !this.#chance.happens(this.rate * weight)) return false;
    this.seen.set(name, (this.seen.get(name) ?? 0) + 1);
    return true;
  }

  /** @throws Crash */
  crashPoint(point: CrashPoint): void {
    if (this.strike(point)) throw new Crash(point);
  }
}
