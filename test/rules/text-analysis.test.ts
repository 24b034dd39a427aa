import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalForm } from "../../shared/kernel/normal-form.ts";
import { fold, joinedFormsOf, originalTokensOf, plainTextOf, tokensOf } from "../../shared/search/language/analysis.ts";

describe("text analysis (search 4)", () => {
  test("a letter with a million marks, half of them out of order, costs no more than a long text", () => {
    const marks = "\u0315".repeat(500_000) + "\u0316\uFF9E".repeat(250_000);
    expect(normalForm(`a${marks}b`, "NFKC")).toHaveLength(32);
    expect(tokensOf(`a${marks}b`)).toEqual(["ab"]);
  });

  test.each([
    ["", []],
    ["  \n", []],
    ["Open Science", ["open", "science"]],
    ["open-science", ["open", "science"]],
    ["a/b:c;d", ["a", "b", "c", "d"]],
    ["snake_case _lead trail_", ["snake_case", "lead", "trail"]],
    ["O'Neil's ’tis rock’n’roll", ["o'neil's", "tis", "rock’n’roll"]],
    ["doi.org e.g. end.", ["doi.org", "e.g", "end"]],
    ["10.5281/zenodo.7", ["10.5281", "zenodo", "7"]],
    ["1,000.5 a,b 1,a", ["1,000.5", "a", "b", "1", "a"]],
    ["x'1 1'x", ["x", "1", "1", "x"]],
    ["Crème brûlée ÅNGSTRÖM", ["creme", "brulee", "angstrom"]],
    [
      "Straße Æon œuvre Øre đak ðæt Þór Łódź ıİ",
      ["strasse", "aeon", "oeuvre", "ore", "dak", "daet", "thor", "lodz", "ii"],
    ],
    ["ﬁne x² ½", ["fine", "x2", "1", "2"]],
    ["日本語です", ["日", "本", "語", "て", "す"]],
    ["カタカナ語x", ["カタカナ", "語", "x"]],
    ["Ελλάδα Москва", ["ελλαδα", "москва"]],
    ["...--- &", []],
    ["C++ C#", ["c", "c"]],
    [
      "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 a\u200db \ufeffx",
      ["\u0645\u06cc\u062e\u0648\u0627\u0647\u0645", "ab", "x"],
    ],
    ["it's_a", ["it's_a"]],
  ])("%j gives %j", (text, tokens) => {
    expect(tokensOf(text)).toEqual(tokens);
  });

  test.each(["x", "e\u0301"])("three megabytes of %j without a blank are read", (sign) => {
    const text = `a${sign.repeat(3_000_000 / sign.length)}`;
    expect(tokensOf(text)[0]).toMatch(/^a[xe]+$/);
    expect(originalTokensOf(text)[0]).toMatch(/^a[xé]+$/);
  });

  test(".original skips the folding of accents only", () => {
    expect(originalTokensOf("Crème STRASSE Straße")).toEqual(["crème", "strasse", "straße"]);
    expect(originalTokensOf("Cre\u0300me")).toEqual(["crème"]);
    expect(originalTokensOf("q\u0307x y")).toEqual(["q\u0307x", "y"]);
  });

  test.each([
    ["open-science", ["openscience"]],
    ["an open-science, (well-known) fact.", ["openscience", "wellknown"]],
    ["plain words.", []],
    ["it's O'Neil", ["its", "oneil"]],
    ["10.5281/zenodo.7", ["105281zenodo7"]],
    ["Crème-brûlée", ["cremebrulee"]],
    ["a_b", ["ab"]],
    ["- -- a- -b", []],
    ["C++11", ["c11"]],
  ])("the joined forms of %j are %j", (text, forms) => {
    expect(joinedFormsOf(text)).toEqual(forms);
  });

  test("folding twice is folding once", () => {
    for (const text of ["Ångström ﬃ ẞß İı Ǆ", "ϓ ͅ"]) expect(fold(fold(text))).toBe(fold(text));
  });

  test.each([
    ["plain", ["plain"]],
    ["<p>One</p><p>two</p>", ["one", "two"]],
    ["H<sub>2</sub>O <em>is</em> wet", ["h2o", "is", "wet"]],
    ["caf&eacute; &amp; th&#233;&#xE9; &copy;", ["cafe", "thee"]],
    ["&lt;b&gt;bold&lt;/b&gt;", ["bold"]],
    ["a < b > c &unknown; &#99999999;", ["a", "b", "c", "unknown", "99999999"]],
    ['<a href="https://x.org">link</a><br/>next<!-- no -->', ["link", "next"]],
  ])("HTML %j holds %j", (html, tokens) => {
    expect(tokensOf(plainTextOf(html))).toEqual(tokens);
  });

  test("comments without an end cost what a text of that length costs (security 6)", () => {
    expect(plainTextOf("&lt;!--".repeat(285_000))).toBe("<!--".repeat(285_000));
    expect(plainTextOf(`${"<!--".repeat(100_000)} a --> b <!-- c`)).toBe("  b <!-- c");
  });

  test("any markup gives the text that one pass over entities and one over tags gives", () => {
    const once = (html: string): string =>
      html
        .replace(/&(?:(lt|gt|quot|amp|eacute)|#(\d+)|#x(\w+));/g, (_whole, name, decimal, hexadecimal) =>
          name === undefined
            ? String.fromCodePoint(decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal))
            : ({ lt: "<", gt: ">", quot: '"', amp: "&", eacute: "é" }[name as string] ?? ""),
        )
        .replace(/<!--[\s\S]*?-->|<\/?[a-zA-Z][^<>]*>/g, (tag) => (/^<\/?(?:a|b)[\s/>]/i.test(tag) ? "" : " "));
    const part = fc.constantFrom(
      ...["<", ">", "<!--", "-->", "--", "<p>", "</p>", "<b ", "<b>", "</b>", "a", " ", "/", "&", ";"],
      ...["&lt;", "&gt;", "&quot;", "&amp;", "&#38;", "&#x26;", "&eacute;", "lt;", "amp;", "#38;"],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        expect(plainTextOf(parts.join(""))).toBe(once(parts.join("")));
      }),
      { numRuns: 2000, seed: 20261123 },
    );
  });
});
