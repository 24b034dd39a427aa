import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseQuery } from "../../shared/search/language/query-parser.ts";
import { printQuery } from "../../shared/search/language/query-printer.ts";
import type { Bound, QueryNode } from "../../shared/search/language/query-tree.ts";
import { queryTree } from "../support/query-arbitrary.ts";
import { queryTable } from "./query-table.ts";

const SIGNS = { should: "", must: "+", must_not: "-" };

/** The short writing of query-table.ts. */
function short(node: QueryNode): string {
  const boost = node.boost === undefined ? "" : `^${node.boost}`;
  if (node.type === "all") return `*${boost}`;
  if (node.type === "text") return "TEXT";
  if (node.type === "exists") return `?${node.field}${boost}`;
  if (node.type === "group") {
    return `(${node.clauses.map((clause) => SIGNS[clause.occur] + short(clause.node)).join(" ")})${boost}`;
  }
  return (node.field === undefined ? "" : `${node.field}=`) + item(node) + boost;
}

function item(node: Exclude<QueryNode, { type: "all" | "text" | "exists" | "group" }>): string {
  const value = (bound: Bound | undefined) => bound?.value ?? "*";
  switch (node.type) {
    case "word":
      return /^[-*(/"]/.test(node.text) ? `'${node.text}'` : node.text;
    case "phrase":
      return `"${node.text}"${node.slop ? `~${node.slop}` : ""}`;
    case "wildcard":
      return `<${node.pattern}>`;
    case "fuzzy":
      return `${node.text}~${node.distance ?? ""}`;
    case "regex":
      return `/${node.pattern}/`;
    case "range":
      return `${node.lower?.inclusive ? "[" : "{"}${value(node.lower)},${value(node.upper)}${node.upper?.inclusive ? "]" : "}"}`;
  }
}

describe("the query parser (search 5)", () => {
  test("the table holds at least 300 queries, none twice", () => {
    expect(queryTable.length).toBeGreaterThanOrEqual(300);
    expect(new Set(queryTable.map(([query]) => query)).size).toBe(queryTable.length);
  });

  test.each(queryTable)("%s reads as %s (search 5.1, 5.2, 5.5)", (query, tree) => {
    const node = parseQuery(query);
    expect(short(node)).toBe(tree);
    if (node.type === "text") expect(node.text).toBe(query);
  });

  test("nesting over 100 is plain text, 100 is not (search 5.5)", () => {
    expect(parseQuery("(".repeat(100) + "a".concat(")".repeat(100)))).toEqual({ type: "word", text: "a" });
    expect(parseQuery("(".repeat(101) + "a".concat(")".repeat(101))).type).toBe("text");
    expect(parseQuery("(".repeat(100_000)).type).toBe("text");
  });

  test("a tree printed and parsed is the same tree", () => {
    fc.assert(
      fc.property(queryTree, (tree) => {
        expect(parseQuery(printQuery(tree))).toEqual(tree);
      }),
      { numRuns: 2000, seed: 5 },
    );
  });

  test("what is parsed prints to something that parses alike", () => {
    for (const [query] of queryTable) {
      const tree = parseQuery(query);
      expect(parseQuery(printQuery(tree))).toEqual(tree);
    }
  });

  test("any string parses without throwing", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(...'+-!(){}[]^"~*?:\\/<> ab'.split(""), "AND", "NOT", " TO "),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        expect(parseQuery(pieces.join(""))).toHaveProperty("type");
      }),
      { numRuns: 2000, seed: 6 },
    );
  });

  test.each(["(", '"', "a:", "[", "/", "\\", "a AND ", "-", "a ", "T10:", "/a*/ ", "((((a))))", "a^", "f:[a TO b] "])(
    "800 KB of %s are parsed, however deep; the steps are counted in linear-work.test.ts",
    (piece) => {
      expect(parseQuery(piece.repeat(Math.floor(819_200 / piece.length)))).toHaveProperty("type");
    },
  );
});
