import { describe, test } from "vitest";
import { compareWithOracle, seeds } from "../search/compare-with-oracle.ts";
import { openedIndex } from "../support/engines/search-index.ts";

/** Each corpus takes seconds here: `npm run test:opensearch` takes all. */
const some = process.env.CARREL_SCALED_FILES === "all" ? seeds : seeds.slice(0, 4);

describe("OpenSearch and the oracle agree on the corpora of the embedded index (search 5, 6, 8; scale 4)", () => {
  test.each(some)("corpus %i", (seed) => compareWithOracle(seed, openedIndex));
});
