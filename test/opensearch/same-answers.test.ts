import { afterAll, beforeAll, describe, test } from "vitest";
import { checkRanking } from "../search/check-ranking.ts";
import { compareVisibility } from "../search/compare-visibility.ts";
import { type HeavySearch, heavyQueries, heavySearch } from "../search/heavy-search.ts";
import { openedIndex } from "../support/engines/search-index.ts";

describe("OpenSearch answers as the embedded index does (scale 4)", () => {
  test.each([0, 1, 2, 3, 4])("shows what a GET would show, and nothing else: corpus %i (search 1)", (seed) =>
    compareVisibility(seed, 12, openedIndex),
  );

  test.each([50, 600])("the best match among %i records comes first (search 5.4, 6.1)", (count) =>
    checkRanking(count, openedIndex),
  );

  describe("queries at the limit of length (search 2, 5.5)", () => {
    let search: HeavySearch;
    beforeAll(async () => {
      search = await heavySearch(openedIndex);
    });
    afterAll(() => search.close());

    test.each(Object.entries(heavyQueries))("%s", (_name, q) => search.check(q));
  });
});
