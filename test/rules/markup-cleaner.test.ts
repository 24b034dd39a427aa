import { describe, expect, test } from "vitest";
import { markupCleaner } from "../../shared/kernel/markup-cleaner.ts";

const cleaner = markupCleaner({ tags: new Set(["b"]), attributes: {}, schemes: {}, withoutText: ["script"] });
const step = 16 * 1024;

/** @returns the cleaned text, and how many steps it took. */
function cleanedInSteps(html: string): { text: string; steps: number } {
  const running = cleaner.cleanInSteps(html);
  for (let steps = 1; ; steps += 1) {
    const { done, value } = running.next();
    if (done) return { text: value, steps };
  }
}

describe("long markup is cleaned in steps (security 6)", () => {
  test.each(["<", "</", "a<", "<!--", "&lt;", "<b>"])("markup that repeats %s", (unit) => {
    const html = unit.repeat(Math.floor((20 * step) / unit.length));
    const { text, steps } = cleanedInSteps(html);
    expect(text).toBe(cleaner.clean(html));
    expect(steps).toBeGreaterThan(20);
  });

  test("what follows a tag without an end is read again in steps, too", () => {
    const { text, steps } = cleanedInSteps(`</${"a<".repeat(10 * step)}`);
    expect(text).toBe(`&lt;/${"a&lt;".repeat(10 * step)}`);
    expect(steps).toBeGreaterThan(60);
  });

  test("a character reference is read whole wherever a step ends", () => {
    for (let before = 0; before <= 12; before += 1) {
      const start = "x ".repeat(step).slice(0, step - before);
      for (const [reference, expected] of [
        ["&amp;lt;", "&amp;lt;"],
        ["&#000060;", "&lt;"],
        ["&amp x", "&amp; x"],
      ])
        expect(cleaner.clean(`<${start}${reference} y`)).toBe(`&lt;${start}${expected} y`);
    }
  });
});
