import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanComment } from "../../shared/comments/comment-html.ts";
import { Slices } from "../../shared/kernel/time-slice.ts";
import { cleanHtml, cleanManyHtml } from "../../shared/records/html-cleaner.ts";
import { vectors } from "./xss-vectors.ts";

interface Allowed {
  tags: string[];
  attributes: Record<string, string[]>;
}

const tags = "a abbr acronym b blockquote br code div em h1 h2 h3 h4 h5 i li ol p pre span strike strong".split(" ");
const a = ["href", "title", "name", "target", "rel"];
const inComments: Allowed = {
  tags: [...tags, ..."img sub sup table tbody td th tr u ul".split(" ")],
  attributes: { a, abbr: ["title"], acronym: ["title"], img: ["src", "alt", "width", "height"] },
};
const inRecords: Allowed = {
  tags: [...tags, ..."caption sub sup table tbody td th thead tr u ul".split(" ")],
  attributes: { a },
};

const decoded = (text: string): string =>
  text.replace(
    /&(amp|lt|gt|quot);/g,
    (_whole, name: string) => ({ amp: "&", lt: "<", gt: ">", quot: '"' })[name] ?? "",
  );

/** A reader of its own: everything that is not plain text must be a tag of the list, spelled in one way. */
function problemsIn(html: string, allowed = inComments): string[] {
  const problems: string[] = [];
  let rest = html;
  for (;;) {
    const at = rest.search(/[<>]/);
    if (at < 0) break;
    const tag = /^<(\/?)([a-z0-9]+)((?: [a-z]+(?:="[^"<>]*")?)*)>/.exec(rest.slice(at));
    if (!tag) return [...problems, `bare sign at ${rest.slice(at, at + 20)}`];
    const [whole, , name = "", list = ""] = tag;
    if (!allowed.tags.includes(name)) problems.push(`tag ${name}`);
    for (const [, attribute = "", value = ""] of list.matchAll(/ ([a-z]+)(?:="([^"]*)")?/g)) {
      if (!allowed.attributes[name]?.includes(attribute)) problems.push(`attribute ${name} ${attribute}`);
      const plain = decoded(value);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
      if (/[\u0000-\u001f\u007f-\u009f\u200b\ufeff]/.test(plain)) problems.push(`invisible sign in ${attribute}`);
      const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(plain.replace(/\s/g, ""))?.[0]?.toLowerCase();
      const fine = attribute === "src" ? ["http:", "https:"] : ["http:", "https:", "mailto:"];
      if (/^(href|src)$/.test(attribute) && scheme !== undefined && !fine.includes(scheme)) problems.push(scheme);
    }
    rest = rest.slice(at + whole.length);
  }
  return problems;
}

describe("cleaning comments (requests 7)", () => {
  test("there are at least 200 ways to try, all different", () => {
    expect(new Set(vectors).size).toBe(vectors.length);
    expect(vectors.length).toBeGreaterThanOrEqual(200);
  });

  test.each(vectors.map((vector) => [vector]))("nothing active survives of %j", (vector) => {
    const clean = cleanComment(vector);
    expect(problemsIn(clean)).toEqual([]);
    expect(cleanComment(clean)).toBe(clean);
  });

  test.each(vectors.map((vector) => [vector]))(
    "nothing active survives of %j in a description (records 8)",
    (vector) => {
      const clean = cleanHtml(vector);
      expect(problemsIn(clean, inRecords)).toEqual([]);
      expect(cleanHtml(clean)).toBe(clean);
    },
  );

  test("long texts are cleaned in steps, to the same (security 6)", async () => {
    const texts = ["<", "a<", "<!--", "<b>x &amp; y</b>", '<a href="/x">', "é🙂<i>"].map((unit) => unit.repeat(30_000));
    const steps: number[] = [];
    const slices = Object.assign(new Slices(), { next: async () => void steps.push(1) });
    const cleaned = await cleanManyHtml(texts, slices);
    for (const text of texts) expect(cleaned.get(text) === cleanHtml(text)).toBe(true);
    expect(steps.length).toBeGreaterThan(texts.length);
  });

  test.each([
    ["<script>a</script>b<style>c</style>", "b"],
    ['<p style="x">1 &lt; 2 &amp; &eacute;</p><br/>', "<p>1 &lt; 2 &amp; é</p><br>"],
    ["<table><thead><tr><th>a<td>b</table>", "<table><thead><tr><th>a</th><td>b</td></tr></thead></table>"],
    ["<abbr title='x'>t</abbr><img src=a>", "<abbr>t</abbr>"],
  ])("%j in a description (records 8)", (input, output) => {
    expect(cleanHtml(input)).toBe(output);
  });

  test.each([
    ['<p onclick="x()">hi</p>', "<p>hi</p>"],
    ["<script>a</script>", "a"],
    ['<a href="javascript:x">t</a>', "<a>t</a>"],
    ["plain text without markup", "plain text without markup"],
    ["a<b", "a&lt;b"],
    ["<p>x</p> <y", "<p>x</p> &lt;y"],
    ["1 < 2 & 3 > 2", "1 &lt; 2 &amp; 3 &gt; 2"],
    ["  <p>trimmed</p>\n", "<p>trimmed</p>"],
    ["a\u0000b\u200bc\u0007", "abc"],
    ["<p>a<br>b</p>", "<p>a<br>b</p>"],
    ["<!-- gone -->kept", "kept"],
    ["<section><h6>kept</h6></section>", "kept"],
    ['<abbr title="x" class="y">t</abbr>', '<abbr title="x">t</abbr>'],
    ['<a href="/records/1" title="t" name="n" target="_blank" rel="x">t</a>', undefined],
    ['<a href="mailto:a@example.org">t</a>', undefined],
    ['<img src="https://example.org/a.png" alt="a" width="1" height="2">', undefined],
    ['<img src="mailto:x" alt="a">', '<img alt="a">'],
    ["<style>p{}</style>t", "p{}t"],
    ["<table><tbody><tr><th>a</th><td>b</td></tr></tbody></table>", undefined],
    ["zusätzlich 日本語 🙂", "zusätzlich 日本語 🙂"],
    ["<b><i>closed in order</b></i>", "<b><i>closed in order</i></b>"],
    ["<p>one<p>two<ul><li>a<li>b</ul>", "<p>one</p><p>two</p><ul><li>a</li><li>b</li></ul>"],
    ["</b></p>never opened", "never opened"],
    ["a <!-- without an end <b>b</b>", "a &lt;!-- without an end &lt;b>b&lt;/b>".replaceAll(">", "&gt;")],
    ['kept <a href="x>without an end', 'kept &lt;a href="x&gt;without an end'],
    ['<a HREF="java&Tab;script:x" href="/y">t</a>', '<a href="/y">t</a>'],
    ['<a href="//example.org/x">t</a><a href="java&#x200b;script:x">t</a>', "<a>t</a><a>t</a>"],
    [`${"<div>".repeat(5000)}deep`, `${"<div>".repeat(200)}deep${"</div>".repeat(200)}`],
  ])("%j", (input, output) => {
    expect(cleanComment(input)).toBe(output ?? input);
  });

  test("whatever is put together of dangerous pieces", () => {
    const piece = fc.oneof(
      fc.constantFrom(...vectors),
      fc.constantFrom("<", ">", '"', "'", "/", "&", "=", "<a href=", "<!--", "-->", "\u200b", "&#x3c;", "</", "<svg>"),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const clean = cleanComment(pieces.join(""));
        expect(problemsIn(clean)).toEqual([]);
        expect(cleanComment(clean)).toBe(clean);
      }),
      { numRuns: 2000, seed: 7 },
    );
  });
});
