import { afterAll, beforeAll, describe, test } from "vitest";
import { sqliteSearchIndex } from "../../shared/search/sqlite/sqlite-search-index.ts";
import { type HeavySearch, heavyQueries, heavySearch } from "./heavy-search.ts";

describe("queries at the limit of length (search 2, 5.5)", () => {
  let search: HeavySearch;
  beforeAll(async () => {
    search = await heavySearch(async () => sqliteSearchIndex());
  });
  afterAll(() => search.close());

  test.each(Object.entries(heavyQueries))("%s", (_name, q) => search.check(q));
});
