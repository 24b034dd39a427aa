import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RecordBody } from "../../renderer/api-client/record-types.ts";
import { Marker } from "../../renderer/format/marks.ts";
import { creatorsLine, foundIn } from "../../renderer/pages/library/found-in.ts";
import { chosenRange, rangeValues, yearBars } from "../../renderer/pages/library/year-range.ts";
import { placedTokens, tokensOf } from "../../shared/search/language/analysis.ts";

const marked = (query: string, text: string, field = "metadata.title") =>
  new Marker(query)
    .parts(text, field)
    .filter(({ isMarked }) => isMarked)
    .map((part) => part.text);

describe("what was searched for is marked by the analysis of the search (search 4)", () => {
  const rows: [query: string, text: string, marked: string[]][] = [
    ["sea", "Sea surface", ["Sea"]],
    ["resume", "A Résumé of résumés", ["Résumé"]],
    ["RÉSUMÉ", "resume", ["resume"]],
    ["strasse", "Die Straße nach Łódź", ["Straße"]],
    ["lodz", "Die Straße nach Łódź", ["Łódź"]],
    ["e\u0301te\u0301", "l'été", []],
    ["ete", "un e\u0301te\u0301 chaud", ["e\u0301te\u0301"]],
    ["ocean*", "Oceanography of oceans, an ocean", ["Oceanography", "oceans", "ocean"]],
    ["w?nd", "wind and wand, wound", ["wind", "wand"]],
    ['"sea surface"', "surface of the sea; sea surface", ["sea surface"]],
    ["sea -surface", "sea surface", ["sea"]],
    ["NOT sea", "sea surface", []],
    ["open-science", "Open science, open data", ["Open", "science", "open"]],
    ["openscience", "About open-science here", ["open-science"]],
    ["metadata.title:sea", "sea", ["sea"]],
    ["metadata.title.original:sea", "sea", ["sea"]],
    ["metadata.\\*:sea", "sea", ["sea"]],
    ["metadata.publisher:sea", "sea", []],
    ["sea AND (", "the sea and more", ["sea", "and"]],
    ["東京", "東京大学", ["東京"]],
    ["*", "anything", []],
    ["", "anything", []],
    ["10.5281/zenodo.7", "see 10.5281/zenodo.7", ["10.5281", "zenodo", "7"]],
  ];
  test.each(rows)("%s in %s", (query, text, expected) => {
    const found = marked(query, text);
    expect(found.join("|")).toBe(expected.join("|"));
  });

  test("the parts of any text under any query are that text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (query, text) => {
        const parts = new Marker(query).parts(text, "metadata.title");
        expect(parts.map((part) => part.text).join("")).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test("a placed token is, cut out of the text as written, that token again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        const placed = placedTokens(text);
        expect(placed.map(({ token }) => token)).toEqual(tokensOf(text));
        for (const { start, end } of placed) expect(end).toBeGreaterThan(start);
      }),
      { numRuns: 500 },
    );
  });

  test("a snippet begins at a word near the first place found", () => {
    const text = `${"filler ".repeat(60)}the Adriatic buoy drifted ${"after ".repeat(60)}`;
    const snippet = new Marker("adriatic").snippet(text, "metadata.description") ?? [];
    const words = snippet.map((part) => part.text).join("");
    expect(words).toMatch(/^… filler .*the Adriatic buoy/);
    expect(words.length).toBeLessThan(300);
    expect(new Marker("zebra").snippet(text, "metadata.description")).toBeUndefined();
  });
});

describe("a row says where it was found (ux 5)", () => {
  const creators = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Fay"].map((family_name) => ({
    person_or_org: { type: "personal" as const, family_name },
    affiliations: [{ name: "Institute of Tides" }],
  }));
  const record = (more: Partial<RecordBody["metadata"]> = {}) =>
    ({ metadata: { creators, ...more }, files: { enabled: false } }) as RecordBody;

  test.each([
    ["", "Ada; Ben; Cleo +3"],
    ["eve", "Ada; Ben; Cleo; Eve +2"],
    ["dan eve fay", "Ada; Ben; Cleo; Dan; Eve; Fay"],
  ])("creators searched for by %j", (query, line) => {
    expect(creatorsLine(record(), new Marker(query))).toBe(line);
  });

  test.each([
    ["tides", "creators.affiliations", "Institute of Tides"],
    ["kelp", "draft.subjects", "kelp forest"],
    ["metadata.subjects.subject:kelp", "draft.subjects", "kelp forest"],
    ["metadata.publisher:kelp", undefined, undefined],
    ["nowhere", undefined, undefined],
  ])("%s stands in a field that is not shown", (query, label, text) => {
    const found = foundIn(record({ subjects: [{ subject: "kelp forest" }] }), new Marker(query));
    expect([found?.label, found?.parts.map((part) => part.text).join("")]).toEqual([label, text]);
  });
});

describe("the years of the date facet (search 8)", () => {
  const bucketsOf = (from: number, counts: number[]) =>
    counts.map((doc_count, index) => ({
      key: String(from + index),
      label: String(from + index),
      doc_count,
      is_selected: false,
    }));

  test.each([
    [1, 2020, 1],
    [40, 1980, 1],
    [41, 1980, 2],
    [300, 1720, 10],
    [1200, 825, 50],
  ])("%i years are shown in bars of equal width", (years, from, width) => {
    const bars = yearBars(
      bucketsOf(
        from,
        Array.from({ length: years }, () => 1),
      ),
    );
    expect(bars.length).toBeLessThanOrEqual(41);
    expect(new Set(bars.map(({ first, last }) => last - first + 1))).toEqual(new Set([width]));
    expect(bars[0]?.first).toBeLessThanOrEqual(from);
    expect(bars.at(-1)?.last).toBeGreaterThanOrEqual(from + years - 1);
  });

  test("filter values and ranges answer each other", () => {
    const all = { from: 1990, to: 2024 };
    const range = fc.tuple(fc.integer({ min: 1990, max: 2024 }), fc.integer({ min: 1990, max: 2024 }));
    fc.assert(
      fc.property(range, ([a, b]) => {
        const chosen = { from: Math.min(a, b), to: Math.max(a, b) };
        expect(chosenRange(rangeValues(chosen, all), all)).toEqual(chosen);
      }),
    );
    expect(rangeValues(all, all)).toEqual([]);
    expect(chosenRange(["..2000"], all)).toEqual({ from: 1990, to: 2000 });
    expect(chosenRange(["[1995..)"], all)).toEqual({ from: 1995, to: 2024 });
    expect(chosenRange(["2019-03"], all)).toEqual({ from: 2019, to: 2019 });
  });
});
