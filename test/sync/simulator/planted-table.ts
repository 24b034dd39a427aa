import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInProcess } from "./batch-runner.ts";
import { plantedInvenioBugs } from "./invenio/planted-invenio-bugs.ts";
import { plantedBugs } from "./planted-bugs.ts";
import type { SimulatorName } from "./simulators.ts";

const tables = {
  carrel: { bugs: plantedBugs, file: fileURLToPath(new URL("planted-bugs.md", import.meta.url)) },
  invenio: { bugs: plantedInvenioBugs, file: fileURLToPath(new URL("invenio/planted-bugs.md", import.meta.url)) },
};
const [begin, end] = ["<!-- planted: begin -->", "<!-- planted: end -->"];

interface Caught {
  bug: string;
  /** The number of seeds to the catch; undefined when the bug was not caught. */
  seeds: number | undefined;
  how: string;
  /** The shortest history found. */
  story: string[];
}

interface Hunt {
  operations: number;
  maxSeeds: number;
  simulator: SimulatorName;
}

async function hunt(bug: string, { operations, maxSeeds, simulator }: Hunt): Promise<Caught> {
  const isShrunk = simulator === "invenio";
  const batch = { first: 1, seeds: maxSeeds, operations, stopAtFirst: true, until: null, simulator, isShrunk };
  const { seeds, violations } = await runInProcess(batch, bug);
  const [found] = violations;
  const how = found === undefined ? "not caught" : (/^[IU]\d+/.exec(found.violation)?.[0] ?? "an error");
  return { bug, seeds: found && seeds, how, story: found?.story ?? [] };
}

/** The rows of the table by bug, without bugs that no longer exist. */
function readTable(text: string, bugs: Record<string, unknown>): Map<string, string> {
  const rows = text.split("\n").flatMap((line): [string, string][] => {
    const bug = /^\| (.+?) \|/.exec(line)?.[1] ?? "";
    return bug in bugs ? [[bug, line]] : [];
  });
  return new Map(rows);
}

/** Replaces one row of the table in `planted-bugs.md`. */
function writeRow({ bug, seeds, how }: Caught, simulator: SimulatorName): void {
  const { file, bugs } = tables[simulator];
  const text = readFileSync(file, "utf8");
  const rows = readTable(text, bugs).set(bug, `| ${bug} | ${seeds ?? "-"} | ${how} |`);
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
  { workers, words, ...options }: Hunt & { workers: number; words: string },
  print: (line: string) => void,
): Promise<boolean> {
  const waiting = Object.keys(tables[options.simulator].bugs).filter((bug) => bug.includes(words));
  const caught: Caught[] = [];
  async function work(): Promise<void> {
    for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
      const result = await hunt(bug, options);
      caught.push(result);
      writeRow(result, options.simulator);
      print(`${String(result.seeds ?? "-").padStart(6)}  ${result.how}  ${bug}`);
      for (const line of result.story) print(`          ${line}`);
    }
  }
  await Promise.all(Array.from({ length: workers }, work));
  return caught.every(({ seeds }) => seeds !== undefined);
}
