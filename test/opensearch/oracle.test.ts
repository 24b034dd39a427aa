import { describe, test } from "vitest";
import { compareWithOracle, seeds } from "../search/compare-with-oracle.ts";
import { openedIndex } from "../support/engines/search-index.ts";

describe("OpenSearch and the oracle agree on the corpora of the embedded index (search 5, 6, 8; scale 4)", () => {
  test.each(seeds)("corpus %i", (seed) => compareWithOracle(seed, openedIndex));
});
