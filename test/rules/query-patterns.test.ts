import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold } from "../../shared/search/language/analysis.ts";
import { daysOf, daysOfBound, instantsOf } from "../../shared/search/language/date-values.ts";
import { automaticDistance, withinDistance } from "../../shared/search/language/edit-distance.ts";
import { compileRegex } from "../../shared/search/language/regex.ts";
import { compileWildcard } from "../../shared/search/language/wildcard.ts";

describe("regexes (search 5.3)", () => {
  const supported = fc.array(
    fc
      .constantFrom("a", "b", "c", ".", "[ab]", "[^a]", "(a|b)", "(ab)", "\\w", "\\d", "(a|bc|)", "\\.", "[a-c]")
      .chain((atom) => fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,}", "{0,2}").map((count) => atom + count)),
    { minLength: 1, maxLength: 6 },
  );
  const value = fc.array(fc.constantFrom("a", "b", "c", "1", "."), { maxLength: 8 }).map((signs) => signs.join(""));

  test("the subset means what it means elsewhere, anchored", () => {
    fc.assert(
      fc.property(supported, value, (parts, subject) => {
        const pattern = parts.join("");
        expect(compileRegex(pattern)?.matches(subject)).toBe(new RegExp(`^(?:${pattern})$`, "su").test(subject));
      }),
      { numRuns: 3000, seed: 1 },
    );
  });

  test.each([
    "(",
    ")",
    "a)",
    "(a",
    "[",
    "[]",
    "[a",
    "*",
    "+a",
    "a{",
    "a{x}",
    "a{3,2}",
    "a{1001}",
    "(?:a)",
    "a|*",
    "\\",
    "[b-a]",
    "]",
    "}",
  ])("%s is broken", (pattern) => {
    expect(compileRegex(pattern)).toBeUndefined();
  });

  test("long values are matched without backtracking, and counters are bounded", () => {
    for (const pattern of ["(a*)*b", "(a|a)*b", "(a+)+(a+)+b", "(.*)(.*)(.*)(.*)x", "a?".repeat(60) + "a".repeat(60)]) {
      expect(compileRegex(pattern)?.matches("a".repeat(500_000))).toBe(false);
    }
    expect(compileRegex("((a{1000}){1000}){1000}")).toBeUndefined();
  });

  test("literals are folded, the prefix is known", () => {
    expect(compileRegex("Ström.*", fold)?.matches("stromung")).toBe(true);
    expect(compileRegex("Straße", fold)?.matches("strasse")).toBe(true);
    expect(compileRegex("[A-C]x", fold)?.matches("bx")).toBe(true);
    expect(compileRegex("ab+c", fold)?.prefix).toBe("a");
    expect(compileRegex("(ab)c.*")?.prefix).toBe("abc");
  });
});

describe("wildcards (search 5.3)", () => {
  test("they mean what the regex of the same shape means, and are linear enough", () => {
    const signs = fc.array(fc.constantFrom("a", "b", "*", "?", "\\*", "\\?"), { maxLength: 8 });
    const subjects = fc.array(fc.constantFrom("a", "b", "*", "?"), { maxLength: 8 });
    fc.assert(
      fc.property(signs, subjects, (parts, subject) => {
        const regex = parts.map((part) => (part === "*" ? ".*" : part === "?" ? "." : part)).join("");
        expect(compileWildcard(parts.join("")).matches(subject.join(""))).toBe(
          new RegExp(`^${regex}$`).test(subject.join("")),
        );
      }),
      { numRuns: 3000, seed: 2 },
    );
    expect(compileWildcard("*a".repeat(50)).matches(`${"a".repeat(200_000)}b`)).toBe(false);
  });

  test("prefixes are recognised, literals folded", () => {
    expect(compileWildcard("Wör*", fold)).toMatchObject({ prefix: "wor", isPrefix: true });
    expect(compileWildcard("w?r*", fold)).toMatchObject({ prefix: "w", isPrefix: false });
    expect(compileWildcard("a\\**")).toMatchObject({ prefix: "a*", isPrefix: true });
  });
});

describe("fuzzy words (search 5.3)", () => {
  test.each([
    ["abc", "abc", 0],
    ["abc", "acb", 1],
    ["abc", "abcd", 1],
    ["abc", "ab", 1],
    ["abc", "xbc", 1],
    ["ca", "abc", 3],
    ["kitten", "sitting", 3],
    ["abcd", "badc", 2],
    ["", "ab", 2],
    ["日本語", "日語本", 1],
  ])("from %s to %s it is %i", (left, right, distance) => {
    for (let limit = 0; limit <= 2; limit += 1) expect(withinDistance(left, limit)(right)).toBe(distance <= limit);
  });

  test("without a number, a word of 2 characters allows no edit, one of 5 allows 1, a longer one 2", () => {
    expect(["a", "ab", "abc", "abcde", "abcdef"].map(automaticDistance)).toEqual([0, 0, 1, 1, 2]);
  });
});

describe("dates (search 5.3)", () => {
  const micro = (iso: string) => Date.parse(iso) * 1000;
  const now = micro("2024-05-15T12:34:56Z");
  test.each([
    ["2024-05-14", "2024-05-14T00:00:00Z", "2024-05-15T00:00:00Z"],
    ["2024-05", "2024-05-01T00:00:00Z", "2024-05-02T00:00:00Z"],
    ["2024", "2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z"],
    ["2024-05-14T10:20:30", "2024-05-14T10:20:30Z", "2024-05-14T10:20:31Z"],
    ["2024-05-14T10:20:30+02:00", "2024-05-14T08:20:30Z", "2024-05-14T08:20:31Z"],
    ["2024-05-14 10:20:30", "2024-05-14T10:20:30Z", "2024-05-14T10:20:31Z"],
    ["2024-05-14T10:20", "2024-05-14T10:20:00Z", "2024-05-14T10:21:00Z"],
    ["now/d", "2024-05-15T00:00:00Z", "2024-05-16T00:00:00Z"],
    ["now/d+1d", "2024-05-16T00:00:00Z", "2024-05-17T00:00:00Z"],
    ["now-1M/M", "2024-04-01T00:00:00Z", "2024-05-01T00:00:00Z"],
    ["now+1d-2h/h", "2024-05-16T10:00:00Z", "2024-05-16T11:00:00Z"],
    ["now/w", "2024-05-13T00:00:00Z", "2024-05-20T00:00:00Z"],
  ])("%s reaches from %s to before %s", (text, from, until) => {
    expect(instantsOf(text, now)).toEqual({ first: micro(from), last: micro(until) - 1 });
  });

  test("fractions are kept to the microsecond", () => {
    const at = micro("2024-05-14T10:20:30Z") + 123456;
    expect(instantsOf("2024-05-14T10:20:30.123456+00:00", now)).toEqual({ first: at, last: at });
    expect(instantsOf("2024-05-14 10:20:30.123456+00:00", now)).toEqual({ first: at, last: at });
    expect(instantsOf("now", now)).toEqual({ first: now, last: now });
  });

  test.each([
    "",
    "foo",
    "2024-13",
    "2024-02-30",
    "24-01-01",
    "2024-1-1",
    "2024-05-14T25:00",
    "now-1x",
    "nowish",
    "1.5",
  ])("%j is no date", (text) => {
    expect(instantsOf(text, now)).toBeUndefined();
  });

  test("calendar spans", () => {
    const day = (iso: string) => Date.parse(iso) / 86_400_000;
    expect(daysOf("2020")).toEqual({ first: day("2020-01-01"), last: day("2020-12-31") });
    expect(daysOf("2020-02")).toEqual({ first: day("2020-02-01"), last: day("2020-02-29") });
    expect(daysOf("2020-02-03/2021")).toEqual({ first: day("2020-02-03"), last: day("2021-12-31") });
    for (const bad of ["2021/2020", "a", "2020/", "2020-02-30", "1/2/3"]) expect(daysOf(bad)).toBeUndefined();
    expect(daysOfBound("now/d", now)).toEqual({ first: day("2024-05-15"), last: day("2024-05-15") });
  });
});
