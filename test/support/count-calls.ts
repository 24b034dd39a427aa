import type { Profiler } from "node:inspector";
import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

// Optimised code does not count.
for (const flag of ["--no-opt", "--no-maglev"]) setFlagsFromString(flag);

const sources = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Counts the calls of functions in `shared` and `server` during `work`, by path and name. The engine counts every call,
 * so the speed of the machine does not matter. Work is repeated, and the least of each count taken: jobs in the
 * background run once in a while.
 */
export async function functionCalls(work: () => Promise<unknown>): Promise<Map<string, number>> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    // What runs only the first time is left out.
    await work();
    let least: Map<string, number> | undefined;
    for (let turn = 0; turn < 5; turn++) {
      await session.post("Profiler.takePreciseCoverage");
      await work();
      const calls = countsOf((await session.post("Profiler.takePreciseCoverage")).result);
      least = least ? new Map([...least].map(([name, count]) => [name, Math.min(count, calls.get(name) ?? 0)])) : calls;
    }
    return new Map([...(least ?? [])].filter(([, count]) => count > 0));
  } finally {
    session.disconnect();
  }
}

function countsOf(scripts: Profiler.ScriptCoverage[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { url, functions } of scripts) {
    const path = url.replace(/^file:\/\//, "").replace(sources, "");
    if (!/^(shared|server)\//.test(path)) continue;
    for (const { functionName, ranges } of functions) {
      const name = `${path} ${functionName}`;
      counts.set(name, (counts.get(name) ?? 0) + (ranges[0]?.count ?? 0));
    }
  }
  return counts;
}

/** The functions that two kinds of work call in different numbers. */
export function differingCalls(one: Map<string, number>, other: Map<string, number>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));
}
