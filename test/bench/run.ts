import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../support/run.ts";
import { type BenchCase, judge, type Verdict } from "./bench-case.ts";

/**
 * `npm run bench [-- WORD…] [-- --json]`: measures every case whose file name holds one of the words, prints a line for
 * each, writes test-results/bench.json, and ends with 1 when something does not reach what it must.
 */
const words = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const isJson = process.argv.includes("--json");
const folder = join(repository, "test/bench");
const results = join(repository, "test-results");

const number = (value: number) => value.toLocaleString("en", { maximumSignificantDigits: 4 });

function lineOf({ name, ours, reference, unit, against, ratio, reach, isReached }: Verdict): string {
  const measured = `${number(ours).padStart(10)} ${unit.padEnd(8)}`;
  const floor = `${number(reference).padStart(10)} ${against}`;
  return `${name.padEnd(44)} ${measured} ${floor.padEnd(36)} ratio ${ratio.toFixed(2).padStart(6)} (${reach})  ${isReached ? "reached" : "NOT REACHED"}`;
}

async function casesOf(file: string): Promise<BenchCase[]> {
  const { bench }: { bench: BenchCase | BenchCase[] } = await import(join(folder, file));
  return [bench].flat();
}

const files = (await readdir(folder)).filter((file) => file.endsWith(".bench.ts")).sort();
const chosen = files.filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
const verdicts: Verdict[] = [];
for (const file of chosen) {
  for (const bench of await casesOf(file)) {
    const verdict = judge(bench, await bench.run());
    verdicts.push(verdict);
    if (!isJson) process.stdout.write(`${lineOf(verdict)}\n`);
  }
}
await mkdir(results, { recursive: true });
await writeFile(join(results, "bench.json"), `${JSON.stringify(verdicts, null, 2)}\n`);
if (isJson) process.stdout.write(`${JSON.stringify(verdicts)}\n`);
process.exitCode = verdicts.length > 0 && verdicts.every(({ isReached }) => isReached) ? 0 : 1;
