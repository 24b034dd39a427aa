import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runInProcess, runParallel } from "./simulator/batch-runner.ts";
import { branches, markOf } from "./simulator/branches.ts";
import { plantedBugs } from "./simulator/planted-bugs.ts";
import { run, type SeedResult } from "./simulator/run-seed.ts";
import { shrink } from "./simulator/shrink.ts";
import { patched } from "./simulator/source-patches.ts";
import { planOf, type Scenario } from "./simulator/step.ts";

const operations = 40;
/** `npm run simulate` runs thousands: these take less than a minute of processor time. */
const seeds = 140;
/** So few seeds reach every branch only from some places on. */
const firstSeed = 7001;
const root = new URL("../../", import.meta.url);
/** Shrunk runs that once broke an invariant. */
const found = new URL("./simulator/found/", import.meta.url);
const sourceOf = (file: string): string => readFileSync(fileURLToPath(new URL(file, root)), "utf8");

describe("server and replicas in one process on virtual time, from a seed (design, sync 2.1)", () => {
  test(`${seeds} seeds: no invariant is broken (I1 to I12), every branch of reconciling is reached`, async () => {
    const batch = { first: firstSeed, seeds, operations, stopAtFirst: false, until: null };
    const total = await runParallel(batch, 2);
    const { violations, changes, branches: reached } = total;
    const replays = violations.map(
      ({ seed, violation }) => `${violation}\nagain: npm run -s simulate -- --seed ${seed} --ops ${operations}`,
    );
    expect(replays).toEqual([]);
    expect(total.seeds).toBe(seeds);
    expect(changes).toBeGreaterThan(10 * seeds);
    const counts = Object.entries(reached).sort(([, a], [, b]) => a - b);
    process.stdout.write(counts.map(([name, times]) => `${String(times).padStart(8)}  reached: ${name}\n`).join(""));
    expect(Object.keys(reached).filter((name) => reached[name] === 0)).toEqual([]);
  }, 900_000);

  test("the same seed gives the same run, also from a script", async () => {
    const script: Scenario = JSON.parse(JSON.stringify(planOf(7, operations)));
    const [first, second] = [await run(planOf(7, operations)), await run(script)];
    expect(second.log).toEqual(first.log);
  });

  test.each(readdirSync(found))("a fault found before stays fixed: %s", async (name) => {
    const scenario: Scenario = JSON.parse(readFileSync(new URL(name, found), "utf8"));
    expect((await run(scenario)).violation).toBeUndefined();
  });

  test("a failing run is shrunk to the necessary steps", async () => {
    const breaksTwice = async ({ steps }: Scenario): Promise<SeedResult> => {
      const count = steps.filter((step) => step.do === "sync: push").length;
      return { violation: count >= 2 ? "I2 broken" : undefined, log: [], faults: new Map(), changes: 0 };
    };
    const short = await shrink(planOf(3, operations), "I2 broken", breaksTwice, 200);
    expect(short.steps.map((step) => [step.do, step.faults])).toEqual([
      ["sync: push", false],
      ["sync: push", false],
    ]);
  });

  test.each(branches)("the branch marker fits the source: $name", (branch) => {
    expect(() => patched(sourceOf(branch.file), [markOf(branch)])).not.toThrow();
  });

  test.each(Object.entries(plantedBugs))("the planted bug fits the source: %s", (_name, patches) => {
    for (const patch of patches) expect(() => patched(sourceOf(patch.file), [patch])).not.toThrow();
  });

  test("a planted bug is caught (design, sync 2.5)", async () => {
    const batch = { first: 1, seeds: 200, operations, stopAtFirst: true, until: null };
    const { violations } = await runInProcess(batch, "the feed sends grants and links to everybody");
    expect(violations).toMatchObject([{ violation: expect.stringMatching(/^I5 /) }]);
  }, 900_000);
});
