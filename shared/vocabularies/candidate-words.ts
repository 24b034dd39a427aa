import { fold, tokensOf } from "../search/language/analysis.ts";
import type { GroupNode, QueryNode } from "../search/language/query-tree.ts";
import { compileWildcard } from "../search/language/wildcard.ts";

/** Words that a candidate entry must have. */
export type Words = { token: string; isPrefix: boolean } | { all: Words[] } | { any: Words[] };

const whole = (token: string): Words => ({ token, isPrefix: false });
const begun = (token: string): Words => ({ token, isPrefix: true });
const allOf = (parts: Words[]): Words | undefined => (parts.length > 1 ? { all: parts } : parts[0]);
const anyOf = (parts: Words[]): Words | undefined => (parts.length > 1 ? { any: parts } : parts[0]);

function groupWords({ clauses }: GroupNode): Words | undefined {
  const required = clauses.filter(({ occur }) => occur === "must").map(({ node }) => candidateWords(node));
  if (required.length > 0) return allOf(required.filter((part) => part !== undefined));
  const optional = clauses.filter(({ occur }) => occur === "should").map(({ node }) => candidateWords(node));
  return optional.includes(undefined) ? undefined : anyOf(optional.filter((part) => part !== undefined));
}

/**
 * The words that every match of a query must have, to reduce the entries for the matcher; undefined when every entry is
 * a candidate.
 */
export function candidateWords(node: QueryNode): Words | undefined {
  switch (node.type) {
    case "group":
      return groupWords(node);
    case "word":
    case "text":
      return anyOf(tokensOf(node.text).map(whole));
    case "phrase":
      return allOf(tokensOf(node.text).map(whole));
    case "wildcard": {
      const { prefix, isPrefix } = compileWildcard(node.pattern, fold);
      return isPrefix && tokensOf(prefix).length === 1 ? begun(prefix) : undefined;
    }
    default:
      return undefined;
  }
}

/** The words of a suggestion, all as prefixes. Undefined without words. */
export const suggestedWords = (text: string): Words | undefined => allOf([...new Set(tokensOf(text))].map(begun));

/** The words as an FTS5 expression. */
export function matchExpression(words: Words): string {
  if ("all" in words) return `(${words.all.map(matchExpression).join(" AND ")})`;
  if ("any" in words) return `(${words.any.map(matchExpression).join(" OR ")})`;
  return `"${words.token.replaceAll('"', '""')}"${words.isPrefix ? "*" : ""}`;
}
