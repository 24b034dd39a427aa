import { describe, expect, test } from "vitest";
import { unknownField, withField, withSimilarWords } from "../../shared/search/language/near-queries.ts";

describe("a search without results (app M17)", () => {
  test.each([
    ["title:sea", { field: "title", meant: "metadata.title" }],
    ["authors:Hopper AND sea", { field: "authors", meant: "metadata.creators.person_or_org.name" }],
    ["metadata.titel:sea", { field: "metadata.titel", meant: "metadata.title" }],
    ["foo:bar", { field: "foo" }],
    ["metadata.title:sea created:2026 custom_fields.code:x", undefined],
  ])("%s names an unknown field: %j", (q, unknown) => expect(unknownField(q)).toEqual(unknown));

  test("the field that was meant takes the place of the unknown one", () => {
    expect(withField('+title:"sea surface" -ice', "title", "metadata.title")).toBe(
      '+metadata.title:"sea surface" -ice',
    );
  });

  test("longer words also match similar words; numbers, short words and phrases stay exact", () => {
    expect(withSimilarWords('temprature of 2019 "sea surface"')).toBe('temprature~ of 2019 "sea surface"');
    expect(withSimilarWords('"sea surface" 2019')).toBeUndefined();
  });
});
