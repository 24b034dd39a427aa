import type { SeedResult } from "./run-seed.ts";
import type { Scenario } from "./step.ts";

/** The kind of a violation: its first line without ids, names and numbers. */
const kindOf = (violation: string): string =>
  (violation.split("\n", 1)[0] ?? "").replace(/\s\S*\d\S*(?: \(\w+\))?/g, "").slice(0, 60);

/**
 * The shortest run found that breaks the same invariant. Removes steps, first many at once, then single ones, then
 * faults. Each step has its own random number, so the others stay the same.
 * @param budget the largest number of runs.
 */
export async function shrink(
  scenario: Scenario,
  violation: string,
  run: (scenario: Scenario) => Promise<SeedResult>,
  budget: number,
): Promise<Scenario> {
  let best = scenario;
  let left = budget;
  const isSame = async (candidate: Scenario): Promise<boolean> => {
    left -= 1;
    const found = (await run(candidate)).violation;
    return found !== undefined && kindOf(found) === kindOf(violation);
  };
  for (
    let size = Math.ceil(best.steps.length / 2);
    size >= 1 && left > 0;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let end = best.steps.length; end > 0 && left > 0; end -= size) {
      const steps = best.steps.filter((_, index) => index < end - size || index >= end);
      const candidate = { ...best, steps };
      if (steps.length < best.steps.length && (await isSame(candidate))) best = candidate;
    }
  }
  for (let index = 0; index < best.steps.length && left > 0; index++) {
    const calm = best.steps.map((step, at) => (at === index ? { ...step, faults: false } : step));
    if (best.steps[index]?.faults && (await isSame({ ...best, steps: calm }))) best = { ...best, steps: calm };
  }
  return best;
}
