import { describe, test } from "vitest";
import { sqliteSearchIndex } from "../../shared/search/sqlite/sqlite-search-index.ts";
import { compareVisibility } from "./compare-visibility.ts";

describe("a search shows what a GET would show, and nothing else (search 1)", () => {
  test.each(Array.from({ length: 20 }, (_, at) => at))("corpus %i, 100 runs", (seed) =>
    compareVisibility(seed, 100, async () => sqliteSearchIndex()),
  );
});
