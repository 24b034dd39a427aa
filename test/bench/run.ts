import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseCommandLine } from "../../shared/kernel/command-line.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { repository } from "../support/run.ts";
import type { Verdict } from "./bench-case.ts";

const help = `usage: npm run bench [-- WORD…] [-- --json]

Measures every case whose file name holds one of the words, prints a line for each, writes test-results/bench.json, and
ends with 1 when something does not reach what it must; 2 for a wrong call.
`;

function parsed() {
  try {
    const options = { json: { type: "boolean", default: false }, help: { type: "boolean", default: false } } as const;
    return parseCommandLine(process.argv.slice(2), options, process.argv.length);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message} See --help.\n`);
    process.exit(2);
  }
}

const { values, positionals: words } = parsed();
if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}
const isJson = values.json;
const folder = join(repository, "test/bench");
const results = join(repository, "test-results");

const number = (value: number) => value.toLocaleString("en", { maximumSignificantDigits: 4 });

function lineOf({ name, ours, reference, unit, against, ratio, reach, isReached }: Verdict): string {
  const measured = `${number(ours).padStart(10)} ${unit.padEnd(8)}`;
  const floor = `${number(reference).padStart(10)} ${against}`;
  return `${name.padEnd(44)} ${measured} ${floor.padEnd(36)} ratio ${ratio.toFixed(2).padStart(6)} (${reach})  ${isReached ? "reached" : "NOT REACHED"}`;
}

/** Measures a file in its own process, so that its memory does not affect the next. */
async function* verdictsOf(file: string): AsyncGenerator<Verdict> {
  const child = spawn(process.execPath, [join(folder, "bench-process.ts"), `./${file}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith("{")) yield JSON.parse(line);
    else process.stderr.write(`${line}\n`);
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`${file} ended with ${code}.`);
}

const files = (await readdir(folder)).filter((file) => file.endsWith(".bench.ts")).sort();
const chosen = files.filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
const verdicts: Verdict[] = [];
for (const file of chosen) {
  for await (const verdict of verdictsOf(file)) {
    verdicts.push(verdict);
    if (!isJson) process.stdout.write(`${lineOf(verdict)}\n`);
  }
}
await mkdir(results, { recursive: true });
await writeFile(join(results, "bench.json"), `${JSON.stringify(verdicts, null, 2)}\n`);
if (isJson) process.stdout.write(`${JSON.stringify(verdicts)}\n`);
process.exitCode = verdicts.length > 0 && verdicts.every(({ isReached }) => isReached) ? 0 : 1;
