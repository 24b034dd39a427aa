import { describe, expect, test } from "vitest";
import type { VocabularyEntry } from "../../renderer/api-client/record-types.ts";
import { helpOf, inFamilies, nearest, recommendedFirst } from "../../renderer/pages/draft/fields/vocabulary-order.ts";
import { listShippedEntries } from "../../shared/vocabularies/shipped-entries.ts";

const entriesOf = (type: "resourcetypes" | "licenses") => listShippedEntries(type) as unknown as VocabularyEntry[];
const ids = (entries: VocabularyEntry[]) => entries.map(({ id }) => id);

describe("the order of suggestions (app M2, M3)", () => {
  const types = entriesOf("resourcetypes");

  test("of the types that start alike, one that is a kind of nothing comes first: data finds Dataset", () => {
    expect(ids(nearest(types, "data"))[0]).toBe("dataset");
    expect(ids(nearest(types, "journal"))[0]).toBe("publication-journal");
    expect(nearest(types, "no such type")).toEqual([]);
  });

  test("types of the same title say whose kind they are", () => {
    const others = types.filter(({ title }) => title?.en === "Other");
    const helps = others.map((entry) => helpOf(entry, types));
    expect(others.length).toBeGreaterThan(2);
    expect(new Set(helps).size).toBe(others.length);
    expect(helps).toContain("Publication");
  });

  test("each type is followed by its kinds, and none is lost", () => {
    const shown = inFamilies([...types].sort((a, b) => (a.title?.en ?? "").localeCompare(b.title?.en ?? "")));
    expect(shown).toHaveLength(types.length);
    const first = shown.findIndex(({ id }) => id === "image");
    const kinds = shown.slice(first + 1).findIndex(({ id }) => !id.startsWith("image-"));
    expect(kinds).toBe(types.filter(({ id }) => id.startsWith("image-")).length);
  });

  test("recommended licences come first, those for data before those for software; cc by finds CC BY 4.0", () => {
    const all = entriesOf("licenses").sort((a, b) => (a.title?.en ?? "").localeCompare(b.title?.en ?? ""));
    const recommended = all.filter(({ tags }) => tags?.includes("recommended"));
    const found = all.filter(({ id }) => id.startsWith("cc"));
    expect(ids(recommendedFirst(recommended, all, ""))).toHaveLength(recommended.length);
    const shown = ids(recommendedFirst(recommended, found, "cc by"));
    expect(shown[0]).toBe("cc-by-4.0");
    expect(new Set(shown)).toEqual(new Set(ids(found)));
    expect(shown).toHaveLength(found.length);
  });
});
