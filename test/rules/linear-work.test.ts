// First, so that the modules below are compiled with counters.
import "../support/count-steps.ts";
import { describe, expect, test } from "vitest";
import { parseTable } from "../../shared/previews/csv.ts";
import { parseMarkdown } from "../../shared/previews/markdown.ts";
import { parseQuery } from "../../shared/search/language/query-parser.ts";
import { compileRegex } from "../../shared/search/language/regex.ts";
import { compileWildcard } from "../../shared/search/language/wildcard.ts";
import { stepsOf } from "../support/count-steps.ts";

// Text of strangers is read in steps that grow with its length, not with the square of it. Steps are counted, so a slow
// machine proves the same as a fast one.

/** Twice the input may take twice the steps, not four times. */
function expectLinear(work: (length: number) => unknown): void {
  const [once, twice] = [stepsOf(() => work(500)), stepsOf(() => work(1000))];
  expect(twice, `${once} steps, then`).toBeLessThan(3 * once + 200);
}

describe("queries (search 5.1)", () => {
  test.each(["(", '"', "a:", "[", "/", "\\", "a AND ", "-", "a ", "T10:", "/a*/ ", "((((a))))", "a^", "f:[a TO b] "])(
    "%s, over and over",
    (piece) => expectLinear((length) => parseQuery(piece.repeat(length))),
  );

  test.each(["(a*)*b", "(a|a)*b", "(a+)+(a+)+b", "(.*)(.*)(.*)(.*)x", "a?".repeat(60) + "a".repeat(60)])(
    "the regex %s on a long value (search 5.3)",
    (pattern) => {
      const regex = compileRegex(pattern);
      expectLinear((length) => expect(regex?.matches("a".repeat(length))).toBe(false));
    },
  );

  test("many wildcards on a long value (search 5.3)", () => {
    const wildcard = compileWildcard("*a".repeat(50));
    expectLinear((length) => expect(wildcard.matches(`${"a".repeat(length)}b`)).toBe(false));
  });
});

describe("previews (ux 1)", () => {
  test.each(["> ", "- ", "[", "![", "_a ", "**", "`", "|", "<", "[^a]"])("Markdown of %s", (piece) =>
    expectLinear((length) => parseMarkdown(piece.repeat(length))),
  );

  test.each(['"', '""', ",", '",', "\n", "a"])("a table of %j", (piece) =>
    expectLinear((length) => parseTable(piece.repeat(length), ",")),
  );
});
