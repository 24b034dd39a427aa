import { Session } from "node:inspector";
import { setFlagsFromString } from "node:v8";

// Optimised code does not count.
for (const flag of ["--no-opt", "--no-maglev"]) setFlagsFromString(flag);

const blocks = new Session();
blocks.connect();
blocks.post("Profiler.enable");
blocks.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

/**
 * Counts how often the blocks of code run in synchronous work: loops, branches and functions. Counts modules that were
 * imported after this one only: the engine adds counters while it compiles.
 */
export function stepsOf(work: () => unknown): number {
  // What runs only the first time is left out.
  work();
  blocks.post("Profiler.takePreciseCoverage");
  work();
  let steps = 0;
  blocks.post("Profiler.takePreciseCoverage", (_error, { result }) => {
    for (const { functions } of result)
      for (const { ranges } of functions) for (const { count } of ranges) steps += count;
  });
  return steps;
}
