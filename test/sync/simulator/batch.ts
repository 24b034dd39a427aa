import { shrink } from "./shrink.ts";
import { type Simulator, type SimulatorName, simulatorOf } from "./simulators.ts";
import type { Scenario } from "./step.ts";

/** Seeds to run, and when to stop early. */
export interface Batch {
  first: number;
  seeds: number;
  operations: number;
  /** Whether to stop after the first violation. */
  stopAtFirst: boolean;
  /** When to stop, in milliseconds UTC; null: never. */
  until: number | null;
  simulator?: SimulatorName;
  /** Whether to shrink the first violation, and tell its story. */
  isShrunk?: boolean;
}

export interface BatchResult {
  seeds: number;
  changes: number;
  faults: Record<string, number>;
  branches: Record<string, number>;
  violations: { seed: number; violation: string; story?: string[] }[];
}

export const emptyResult = (): BatchResult => ({ seeds: 0, changes: 0, faults: {}, branches: {}, violations: [] });

function addCounts(total: Record<string, number>, part: Record<string, number>): void {
  for (const [name, times] of Object.entries(part)) total[name] = (total[name] ?? 0) + times;
}

/** Adds one part's figures to a total. */
export function addResult(total: BatchResult, part: BatchResult): void {
  total.seeds += part.seeds;
  total.changes += part.changes;
  addCounts(total.faults, part.faults);
  addCounts(total.branches, part.branches);
  total.violations.push(...part.violations);
}

const maxRunsToShrink = 120;

/** What happens in the shortest run found with this violation. */
async function storyOf({ run }: Simulator, scenario: Scenario, violation: string): Promise<string[]> {
  return (await run(await shrink(scenario, violation, run, maxRunsToShrink))).log;
}

/** Runs seeds one after the other. */
export async function runBatch({ first, seeds, operations, ...options }: Batch): Promise<BatchResult> {
  const { stopAtFirst, until, isShrunk } = options;
  const simulator = await simulatorOf(options.simulator);
  const total = emptyResult();
  for (let seed = first; seed < first + seeds; seed++) {
    const scenario = simulator.planOf(seed, operations);
    const { violation, changes, faults } = await simulator.run(scenario);
    const violations: BatchResult["violations"] = violation === undefined ? [] : [{ seed, violation }];
    const [first] = violations;
    if (first && isShrunk) first.story = await storyOf(simulator, scenario, first.violation);
    addResult(total, { seeds: 1, changes, faults: Object.fromEntries(faults), branches: {}, violations });
    if ((stopAtFirst && violation !== undefined) || (until !== null && Date.now() > until)) break;
  }
  const { reachedBranches } = globalThis as { reachedBranches?: Record<string, number> };
  return { ...total, branches: reachedBranches ?? {} };
}
