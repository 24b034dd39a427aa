import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { guessSeparator, parseTable } from "../../renderer/components/preview/csv.ts";
import { type Block, type Inline, parseMarkdown } from "../../renderer/components/preview/markdown.ts";
import { decodeText } from "../../renderer/format/decode-text.ts";
import { threadMs } from "../bench/processor-time.ts";
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

  test("no more rows are read than asked for, and any text ends", () => {
    expect(parseTable("a\n".repeat(50), ",", 10).rows).toHaveLength(10);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', ",", ";", "\n", "\r", "a") }), (text) => {
        expect(parseTable(text, guessSeparator(text)).rows.length).toBeLessThanOrEqual(text.length + 1);
      }),
    );
  });
});

const linksOf = (parts: Inline[]): string[] =>
  parts.flatMap((part) =>
    "parts" in part ? [...(part.kind === "link" ? [part.href] : []), ...linksOf(part.parts)] : [],
  );
const partsOf = (blocks: Block[]): Inline[] =>
  blocks.flatMap((block) => {
    if (block.kind === "heading" || block.kind === "paragraph") return block.parts;
    if (block.kind === "quote") return partsOf(block.blocks);
    if (block.kind === "list") return block.items.flatMap(partsOf);
    return block.kind === "table" ? [...block.head.flat(), ...block.rows.flat(2)] : [];
  });

describe("Markdown is read into known parts; HTML in it stays text (ux 1, preview)", () => {
  test("headings, lists, quotes, code, tables and rules", () => {
    const text = [
      "# Read *me*",
      "",
      "Two lines",
      "of one paragraph with `code` and **bold [link](https://example.org)**.",
      "- one",
      "  - inner",
      "- two",
      "",
      "1. first",
      "> said",
      "```",
      "# no heading",
      "```",
      "| a | b |",
      "|---|:-:|",
      "| 1 | 2 |",
      "",
      "---",
    ].join("\n");
    const blocks = parseMarkdown(text);
    expect(blocks.map(({ kind }) => kind)).toEqual([
      "heading",
      "paragraph",
      "list",
      "list",
      "quote",
      "code",
      "table",
      "rule",
    ]);
    expect(blocks[0]).toEqual({
      kind: "heading",
      level: 1,
      parts: [
        { kind: "text", text: "Read " },
        { kind: "em", parts: [{ kind: "text", text: "me" }] },
      ],
    });
    expect(blocks[2]).toMatchObject({ items: [[{ kind: "paragraph" }, { kind: "list" }], [{ kind: "paragraph" }]] });
    expect(blocks[5]).toEqual({ kind: "code", text: "# no heading" });
    expect(linksOf(partsOf(blocks))).toEqual(["https://example.org"]);
  });

  test.each([...vectors, "[x](javascript:alert(1))", "[x](data:text/html,1)", "![x](JaVaScRiPt:alert)", "[x](//evil)"])(
    "only pages and mail are linked: %j",
    (vector) => {
      for (const href of linksOf(partsOf(parseMarkdown(vector)))) expect(href).toMatch(/^(https?:\/\/|mailto:)/i);
    },
  );

  test("any text is read, and quickly", () => {
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
        const text = units.join("");
        const begin = threadMs();
        parseMarkdown(text);
        expect(threadMs() - begin).toBeLessThan(500);
      }),
      { numRuns: 200 },
    );
    expect(parseMarkdown(`${"> ".repeat(5000)}x`)).toHaveLength(1);
  });
});

test.each([
  [[0xef, 0xbb, 0xbf, 0x61], "a"],
  [[0x61, 0xc5], "a"],
  [[0x65, 0xe9, 0x20, 0x62], "eé b"],
  [[], ""],
])("bytes %j are read as %j", (bytes, text) => {
  expect(decodeText(new Uint8Array(bytes))).toBe(text);
});
