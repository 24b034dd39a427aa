import { actionWeights } from "./action-weights.ts";
import { Chance } from "./chance.ts";

/** One thing that happens. Its chance is its own: leaving another step out does not change it. */
export interface Step {
  do: string;
  /** `server`, or the number of a replica. */
  at: "server" | number;
  /** Who acts, where it is the server. */
  by: string;
  dice: number;
  /** Whether anything may go wrong in it. */
  faults: boolean;
}

/** A whole run as data: what a seed gives, what shrinking shortens, what a script file holds. */
export interface Scenario {
  seed: number;
  /** Whose each replica is. */
  cast: string[];
  faultRate: number;
  steps: Step[];
}

export const people = ["alice", "bob", "carol", "dora"] as const;

const casts = [
  ["alice", "alice"],
  ["alice", "bob"],
  ["alice", "alice", "bob"],
  ["alice", "bob", "carol"],
  ["alice", "alice", "bob", "carol"],
  ["alice", "bob", "carol", "dora"],
  ["alice", "alice", "bob", "carol", "dora"],
];

const bag = Object.entries(actionWeights).flatMap(([name, weight]) => Array.from({ length: weight }, () => name));
/** Only these happen at the server too; all others are a replica's. */
const isOfBoth = (name: string): boolean => !name.includes(":");

/** Something to work on, and who may: without it most steps of a short run would find nothing. */
function opening(cast: string[], dice: () => number): Step[] {
  const step = (name: string, at: Step["at"]): Step => ({ do: name, at, by: "alice", dice: dice(), faults: false });
  const shared = [step("create", 0), step("create", 0), step("give access", 0), step("give access", 0)];
  return [...shared, step("line: push", 0), ...cast.map((_, index) => step("line: pull", index))];
}

/** The run that belongs to a seed. */
export function planOf(seed: number, operations: number): Scenario {
  const chance = new Chance(seed);
  const cast = casts[seed % casts.length] ?? ["alice", "alice"];
  const dice = () => Math.floor(chance.next() * 4_294_967_296);
  const steps = Array.from({ length: operations }, (): Step => {
    const name = chance.pick(bag) ?? "pull:";
    const isAtServer = isOfBoth(name) && chance.happens(0.2);
    const at = isAtServer || name.startsWith("server:") ? "server" : chance.below(cast.length);
    const by = chance.pick(["alice", ...people]) ?? "alice";
    return { do: name, at, by, dice: dice(), faults: true };
  });
  return { seed, cast, faultRate: 0.02 + (seed % 5) * 0.02, steps: [...opening(cast, dice), ...steps] };
}
