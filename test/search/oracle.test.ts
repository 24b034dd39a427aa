import { describe, test } from "vitest";
import { sqliteSearchIndex } from "../../shared/search/sqlite/sqlite-search-index.ts";
import { compareWithOracle, seeds } from "./compare-with-oracle.ts";

describe("the embedded index and the oracle agree (search 5, 6, 8)", () => {
  test.each(seeds)("corpus %i", (seed) => compareWithOracle(seed, async () => sqliteSearchIndex()));
});
