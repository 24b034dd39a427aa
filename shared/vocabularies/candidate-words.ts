import { fold, tokensOf } from "../search/analysis.ts";
import type { GroupNode, QueryNode } from "../search/query-tree.ts";
import { compileWildcard } from "../search/wildcard.ts";

const quoted = (token: string): string => `"${token.replaceAll('"', '""')}"`;
const joined = (parts: string[], operator: "AND" | "OR"): string | undefined =>
  parts.length === 0 ? undefined : `(${parts.join(` ${operator} `)})`;

function groupWords({ clauses }: GroupNode): string | undefined {
  const required = clauses.filter(({ occur }) => occur === "must").map(({ node }) => candidateWords(node));
  const known = required.filter((part) => part !== undefined);
  if (required.length > 0) return joined(known, "AND");
  const optional = clauses.filter(({ occur }) => occur === "should").map(({ node }) => candidateWords(node));
  return optional.includes(undefined) ? undefined : joined(optional as string[], "OR");
}

/**
 * An FTS5 expression that finds at least what a query matches, so that the matcher sees few entries; undefined when
 * every entry has to be looked at.
 */
export function candidateWords(node: QueryNode): string | undefined {
  switch (node.type) {
    case "group":
      return groupWords(node);
    case "word":
    case "text":
      return joined(tokensOf(node.text).map(quoted), "OR");
    case "phrase":
      return joined(tokensOf(node.text).map(quoted), "AND");
    case "wildcard": {
      const { prefix, isPrefix } = compileWildcard(node.pattern, fold);
      return isPrefix && tokensOf(prefix).length === 1 ? `${quoted(prefix)}*` : undefined;
    }
    default:
      return undefined;
  }
}

/** The FTS5 expression of a suggestion: all words as prefixes. Undefined when there is no word. */
export function suggestedWords(text: string): string | undefined {
  return joined(
    tokensOf(text).map((token) => `${quoted(token)}*`),
    "AND",
  );
}
