import { fileURLToPath } from "node:url";
import { run } from "./support/run.ts";

/**
 * The compiler without an API, which takes a quarter of the processor time of the other; on one thread a half of that.
 * Both are installed as `tsc`, so it is named by its path. The other one is there for the tools that read sources by its API.
 */
const nativeCompiler = "node_modules/typescript-native/bin/tsc";

/** `npm run check`: everything that is right or wrong without running the product. */
const checks: { name: string; command: string; args: string[] }[] = [
  { name: "biome", command: "biome", args: ["ci", ".", "--error-on-warnings"] },
  { name: "tsc", command: "node", args: [nativeCompiler, "-b", "--pretty", "--singleThreaded"] },
  { name: "depcruise", command: "depcruise", args: ["--config", ".dependency-cruiser.mjs", "."] },
  { name: "knip", command: "knip", args: ["--no-progress"] },
];

/** Runs the four side by side; prints what each found and returns the names of those that failed. */
export async function check(): Promise<string[]> {
  const results = await Promise.all(
    checks.map(async ({ name, command, args }) => {
      const started = performance.now();
      const { code, output } = await run(command, args);
      return { name, code, output, seconds: (performance.now() - started) / 1000 };
    }),
  );
  for (const { name, code, output, seconds } of results) {
    const verdict = code === 0 ? "passed" : "FAILED";
    process.stdout.write(`${name.padEnd(10)} ${verdict}  ${seconds.toFixed(1)} s\n`);
    if (code !== 0) process.stdout.write(`${output.trimEnd()}\n\n`);
  }
  return results.filter(({ code }) => code !== 0).map(({ name }) => name);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const failed = await check();
  if (failed.length > 0) process.stdout.write(`check failed: ${failed.join(", ")}\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
