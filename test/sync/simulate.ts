import { parseArgs } from "node:util";
import { runSeed } from "./simulator/run-seed.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    first: { type: "string", default: "1" },
    ops: { type: "string", default: "60" },
    seed: { type: "string" },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const operations = Number(values.ops);
const first = values.seed === undefined ? Number(values.first) : Number(values.seed);
const count = values.seed === undefined ? Number(values.seeds) : 1;
const faults = new Map<string, number>();
let violations = 0;
let intents = 0;

for (let seed = first; seed < first + count; seed++) {
  const result = await runSeed(seed, operations);
  intents += result.changes;
  for (const [name, times] of result.faults) faults.set(name, (faults.get(name) ?? 0) + times);
  if (values.seed !== undefined) for (const line of result.log) say(line);
  if (result.violation !== undefined) {
    violations++;
    say(`seed ${seed}: ${result.violation}`);
    say(`  again: npm run -s simulate -- --seed ${seed} --ops ${operations}`);
  }
  if ((seed - first + 1) % 100 === 0)
    process.stderr.write(`${seed - first + 1} of ${count} seeds, ${violations} violations\n`);
}

for (const [name, times] of [...faults].sort()) say(`${String(times).padStart(8)}  ${name}`);
say(`${count} seeds, ${intents} acknowledged changes, ${violations} violations`);
process.exitCode = violations > 0 ? 1 : 0;
