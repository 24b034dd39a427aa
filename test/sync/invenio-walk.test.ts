import { expect, test } from "vitest";
import { violationsAtTheEnd, violationsNow } from "./invenio-walk/walk-invariants.ts";
import { profileOf, stepsOf, take, type WalkStep } from "./invenio-walk/walk-steps.ts";
import { heal, openWorld } from "./invenio-walk/walk-world.ts";
import { Chance } from "./simulator/chance.ts";

/** `npm run simulate:invenio` sets more; `7` or `1-200`. */
const [first = 1, last = first] = (process.env.CARREL_WALK_SEEDS ?? "1-6").split("-").map(Number);
const seeds = Array.from({ length: last - first + 1 }, (_, at) => first + at);
const length = 40;
const mostTries = 30;

/** @returns what was violated, with the number of the step. */
async function walk(seed: number, steps: readonly WalkStep[]): Promise<string[]> {
  const world = await openWorld(profileOf(seed));
  for (const [at, step] of steps.entries()) {
    await take(world, step);
    const found = await violationsNow(world);
    if (found.length > 0) return found.map((one) => `step ${at} (${step.do}): ${one}`);
  }
  await heal(world);
  return violationsAtTheEnd(world);
}

const failing = (seed: number, steps: readonly WalkStep[]): Promise<string[]> =>
  walk(seed, steps).catch((error: Error) => [error.message]);

/** The shortest history with a violation that leaving out steps finds. */
async function shrink(
  seed: number,
  steps: WalkStep[],
  found: string[],
): Promise<{ steps: WalkStep[]; found: string[] }> {
  let left = { steps, found };
  for (let tries = 0, part = Math.ceil(steps.length / 2); part >= 1 && tries < mostTries; part = Math.floor(part / 2)) {
    for (let at = 0; at < left.steps.length && tries < mostTries; tries++) {
      const fewer = left.steps.toSpliced(at, part);
      const still = await failing(seed, fewer);
      if (still.length > 0) left = { steps: fewer, found: still };
      else at += part;
    }
  }
  return left;
}

test.each(seeds)(
  "a desk at a strict fake with lost answers, edits there and dead tokens, seed %i (issue 20, U1 to U5, U8 to U10)",
  async (seed) => {
    const steps = stepsOf(new Chance(seed), length);
    const found = await failing(seed, steps);
    const least =
      found.length > 0 && process.env.CARREL_WALK_SEEDS ? await shrink(seed, steps, found) : { steps, found };
    expect(least.found, JSON.stringify(least.steps, undefined, 1)).toEqual([]);
  },
);
