import { actionWeights } from "./action-weights.ts";
import { Chance } from "./chance.ts";
import type { Motif } from "./motif.ts";
import { motifs } from "./motifs.ts";

/** One thing that happens. Its chance is its own: leaving another step out does not change it. */
export interface Step {
  do: string;
  /** `server`, or the number of a replica. */
  at: "server" | number;
  /** Who acts, where it is the server; elsewhere the other one, if there is one. */
  by: string;
  dice: number;
  /** Whether anything may go wrong in it. */
  faults: boolean;
  /** Chance that several steps share when they choose what they are about. */
  focus?: number;
}

/** A whole run as data: what a seed gives, what shrinking shortens, what a script file holds. */
export interface Scenario {
  /** What a kept run once broke, and why. */
  about?: string;
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

/** Only these happen at the server too; all others are a replica's. */
const isOfBoth = (name: string): boolean => !name.includes(":");
const isOfServer = (name: string): boolean => name.startsWith("server:");

/** How often each kind of step is left out of a run, taken as it is, or taken often: runs differ in kind. */
const shifts = [0, 1, 1, 3];
/** Without these nothing moves. */
const always = new Set(["edit", "line: push", "line: pull", "line: upload"]);

/** Where a run spends its steps: another place of what can happen for each seed. */
function bagOf(chance: Chance): string[] {
  return Object.entries(actionWeights).flatMap(([name, weight]) => {
    const shift = chance.pick(shifts) ?? 1;
    return Array.from({ length: weight * (always.has(name) ? Math.max(1, shift) : shift) }, () => name);
  });
}

/** Something to work on, and who may: without it most steps of a short run would find nothing. */
function opening(cast: string[], dice: () => number): Step[] {
  const step = (name: string, at: Step["at"]): Step => ({ do: name, at, by: "alice", dice: dice(), faults: false });
  const shared = [step("create", 0), step("create", 0), step("give access", 0), step("give access", 0)];
  return [...shared, step("line: push", 0), ...cast.map((_, index) => step("line: pull", index))];
}

/** All is sent and fetched; then what was refused is dealt with. */
function ending(cast: string[], dice: () => number, chance: Chance): Step[] {
  const common = { by: "alice", faults: false };
  const deal = (at: number): Step => {
    const name = chance.pick(["retry", "copy", "discard", "withdraw"]) ?? "retry";
    return { do: `tray: ${name}`, at, dice: dice(), ...common };
  };
  return [{ do: "line: all", at: 0, dice: dice(), ...common }, ...cast.map((_, index) => deal(index))];
}

const stories = Object.values(motifs);

/** Among any seeds that follow each other every motif comes equally often, and each time with another cast. */
const ownMotifOf = (seed: number): Motif | undefined =>
  stories[(seed + Math.floor(seed / stories.length)) % stories.length];

/** The run that belongs to a seed. */
export function planOf(seed: number, operations: number): Scenario {
  const chance = new Chance(seed);
  const cast = casts[seed % casts.length] ?? ["alice", "alice"];
  const dice = () => Math.floor(chance.next() * 4_294_967_296);
  const bag = bagOf(chance);
  const any = (): Step => {
    const name = chance.pick(bag) ?? "line: pull";
    const isAtServer = isOfBoth(name) && chance.happens(0.2);
    const at = isAtServer || isOfServer(name) ? "server" : chance.below(cast.length);
    const by = chance.pick(["alice", ...people]) ?? "alice";
    return { do: name, at, by, dice: dice(), faults: true };
  };
  function told(motif: Motif): Step[] {
    const a = chance.happens(0.7) ? 0 : chance.below(cast.length);
    const b = (a + 1 + chance.below(cast.length - 1)) % cast.length;
    const places: Record<string, number> = { a, b, copy: cast.length };
    const focus = dice();
    const faults = chance.happens(0.5);
    const common = { by: "alice", faults: false };
    const inReach = [a, b].map((at): Step => ({ do: "line: in reach", at, dice: dice(), ...common }));
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
    steps.push(...(motif ? told(motif) : [any()]));
  }
  const faultRate = 0.02 + (seed % 5) * 0.02;
  const end = seed % 3 === 0 ? ending(cast, dice, chance) : [];
  return { seed, cast, faultRate, steps: [...opening(cast, dice), ...steps, ...end] };
}
