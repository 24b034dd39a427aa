import { MassRemoval } from "../../../main/sync/removal-guard.ts";
import { Unreachable } from "../../../main/sync/transport.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import { Chance } from "./chance.ts";

/** Thrown where a process crashes. Uncommitted changes and everything in memory are lost. */
export class Crash extends Error {}

/** Whether an error is a refusal, a lost connection, or the removal guard's question. */
export const isOfLine = (error: unknown): boolean =>
  error instanceof Failure || error instanceof Unreachable || error instanceof MassRemoval;

/** Whether an error may end any step: as above, or a crash. */
export const isExpected = (error: unknown): error is Error => isOfLine(error) || error instanceof Crash;

const passing = new Set(["unauthorized", "too_many", "unavailable", "disk_full", "upgrade_required"]);

/** Whether the failure of a whole call is temporary. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof Failure && passing.has(error.kind));

/** Points at which a process may crash. */
export type CrashPoint =
  | "client: inside a transaction"
  | "client: after a commit"
  | "client: answer arrived"
  | "server: inside a transaction"
  | "server: after a commit"
  | "server: upload cut";

/** Decides which faults happen, and counts them. */
export class Faults {
  #chance = new Chance(0);
  /** The probability of faults; 0 while healing. */
  rate = 0;
  readonly seen = new Map<string, number>();

  /** Starts the randomness of one step. */
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

  /** A random integer below the bound. */
  below(bound: number): number {
    return this.#chance.below(bound);
  }

  /** @throws Crash */
  crashPoint(point: CrashPoint): void {
    if (this.strike(point)) throw new Crash(point);
  }
}
