import { expect, test } from "vitest";
import { datesIn, isoDate } from "../../renderer/format/dates.ts";

test.each([
  ["23.11.2026", "2026-11-23"],
  [" 3. 5. 2024 ", "2024-05-03"],
  ["11.2026", "2026-11"],
  ["2026/11/23", "2026-11-23"],
  ["2026.1.2", "2026-01-02"],
  ["11/23/2026", "2026-11-23"],
  ["23/11/2026", "2026-11-23"],
  ["4/4/2026", "2026-04-04"],
  ["Nov 2026", "2026-11"],
  ["3 November 2026", "2026-11-03"],
  ["Nov. 3, 2026", "2026-11-03"],
])("a date as people write it becomes the API's: %s (app M26)", (typed, date) => {
  expect(isoDate(typed)).toBe(date);
});

test.each([
  "2026",
  "2026-11",
  "2020/2024",
  "2026-11-23",
  "31.2.2026",
  "13.2026",
  "40.1.2026",
  "next year",
  "",
  "1.2.26",
  "3/4/2026",
  "Foo 2026",
])("anything else stays as it is: %s (app M26)", (text) => {
  expect(isoDate(text)).toBe(text);
});

test("a date that may be two days is asked about (app M26)", () => {
  expect(datesIn("3/4/2026")).toEqual(["2026-04-03", "2026-03-04"]);
});
