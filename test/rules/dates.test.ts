import { expect, test, vi } from "vitest";
import { datesIn, isoDate } from "../../renderer/format/dates.ts";
import { formatEdtf } from "../../renderer/format/times.ts";

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
  ["3. März 2026", "2026-03-03"],
  ["3. M\u0061\u0308rz 2026", "2026-03-03"],
  ["Mai 2026", "2026-05"],
  ["24. Dez. 2026", "2026-12-24"],
  ["2026-5-3", "2026-05-03"],
  ["2026-11-23T10:00:00Z", "2026-11-23"],
  [" 2026 ", "2026"],
  ["2026-11\n", "2026-11"],
  ["2020 / 2024", "2020/2024"],
  ["2020–2024", "2020/2024"],
  ["2020-05 – 2024-06", "2020-05/2024-06"],
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
  "2026-02-30",
  "2020-2024",
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

test.each([
  ["2020-01-31T23:30:00Z", "31 Jan 2020"],
  ["2020-01-31T23:30:00+01:00/2020-02-01T00:10:00+01:00", "31 Jan 2020 – 1 Feb 2020"],
  ["2020/", "2020 – …"],
  ["0050", "0050"],
  ["0050-03-01", "1 Mar 50"],
  ["2026-02", "February 2026"],
  ["soon", "soon"],
])("a date of a record is shown, with or without a time, of any century: %s (records 8, dates)", (date, shown) => {
  vi.stubGlobal("navigator", { language: "en-GB" });
  expect(formatEdtf(date)).toBe(shown);
});
