import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { parseCommandLine } from "../../shared/kernel/command-line.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import type { BatchResult } from "./simulator/batch.ts";
import { runParallel } from "./simulator/batch-runner.ts";
import { measurePlanted } from "./simulator/planted-table.ts";
import { shrink } from "./simulator/shrink.ts";
import { type SimulatorName, simulatorOf } from "./simulator/simulators.ts";
import type { Scenario } from "./simulator/step.ts";

const help = `usage: npm run -s simulate -- [--seeds 1000] [--ops 40] [--first 1] [--workers 2] [--minutes M]
       npm run -s simulate -- --seed S [--ops 40]
       npm run -s simulate -- --script FILE
       npm run -s simulate:invenio -- …             the same with a stock InvenioRDM in place of the server
       npm run -s simulate -- --planted [--bug WORDS] [--seeds 2000] [--ops 40] [--workers 2]

Plays server and replicas in one process on virtual time. Without more it plays many seeds, prints what was reached, and
shrinks the first that breaks an invariant; exit code 1 if one does, 2 for a wrong call.

  --seeds N      how many; with --planted: at most so many for each bug
  --first S      the first of them
  --ops N        steps of each
  --workers N    processes at once
  --minutes M    begins no other part after so long
  --seed S       tells the story of this one
  --script FILE  plays a run that was shrunk (test-results/carrel-seed-S.json)
  --planted      plants each bug and counts the seeds to its catch: rewrites its row in planted-bugs.md beside the simulator
  --bug WORDS    only those with these words in their name
`;

function parsed() {
  try {
    const { values } = parseCommandLine(process.argv.slice(2), {
      seeds: { type: "string" },
      first: { type: "string", default: "1" },
      ops: { type: "string", default: "40" },
      workers: { type: "string", default: "2" },
      seed: { type: "string" },
      script: { type: "string" },
      minutes: { type: "string" },
      upstream: { type: "string", default: "carrel" },
      planted: { type: "boolean", default: false },
      bug: { type: "string", default: "" },
      help: { type: "boolean", default: false },
    });
    for (const name of ["seeds", "first", "ops", "workers", "seed", "minutes"] as const) {
      const { [name]: text } = values;
      if (text !== undefined && !/^\d+(\.\d+)?$/.test(text))
        throw new UsageError(`--${name} must be a number, not '${text}'.`);
    }
    return values;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message} See --help.\n`);
    process.exit(2);
  }
}

const values = parsed();
const simulator: SimulatorName = values.upstream === "invenio" ? "invenio" : "carrel";
const script = simulator === "invenio" ? "simulate:invenio" : "simulate";
const { planOf, run } = await simulatorOf(simulator);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const operations = Number(values.ops);
const count = (usual: number): number => Number(values.seeds ?? usual);
const maxRunsToShrink = 150;

/** Plays one run and tells its story. @returns whether all invariants hold. */
async function play(scenario: Scenario): Promise<boolean> {
  const { log, violation } = await run(scenario);
  for (const line of log) say(line);
  say(violation ?? "all invariants hold");
  return violation === undefined;
}

/** The shortest run found with the same violation, as a file to be played again. */
async function keepShrunk(seed: number, violation: string): Promise<void> {
  const scenario = planOf(seed, operations);
  const short = await shrink(scenario, violation, run, maxRunsToShrink);
  mkdirSync("test-results", { recursive: true });
  const file = `test-results/${simulator}-seed-${seed}.json`;
  writeFileSync(file, JSON.stringify(short, undefined, 1));
  say(`${short.steps.length} of ${scenario.steps.length} steps are left: npm run -s ${script} -- --script ${file}`);
  await play(short);
}

function sayFigures({ seeds, changes, faults, branches, violations }: BatchResult): void {
  const inOrder = (counts: Record<string, number>) => Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, times] of inOrder(faults)) say(`${String(times).padStart(8)}  fault: ${name}`);
  for (const [name, times] of inOrder(branches)) say(`${String(times).padStart(8)}  reached: ${name}`);
  say(`${seeds} seeds of ${operations} steps, ${changes} acknowledged changes, ${violations.length} violations`);
}

async function search(): Promise<boolean> {
  const until = values.minutes === undefined ? null : Date.now() + Number(values.minutes) * 60_000;
  const batch = { first: Number(values.first), seeds: count(1000), operations, stopAtFirst: false, until, simulator };
  let reported = 0;
  const total = await runParallel(batch, Number(values.workers), ({ seeds, violations }) => {
    for (; reported < violations.length; reported++) {
      const { seed, violation } = violations[reported] as (typeof violations)[number];
      process.stderr.write(`seed ${seed}: ${violation}\n`);
    }
    process.stderr.write(`${seeds} seeds, ${violations.length} violations\n`);
  });
  sayFigures(total);
  for (const { seed, violation } of total.violations) {
    say(`seed ${seed}: ${violation}`);
    say(`  again: npm run -s ${script} -- --seed ${seed} --ops ${operations}`);
  }
  const [worst] = total.violations;
  if (worst) await keepShrunk(worst.seed, worst.violation);
  // The branches are those of a Carrel server's protocol.
  const names = simulator === "carrel" ? Object.keys(total.branches) : [];
  const unreached = names.filter((name) => total.branches[name] === 0);
  // Short runs prove nothing about what they never reach.
  const isStandard = total.seeds >= 500;
  if (unreached.length > 0) say(`never reached: ${unreached.join("; ")}`);
  return total.violations.length === 0 && !(isStandard && unreached.length > 0);
}

async function main(): Promise<boolean> {
  if (values.help) {
    process.stdout.write(help);
    return true;
  }
  if (values.planted)
    return measurePlanted(
      { operations, workers: Number(values.workers), maxSeeds: count(2000), words: values.bug, simulator },
      say,
    );
  if (values.script !== undefined) return play(JSON.parse(readFileSync(values.script, "utf8")));
  if (values.seed !== undefined) return play(planOf(Number(values.seed), operations));
  return search();
}

process.exitCode = (await main()) ? 0 : 1;
