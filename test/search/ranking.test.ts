import { describe, test } from "vitest";
import { sqliteSearchIndex } from "../../shared/search/sqlite/sqlite-search-index.ts";
import { checkRanking } from "./check-ranking.ts";

describe.each([50, 600])("the best match among %i records (search 5.4, 6.1)", (count) => {
  test("comes first: a pasted DOI, both words, the boosted word, the title; each page goes on where the last ended", () =>
    checkRanking(count, async () => sqliteSearchIndex()));
});
