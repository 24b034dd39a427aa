import { expect, test } from "vitest";
import { editedEntry, movedEntry } from "../../renderer/format/entry-list.ts";

const [a, b, c] = [{ reference: "A" }, { reference: "B" }, { reference: "C" }];

test.each([
  [0, 1, [b, a, c]],
  [2, -1, [a, c, b]],
  [0, -1, [a, b, c]],
  [2, 1, [a, b, c]],
] as const)("row %i moves by %i, and stays where there is no room (app M22)", (index, step, expected) => {
  expect(movedEntry([a, b, c], { index, step })).toEqual(expected);
});

test("an edited row stays in its place; one that somebody removed meanwhile comes back at the end (app M22)", () => {
  const next = { reference: "B, corrected" };
  expect(editedEntry([a, b, c], b, next)).toEqual([a, next, c]);
  expect(editedEntry([a, c], b, next)).toEqual([a, c, next]);
});
