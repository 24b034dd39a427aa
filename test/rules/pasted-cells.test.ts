import { expect, test } from "vitest";
import { rowsOf } from "../../renderer/components/pasted-cells.ts";

test("pasted cells: tabs and line breaks of every kind part them, quotes keep one together (issue 17)", () => {
  expect(rowsOf("ocean\tsea ice\r\ntides\t\r\n")).toEqual([
    ["ocean", "sea ice"],
    ["tides", ""],
  ]);
  expect(rowsOf("a\nb\rc")).toEqual([["a"], ["b"], ["c"]]);
  expect(rowsOf('"two\nlines ""so"""\tb')).toEqual([['two lines "so"', "b"]]);
  expect(rowsOf('"so" he said\nb')).toEqual([['"so" he said'], ["b"]]);
  expect(rowsOf("one text")).toEqual([["one text"]]);
  expect(rowsOf("\r\n\t\r\n")).toEqual([]);
});
