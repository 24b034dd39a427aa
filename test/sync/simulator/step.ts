import { actionWeights } from "./action-weights.ts";
import { Chance } from "./chance.ts";
import type { Motif } from "./motif.ts";
import { motifs } from "./motifs.ts";

/** One step. Its random number is its own, so removing another step does not change it. */
export interface Step {
  do: string;
  /** `server`, or the number of a replica. */
  at: "server" | number;
  /** The user who acts at the server; at a replica the other user of the step, if any. */
  by: string;
  dice: number;
  /** Whether faults may be injected into it. */
  faults: boolean;
  /** A random number that several steps share, so that they choose the same object. */
  focus?: number;
}

/** A whole run as data: made from a seed, shortened by shrinking, stored in script files. */
export interface Scenario {
  /** What this stored run once broke, and why. */
  about?: string;
  seed: number;
  /** The user of each replica. */
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

/** Whether a step can happen at the server too. Names with a colon belong to one side. */
const isOfBoth = (name: string): boolean => !name.includes(":");
const isOfServer = (name: string): boolean => name.startsWith("server:");

/** Weights of the kinds of steps: 0 leaves a kind out of the run, 3 makes it frequent. */
const shifts = [0, 1, 1, 3];
/** Steps without which nothing is synchronised. */
const always = new Set(["edit", "sync: push", "sync: pull", "sync: upload"]);

/** The steps of a run to choose from, each as often as its weight. Each seed has other weights. */
function bagOf(chance: Chance): string[] {
  return Object.entries(actionWeights).flatMap(([name, weight]) => {
    const shift = chance.pick(shifts) ?? 1;
    return Array.from({ length: weight * (always.has(name) ? Math.max(1, shift) : shift) }, () => name);
  });
}

/** Creates objects and grants first: without them most steps of a short run would do nothing. */
function opening(cast: string[], dice: () => number): Step[] {
  const step = (name: string, at: Step["at"]): Step => ({ do: name, at, by: "alice", dice: dice(), faults: false });
  const shared = [step("create", 0), step("create", 0), step("give access", 0), step("give access", 0)];
  return [...shared, step("sync: push", 0), ...cast.map((_, index) => step("sync: pull", index))];
}

/** Sends and fetches everything, then handles rejected operations. */
function ending(cast: string[], dice: () => number, chance: Chance): Step[] {
  const common = { by: "alice", faults: false };
  const deal = (at: number): Step => {
    const name = chance.pick(["retry", "copy", "discard", "withdraw"]) ?? "retry";
    return { do: `tray: ${name}`, at, dice: dice(), ...common };
  };
  return [{ do: "sync: all", at: 0, dice: dice(), ...common }, ...cast.map((_, index) => deal(index))];
}

const stories = Object.values(motifs);

/** Over consecutive seeds, every motif occurs equally often, with changing casts. */
const ownMotifOf = (seed: number): Motif | undefined =>
  stories[(seed + Math.floor(seed / stories.length)) % stories.length];

/** The run of a seed. */
export function planOf(seed: number, operations: number): Scenario {
  const chance = new Chance(seed);
  const cast = casts[seed % casts.length] ?? ["alice", "alice"];
  const dice = () => Math.floor(chance.next() * 4_294_967_296);
  const bag = bagOf(chance);
  const any = (): Step => {
    const name = chance.pick(bag) ?? "sync: pull";
    const isAtServer = isOfBoth(name) && chance.happens(0.2);
    const at = isAtServer || isOfServer(name) ? "server" : chance.below(cast.length);
    const by = chance.pick(["alice", ...people]) ?? "alice";
    return { do: name, at, by, dice: dice(), faults: true };
  };
  function stepsOf(motif: Motif): Step[] {
    const a = chance.happens(0.7) ? 0 : chance.below(cast.length);
    const b = (a + 1 + chance.below(cast.length - 1)) % cast.length;
    const places: Record<string, number> = { a, b, copy: cast.length };
    const focus = dice();
    const faults = chance.happens(0.5);
    const common = { by: "alice", faults: false };
    const inReach = [a, b].map((at): Step => ({ do: "sync: online", at, dice: dice(), ...common }));
    const story = motif.flatMap(([name, who]) => {
      const at: Step["at"] = places[who] ?? "server";
      const by = at === "server" ? who : (cast[at === b ? a : b] ?? "alice");
      const step = { do: name, at, by, dice: dice(), faults, focus };
      return chance.happens(0.1) ? [any(), step] : [step];
    });
    return [...inReach, ...story];
  }
  const steps: Step[] = [];
  const due = chance.below(operations / 2);
  let own: Motif | undefined = ownMotifOf(seed);
  while (steps.length < operations) {
    const isDue = own !== undefined && steps.length >= due;
    const motif = isDue ? own : chance.happens(0.05) ? chance.pick(stories) : undefined;
    if (isDue) own = undefined;
    steps.push(...(motif ? stepsOf(motif) : [any()]));
  }
  const faultRate = 0.02 + (seed % 5) * 0.02;
  const end = seed % 3 === 0 ? ending(cast, dice, chance) : [];
  return { seed, cast, faultRate, steps: [...opening(cast, dice), ...steps, ...end] };
}
