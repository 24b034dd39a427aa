import { describe, expect, test } from "vitest";
import { runSeed } from "./simulator/run-seed.ts";

const seeds = 100;
const perTest = 50;
const operations = 60;

/** A failing seed prints how to run it again. */
const replayOf = (seed: number, violation: string): string =>
  `seed ${seed}: ${violation}\nagain: npm run -s simulate -- --seed ${seed} --ops ${operations}`;

describe("server and replicas in one process on virtual time, from a seed (design, sync 2.1)", () => {
  const starts = Array.from({ length: seeds / perTest }, (_, index) => index * perTest + 1);
  const reached = new Map<string, number>();

  test.each(starts)(
    "seeds from %i: convergence, nothing acknowledged lost, everything once (I1 to I12)",
    async (first) => {
      const found: string[] = [];
      let changes = 0;
      for (let seed = first; seed < first + perTest; seed++) {
        const { violation, faults, changes: told } = await runSeed(seed, operations);
        changes += told;
        if (violation !== undefined) found.push(replayOf(seed, violation));
        for (const [name, times] of faults) reached.set(name, (reached.get(name) ?? 0) + times);
      }
      expect(found).toEqual([]);
      expect(changes).toBeGreaterThan(perTest);
    },
    120_000,
  );

  test("every fault and every crash point was met", () => {
    expect([...reached.keys()]).toEqual(
      expect.arrayContaining([
        "answer lost",
        "bad gateway",
        "client: after a commit",
        "client: answer arrived",
        "client: disk full",
        "client: inside a transaction",
        "request lost",
        "request sent twice",
        "server: after a commit",
        "server: disk full",
        "server: inside a transaction",
        "too many requests",
      ]),
    );
  });

  test("the same seed gives the same run", async () => {
    const [first, second] = [await runSeed(7, operations), await runSeed(7, operations)];
    expect(second.log).toEqual(first.log);
  });
});
