import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInProcess } from "./batch-runner.ts";
import { plantedBugs } from "./planted-bugs.ts";

const readme = fileURLToPath(new URL("../README.md", import.meta.url));
const [begin, end] = ["<!-- planted: begin -->", "<!-- planted: end -->"];

interface Caught {
  bug: string;
  /** How many seeds it took; undefined: it was not caught. */
  seeds: number | undefined;
  how: string;
}

async function hunt(bug: string, operations: number, mostSeeds: number): Promise<Caught> {
  const batch = { first: 1, seeds: mostSeeds, operations, stopAtFirst: true, until: null };
  const { seeds, violations } = await runInProcess(batch, bug);
  const [found] = violations;
  const how = found === undefined ? "not caught" : (/^I\d+/.exec(found.violation)?.[0] ?? "an error");
  return { bug, seeds: found && seeds, how };
}

/** Puts what is known so far into the README. */
function writeTable(caught: Caught[]): void {
  const rows = caught
    .toSorted((a, b) => (a.bug < b.bug ? -1 : 1))
    .map(({ bug, seeds, how }) => `| ${bug} | ${seeds ?? "-"} | ${how} |`);
  const table = [begin, "| Planted | Seeds | Caught by |", "|---|---|---|", ...rows, end].join("\n");
  const text = readFileSync(readme, "utf8");
  const [before = "", rest = ""] = text.split(begin);
  writeFileSync(readme, `${before}${table}${rest.split(end)[1] ?? "\n"}`);
}

/** Runs every planted bug until it is caught, and writes the table of it into the README. @returns whether all were. */
export async function measurePlanted(
  { operations, workers, mostSeeds }: { operations: number; workers: number; mostSeeds: number },
  say: (line: string) => void,
): Promise<boolean> {
  const waiting = Object.keys(plantedBugs);
  const caught: Caught[] = [];
  async function work(): Promise<void> {
    for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
      const result = await hunt(bug, operations, mostSeeds);
      caught.push(result);
      writeTable(caught);
      say(`${String(result.seeds ?? "-").padStart(6)}  ${result.how}  ${bug}`);
    }
  }
  await Promise.all(Array.from({ length: workers }, work));
  return caught.every(({ seeds }) => seeds !== undefined);
}
