import type { Bound, LeafNode, Occur, QueryNode } from "./query-tree.ts";

const SPECIAL = /[\s+\-!(){}[\]^"~*?:\\/<>]/g;
const OPERATOR = /^(?:AND|OR|NOT|TO|&&|\|\|)$/;
const SIGNS: Record<Occur, string> = { should: "", must: "+", must_not: "-" };

/** Writes a tree as a query that parses to the same tree (search 5.1). */
export function printQuery(node: QueryNode): string {
  if (node.type !== "group" || node.boost !== undefined) return printNode(node);
  return printClauses(node);
}

function printClauses(node: QueryNode & { type: "group" }): string {
  return node.clauses.map((clause) => SIGNS[clause.occur] + printNode(clause.node)).join(" ");
}

function printNode(node: QueryNode): string {
  return printBare(node) + (node.boost === undefined ? "" : `^${printNumber(node.boost)}`);
}

const printNumber = (number: number): string => number.toFixed(6).replace(/\.?0+$/, "");

function printBare(node: QueryNode): string {
  switch (node.type) {
    case "all":
      return "*";
    case "text":
      return node.text;
    case "group":
      return `(${printClauses(node)})`;
    case "exists":
      return `_exists_:${escapeWord(node.field)}`;
    default:
      return (node.field === undefined ? "" : `${escapeWord(node.field)}:`) + printItem(node);
  }
}

function printItem(node: Exclude<LeafNode, { type: "exists" }>): string {
  switch (node.type) {
    case "word":
      return escapeWord(node.text);
    case "phrase":
      return `${quote(node.text)}${node.slop === 0 ? "" : `~${node.slop}`}`;
    case "wildcard":
      return node.pattern.replace(/\\[\s\S]|[^*?]/g, (piece) => escapeWord(piece.length > 1 ? piece.slice(1) : piece));
    case "fuzzy":
      return `${escapeWord(node.text)}~${node.distance ?? ""}`;
    case "regex":
      return `/${node.pattern}/`;
    case "range":
      return `${node.lower?.inclusive ? "[" : "{"}${bound(node.lower)} TO ${bound(node.upper)}${node.upper?.inclusive ? "]" : "}"}`;
  }
}

const bound = (value: Bound | undefined): string => (value === undefined ? "*" : quote(value.value));

const quote = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

function escapeWord(text: string): string {
  return OPERATOR.test(text) ? `\\${text}` : text.replace(SPECIAL, "\\$&");
}
