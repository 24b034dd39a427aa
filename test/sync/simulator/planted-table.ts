import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInProcess } from "./batch-runner.ts";
import { plantedBugs } from "./planted-bugs.ts";

const file = fileURLToPath(new URL("planted-bugs.md", import.meta.url));
const [begin, end] = ["<!-- planted: begin -->", "<!-- planted: end -->"];

interface Caught {
  bug: string;
  /** The number of seeds to the catch; undefined when the bug was not caught. */
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

/** The rows of the table by bug, without bugs that no longer exist. */
function readTable(text: string): Map<string, string> {
  const rows = text.split("\n").flatMap((line): [string, string][] => {
    const bug = /^\| (.+?) \|/.exec(line)?.[1] ?? "";
    return bug in plantedBugs ? [[bug, line]] : [];
  });
  return new Map(rows);
}

/** Replaces one row of the table in `planted-bugs.md`. */
function writeRow({ bug, seeds, how }: Caught): void {
  const text = readFileSync(file, "utf8");
  const rows = readTable(text).set(bug, `| ${bug} | ${seeds ?? "-"} | ${how} |`);
  const inOrder = [...rows.keys()].sort().map((name) => rows.get(name));
  const table = [begin, "", "| Planted | Seeds | Caught by |", "|---|---|---|", ...inOrder, "", end].join("\n");
  const [before = "", rest = ""] = text.split(begin);
  writeFileSync(file, `${before}${table}${rest.split(end)[1] ?? "\n"}`);
}

/**
 * Runs planted bugs until each is caught, and writes their table into `planted-bugs.md`.
 * @param words only bugs whose name contains these; "": all.
 * @returns whether all were caught.
 */
export async function measurePlanted(
  { operations, workers, mostSeeds, words }: { operations: number; workers: number; mostSeeds: number; words: string },
  say: (line: string) => void,
): Promise<boolean> {
  const waiting = Object.keys(plantedBugs).filter((bug) => bug.includes(words));
  const caught: Caught[] = [];
  async function work(): Promise<void> {
    for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
      const result = await hunt(bug, operations, mostSeeds);
      caught.push(result);
      writeRow(result);
      say(`${String(result.seeds ?? "-").padStart(6)}  ${result.how}  ${bug}`);
    }
  }
  await Promise.all(Array.from({ length: workers }, work));
  return caught.every(({ seeds }) => seeds !== undefined);
}
