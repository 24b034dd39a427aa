import { describe, expect, test } from "vitest";
import { canonical } from "../../shared/documents/draft-input.ts";
import { genesis } from "../../shared/documents/genesis.ts";
import { encodeChange, inputOf, mergeChange } from "../../shared/documents/merge.ts";

const titled = (title: string) => canonical({ metadata: { title } });

/** Both edit the same title; the second arrives later at the server. */
function meet(title: string, one: string, two: string) {
  const base = genesis(titled(title));
  const first = encodeChange(base, titled(one), 10);
  const { update, changes } = encodeChange(base, titled(two), 11);
  const { input, lost } = mergeChange(first.state, update ?? new Uint8Array([0, 0]), changes, 12);
  return { title: input.metadata.title, lost };
}

describe("two changes of one text (hosts-and-sync 4)", () => {
  test.each([
    ["a year", "Samples of 2010, dried", "Samples of 2015, dried", "Samples of 2020, dried"],
    ["a decimal number", "At 45.12 N", "At 46.12 N", "At 45.13 N"],
    ["a word with a digit", "In H2O", "In D2O", "In H2O2"],
  ])("of one number: one stands whole, the other is kept as lost: %s", (_what, title, one, two) => {
    expect(meet(title, one, two)).toMatchObject({
      title: one,
      lost: [{ path: ["metadata", "title"], mine: two, loser: "author" }],
    });
  });

  test("of one number with its unit: the unit stays with the number that stands", () => {
    const [one, two] = ["On a 25 km grid", "On a 500 m grid"];
    expect(meet("On a 4 km grid", one, two)).toMatchObject({ title: one, lost: [{ mine: two, loser: "author" }] });
  });

  test.each([
    [10, 20],
    [20, 10],
  ])("of one number, after both began the text: each beginning keeps its space (writers %s, %s)", (ada, bob) => {
    const base = genesis(titled("Grid of 4 km"));
    const standing = encodeChange(base, titled("Ada: Grid of 25 km"), ada);
    const begun = encodeChange(base, titled("Bob:Grid of 4 km"), bob);
    const later = encodeChange(begun.state, titled("Bob: Grid of 500 km"), bob);
    let { state } = standing;
    for (const { update, changes } of [begun, later])
      state = mergeChange(state, update ?? new Uint8Array([0, 0]), changes, 30).state;
    const merged = inputOf(state).metadata.title;
    expect(["Ada: Bob: Grid of 25 km", "Bob: Ada: Grid of 25 km"]).toContain(merged);
  });

  test("of a number and of the word after it: both are there", () => {
    expect(meet("About 10 samples", "About 12 samples", "About 10 soils")).toEqual({
      title: "About 12 soils",
      lost: [],
    });
  });

  test("of two letters of one word: both are there", () => {
    expect(meet("Colour of snow", "Colours of snow", "colour of snow")).toEqual({ title: "colours of snow", lost: [] });
  });
});
