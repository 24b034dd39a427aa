import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endOfRows } from "../../renderer/format/end-of-rows.ts";
import { guessSeparator, parseTable } from "../../shared/previews/csv.ts";
import { type MarkdownElement, type MarkdownNode, parseMarkdown } from "../../shared/previews/markdown.ts";
import { decodeText, markedEncoding } from "../../shared/previews/text.ts";
import { vectors } from "./xss-vectors.ts";

describe("tables of comma-separated values (ux 1, preview)", () => {
  test.each<[text: string, rows: string[][]]>([
    [
      "a,b\n1,2\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "a,b\r\n1,2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      '"a,1","say ""hi"""\nx,',
      [
        ["a,1", 'say "hi"'],
        ["x", ""],
      ],
    ],
    ['"two\nlines",x', [["two\nlines", "x"]]],
    [
      "\ufeffid;name\n1;Łódź",
      [
        ["id", "name"],
        ["1", "Łódź"],
      ],
    ],
    [
      "a\tb\n1\t2,5",
      [
        ["a", "b"],
        ["1", "2,5"],
      ],
    ],
    [
      "lon|lat\n1|2",
      [
        ["lon", "lat"],
        ["1", "2"],
      ],
    ],
    ['"open', [["open"]]],
    ['"a"b,c', [["ab", "c"]]],
    ["\n\nx", [[""], [""], ["x"]]],
    ["", []],
  ])("%j", (text, rows) => {
    expect(parseTable(text, guessSeparator(text), 100).rows).toEqual(rows);
  });

  test("what was written as a table is read as it was", () => {
    const cell = fc.string({ maxLength: 12 });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 6 }), (rows) => {
        const text = rows.map((row) => row.map(quoted).join(",")).join("\r\n");
        expect(parseTable(text, ",", 100).rows).toEqual(rows);
      }),
    );
  });

  test("long quoted cells and very many columns are read, of those the first (fault 8)", () => {
    const long = "a".repeat(4_000_000);
    expect(parseTable(`"${long}",b`, ",").rows[0]?.map((cell) => cell.length)).toEqual([long.length, 1]);
    expect(parseTable(`${'"'.repeat(1_000_000)}`, ",").rows).toHaveLength(1);
    const { rows, columns, isCut } = parseTable(`${",".repeat(1_000_000)}\na,b`, ",");
    expect({ columns, isCut, next: rows[1] }).toEqual({ columns: 500, isCut: true, next: ["a", "b"] });
  });

  test("no more rows are read than asked for, and any text ends", () => {
    expect(parseTable("a\n".repeat(50), ",", 10).rows).toHaveLength(10);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', ",", ";", "\n", "\r", "a") }), (text) => {
        expect(parseTable(text, guessSeparator(text)).rows.length).toBeLessThanOrEqual(text.length + 1);
      }),
    );
  });
});

const elementsOf = (nodes: readonly MarkdownNode[]): MarkdownElement[] =>
  nodes.flatMap((node) => (typeof node === "string" ? [] : [node, ...elementsOf(node.children)]));
const linksOf = (text: string): string[] =>
  elementsOf(parseMarkdown(text).nodes).flatMap(({ href }) => (href === undefined ? [] : [href]));

/** The tree as HTML without white space between blocks, for comparing. */
const shown = (nodes: readonly MarkdownNode[]): string =>
  nodes
    .map((node) => {
      if (typeof node === "string") return node;
      const { tag, href, path, isDone, start, children } = node;
      const file = `${path === undefined ? "" : ` path=${path}`}${isDone ? " done" : ""}`;
      const attributes = `${file}${href === undefined ? "" : ` href=${href}`}${start === undefined ? "" : ` start=${start}`}`;
      return `<${tag}${attributes}>${shown(children)}</${tag}>`;
    })
    .join("");

describe("Markdown is read into known elements; HTML in it stays text (ux 1, preview; fault 8)", () => {
  test.each([
    ["# Read *me*", "<h3>Read <em>me</em></h3>"],
    ["two\nlines `code` **bold**", "<p>two\nlines <code>code</code> <strong>bold</strong></p>"],
    ["- one\n  - inner\n- two", "<ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul>"],
    ["3. third\n4. fourth", "<ol start=3><li>third</li><li>fourth</li></ol>"],
    ["> said", "<blockquote><p>said</p></blockquote>"],
    ["```\n# no heading\n```\n---", "<pre><code># no heading\n</code></pre><hr></hr>"],
    ["\\*not emphasised\\*", "<p>*not emphasised*</p>"],
    ["Title\n=====\n\nPart\n----", "<h3>Title</h3><h4>Part</h4>"],
    [
      "[x][a] and [a]\n\n[a]: https://example.org",
      "<p><a href=https://example.org>x</a> and <a href=https://example.org>a</a></p>",
    ],
    ["said[^1]\n\n[^1]: by whom", "<p>said<sup>1</sup></p><hr></hr><ol><li><p>by whom</p></li></ol>"],
    [
      "| a | b |\n|---|:-:|\n| `1 \\| 2` | ~~x~~ |",
      "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code>1 | 2</code></td><td><s>x</s></td></tr></tbody></table>",
    ],
    ["<b onclick=x>a</b>", "<p><b onclick=x>a</b></p>"],
    ["README.md, https://example.org", "<p>README.md, <a href=https://example.org>https://example.org</a></p>"],
    ["![a *picture*](https://example.org/a.png)", "<p><a href=https://example.org/a.png>a <em>picture</em></a></p>"],
    ["![a](data:image/png;base64,AA)", "<p>a</p>"],
    ["[up](../x%20y.md#part) [here](#y)", "<p><a path=../x y.md>up</a> here</p>"],
    ["![plot](figures/a.png) ![b](//evil/a.png) ![c](/etc/a.png)", "<p><img path=figures/a.png></img> b c</p>"],
    [
      "- [x] measured\n- [ ] *written*\n- [ ]no",
      "<ul><li><input done></input> measured</li><li><input></input> <em>written</em></li><li>[ ]no</li></ul>",
    ],
    ["line  \nbreak", "<p>line<br></br>break</p>"],
  ])("%j", (text, html) => {
    expect(shown(parseMarkdown(text).nodes)).toBe(html);
  });

  test.each([...vectors, "[x](javascript:alert(1))", "[x](data:text/html,1)", "![x](JaVaScRiPt:alert)", "[x](//evil)"])(
    "only pages and mail are linked, and no other element than the listed ones is made: %j",
    (vector) => {
      for (const href of linksOf(vector)) expect(href).toMatch(/^(https?:\/\/|mailto:)/i);
      for (const { tag } of elementsOf(parseMarkdown(vector).nodes))
        expect(tag).toMatch(
          /^(a|blockquote|br|code|em|h[3-6]|hr|img|input|li|ol|p|pre|s|strong|sup|table|tbody|td|th|thead|tr|ul)$/,
        );
    },
  );

  test("any text is read, however deep or long; of a very long one the beginning", () => {
    const unit = fc.constantFrom(
      "*",
      "_",
      "`",
      "[",
      "](",
      ")",
      "> ",
      "- ",
      "\n",
      "  ",
      "#",
      "|",
      "-",
      "a",
      "https://x",
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 200 }), (units) => {
        expect(parseMarkdown(units.join("")).isWhole).toBe(true);
      }),
      { numRuns: 200 },
    );
    for (const text of ["> ", "- ", "[", "![", "_a ", "**", "`", "|", "<", "[^a]"]) parseMarkdown(text.repeat(20_000));
    const { nodes, isWhole } = parseMarkdown("_a_ ".repeat(20_000));
    expect(isWhole).toBe(false);
    expect(elementsOf(nodes).length).toBeLessThan(20_000);
  });
});

test.each([
  [[0xef, 0xbb, 0xbf, 0x61], "a"],
  [[0x61, 0xc5], "a"],
  [[0x65, 0xe9, 0x20, 0x62], "eé b"],
  [[0xff, 0xfe, 0xe9, 0x00, 0x62], "é"],
  [[0xfe, 0xff, 0x00, 0xe9], "é"],
  [[], ""],
])("bytes %j are read as %j (web 4, File; issue 18)", (bytes, text) => {
  expect(decodeText(new Uint8Array(bytes), TextDecoder)).toBe(text);
});

test("a page of a table in UTF-16 ends with a whole row, and the next one is read as the first (web 4, File; issue 18)", () => {
  // U+0A22 has the bytes of a quote and of a line end.
  const littleEndian = Buffer.from('\uFEFFOrt;\u0A22\n"Köln\n";1\nBonn', "utf16le");
  const bigEndian = Buffer.from(littleEndian).swap16();
  for (const bytes of [littleEndian, bigEndian]) {
    const encoding = markedEncoding(bytes);
    const end = endOfRows(bytes, encoding);
    expect(decodeText(bytes.subarray(0, end), TextDecoder)).toBe('Ort;\u0A22\n"Köln\n";1\n');
    expect(decodeText(bytes.subarray(end), TextDecoder, encoding)).toBe("Bonn");
  }
});
