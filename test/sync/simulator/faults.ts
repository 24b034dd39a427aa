import { MassRemoval } from "../../../main/sync/removal-guard.ts";
import { Unreachable } from "../../../main/sync/transport.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import { Chance } from "./chance.ts";

/** Thrown where a process dies: what was not committed is gone, and so is everything in memory. */
export class Crash extends Error {}

/** A refusal, a lost line, the question before much is removed. */
export const isOfLine = (error: unknown): boolean =>
  error instanceof Failure || error instanceof Unreachable || error instanceof MassRemoval;

/** What may end anything, a death too. */
export const isExpected = (error: unknown): error is Error => isOfLine(error) || error instanceof Crash;

/** Points at which a process may die. */
export type CrashPoint =
  | "client: inside a transaction"
  | "client: after a commit"
  | "client: answer arrived"
  | "server: inside a transaction"
  | "server: after a commit"
  | "server: upload cut";

/** Decides what goes wrong, and counts what did. */
export class Faults {
  #chance = new Chance(0);
  /** 0 while healing: nothing goes wrong any more. */
  rate = 0;
  readonly seen = new Map<string, number>();

  /** The chance of one step. */
  begin(dice: number, rate: number): void {
    this.#chance = new Chance(dice);
    this.rate = rate;
  }

  /** Whether the fault happens now. */
  strike(name: string, weight = 1): boolean {
    if (this.rate === 0 || !this.#chance.happens(this.rate * weight)) return false;
    this.seen.set(name, (this.seen.get(name) ?? 0) + 1);
    return true;
  }

  /** A number below the bound. */
  below(bound: number): number {
    return this.#chance.below(bound);
  }

  /** @throws Crash */
  crashPoint(point: CrashPoint): void {
    if (this.strike(point)) throw new Crash(point);
  }
}
