import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { playInProcess } from "./simulator/batch-runner.ts";
import { planInvenio } from "./simulator/invenio/invenio-plan.ts";
import { plantedInvenioBugs } from "./simulator/invenio/planted-invenio-bugs.ts";
import { runInvenio } from "./simulator/invenio/run-invenio.ts";
import { patched } from "./simulator/source-patches.ts";
import type { Scenario } from "./simulator/step.ts";

const operations = 40;
/** `npm run simulate:invenio` plays more. */
const seeds = 16;
const root = new URL("../../", import.meta.url);
/** Shrunk runs that once broke an invariant. */
const found = new URL("./simulator/invenio/found/", import.meta.url);
/** Shortest runs that show a planted bug, which many seeds had not shown. */
const caught = new URL("./simulator/invenio/caught/", import.meta.url);

/** A shortest run that shows a planted bug, and the invariant that it breaks. */
interface Kept {
  file: string;
  bug: string;
  breaks: string;
  scenario: Scenario;
}

/** Groups in which no two bugs are in one source file: they would hide each other. */
function apart(kept: readonly Kept[]): Kept[][] {
  const filesOf = ({ bug }: Kept) => (plantedInvenioBugs[bug] ?? []).map(({ file }) => file);
  const groups: Kept[][] = [];
  for (const one of kept) {
    const files = new Set(filesOf(one));
    const free = groups.find((group) => !group.flatMap(filesOf).some((file) => files.has(file)));
    if (free) free.push(one);
    else groups.push([one]);
  }
  return groups;
}

describe("two desks and a browser at a strict fake, on virtual time, from a seed (issue 20, upstreams 6)", () => {
  test(`${seeds} seeds: no invariant is broken (U1 to U10)`, async () => {
    let changes = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      const result = await runInvenio(planInvenio(seed, operations));
      expect(result.violation, `npm run -s simulate:invenio -- --seed ${seed}`).toBeUndefined();
      changes += result.changes;
    }
    expect(changes).toBeGreaterThan(5 * seeds);
  }, 120_000);

  test("the same seed gives the same run", async () => {
    const [first, second] = [
      await runInvenio(planInvenio(7, operations)),
      await runInvenio(planInvenio(7, operations)),
    ];
    expect(second.log).toEqual(first.log);
  });

  test.each(readdirSync(found))("a fault found before stays fixed: %s", async (name) => {
    const scenario: Scenario = JSON.parse(readFileSync(new URL(name, found), "utf8"));
    expect((await runInvenio(scenario)).violation).toBeUndefined();
  });

  test("the shortest history of each planted bug shows it, and breaks nothing without it (upstreams 6)", async () => {
    const kept = readdirSync(caught).map((name): Kept => {
      const file = fileURLToPath(new URL(name, caught));
      return { file, ...JSON.parse(readFileSync(file, "utf8")) };
    });
    const broken = new Map<Kept, string | null>();
    for (const group of apart(kept)) {
      const violations = await playInProcess(
        group.map(({ file }) => file),
        group.map(({ bug }) => bug),
      );
      for (const [index, one] of group.entries()) broken.set(one, violations[index] ?? null);
    }
    const kindOf = (one: Kept) => /^U\d+/.exec(broken.get(one) ?? "")?.[0];
    expect(kept.map((one) => [one.bug, kindOf(one)])).toEqual(kept.map(({ bug, breaks }) => [bug, breaks]));
    for (const { scenario } of kept) expect((await runInvenio(scenario)).violation).toBeUndefined();
  }, 60_000);

  test.each(Object.entries(plantedInvenioBugs))("the planted bug fits the source: %s", (_name, patches) => {
    const texts = new Map<string, string>();
    for (const patch of patches) {
      const text = texts.get(patch.file) ?? readFileSync(fileURLToPath(new URL(patch.file, root)), "utf8");
      expect(() => texts.set(patch.file, patched(text, [patch]))).not.toThrow();
    }
  });
});
