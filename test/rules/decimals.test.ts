import { expect, test } from "vitest";
import { formatDecimal, readDecimal } from "../../renderer/format/amounts.ts";

test("a number typed with a sign that may group thousands is refused, not read a thousand times too small (issue 17)", () => {
  const [, sign] = formatDecimal(0.5);
  expect(sign).toBe(".");
  expect(readDecimal("1,500")).toBeUndefined();
  expect(readDecimal("1.500")).toBe(1.5);
  expect(readDecimal(" 1,5 ")).toBe(1.5);
  expect(readDecimal("0,001")).toBe(0.001);
  expect(readDecimal("200")).toBe(200);
  expect(readDecimal("1,500,000")).toBeUndefined();
  expect(readDecimal("")).toBeUndefined();
});
