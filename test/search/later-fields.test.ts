import { expect, test, vi } from "vitest";
import type { SearchedPaths } from "../../shared/metadata/field.schema.ts";
import { recordCatalogue, textColumnOf, textColumns } from "../../shared/search/record-fields.ts";
import { ownColumnOf } from "../../shared/search/sqlite/index-tokens.ts";

vi.mock("../../shared/metadata/metadata.schema.ts", async (original) => {
  const actual = await original<{ searchedMetadata: SearchedPaths }>();
  const later: SearchedPaths = { "metadata.instruments.name": { kind: "text", bareWords: "shared" } };
  return { ...actual, searchedMetadata: { ...actual.searchedMetadata, ...later } };
});

test("a text that was added after the full-text table was made shares its last column (search 6.1, 12)", () => {
  expect(textColumns).toHaveLength(26);
  expect(textColumns.at(-1)?.path).toBe("pids.*.identifier");
  const path = "metadata.instruments.name";
  expect(textColumnOf(path)).toBe(25);
  // Its own path is asked by coded tokens: the column holds those of others too.
  expect(ownColumnOf(path)).toBeUndefined();
  expect(recordCatalogue().kindOf(path)).toBe("text");
  expect(recordCatalogue().defaultWeight(path)).toBe(3);
});
