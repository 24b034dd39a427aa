import { joinedFormsOf, originalTokensOf, tokensOf } from "../language/analysis.ts";
import type { Catalogue, FieldValue } from "../language/field.ts";
import { isTextKind } from "../language/field.ts";
import { isSloppyMatch } from "../language/phrase.ts";
import type { BoundGroup, BoundLeaf, BoundNode } from "../language/query-binding.ts";
import { isInRange, isWithin, type KeywordTest, type LeafTests, type TextTest } from "../language/value-test.ts";

/** A value with its analysis. */
interface Analysed {
  value: FieldValue;
  /** In order, without joined forms. */
  tokens: string[];
  joined: string[];
}

/** A document that was analysed once, for many searches. */
export interface AnalysedDocument {
  values: readonly Analysed[];
}

/** Analyses the values of a document (search 4). */
export function analysed(values: readonly FieldValue[]): AnalysedDocument {
  return {
    values: values.map((value) => ({
      value,
      tokens: isTextKind(value.kind) ? tokensIn(value) : [],
      joined: value.kind === "joined" ? joinedFormsOf(value.value) : [],
    })),
  };
}

function tokensIn(value: FieldValue): string[] {
  const text = String(value.value);
  return value.kind === "original" ? originalTokensOf(text) : tokensOf(text);
}

/** The score of a document; undefined: no match. For lists small enough to be read whole. */
export function scoreOf(node: BoundNode, document: AnalysedDocument, catalogue: Catalogue): number | undefined {
  switch (node.type) {
    case "all":
      return node.boost;
    case "nothing":
      return undefined;
    case "group":
      return groupScore(node, document, catalogue);
    case "leaf":
      return leafScore(node, document, catalogue);
  }
}

function groupScore(group: BoundGroup, document: AnalysedDocument, catalogue: Catalogue): number | undefined {
  let score = 0;
  let needsOne = true;
  let hasOne = false;
  for (const { occur, node } of group.clauses) {
    const found = scoreOf(node, document, catalogue);
    if (occur === "must_not" ? found !== undefined : occur === "must" && found === undefined) return undefined;
    if (occur === "must") needsOne = false;
    if (found === undefined || occur === "must_not") continue;
    score += found;
    hasOne = true;
  }
  const hasOptional = group.clauses.some(({ occur }) => occur === "should");
  return needsOne && hasOptional && !hasOne ? undefined : score * group.boost;
}

function leafScore(leaf: BoundLeaf, document: AnalysedDocument, catalogue: Catalogue): number | undefined {
  let best: number | undefined;
  for (const item of document.values) {
    if (!isTargeted(leaf, item.value.path, catalogue) || !fits(leaf.tests, item)) continue;
    const weight = catalogue.defaultWeight(item.value.path) ?? 1;
    best = Math.max(best ?? 0, weight * (1 + 1 / Math.sqrt(item.tokens.length + 1)));
  }
  return best === undefined ? undefined : best * leaf.boost;
}

function isTargeted({ target }: BoundLeaf, path: string, catalogue: Catalogue): boolean {
  if (target.type === "path") return target.path === path;
  return target.type === "pattern" ? target.matches(path) : catalogue.defaultWeight(path) !== undefined;
}

function fits(tests: LeafTests | undefined, { value, tokens, joined }: Analysed): boolean {
  if (tests === undefined) return true;
  switch (value.kind) {
    case "text":
    case "original":
      return fitsText(tests[value.kind], tokens, []);
    case "joined":
      return fitsText(tests.joined, tokens, joined);
    case "keyword":
    case "address":
      return fitsKeyword(tests[value.kind], value.value);
    case "boolean":
      return tests.boolean === value.value;
    case "number":
    case "time": {
      const test = tests[value.kind];
      return test !== undefined && isWithin(test, value.value);
    }
    case "days":
      return tests.days !== undefined && isWithin(tests.days, value.value.first, value.value.last);
  }
}

function fitsText(test: TextTest | undefined, tokens: readonly string[], joined: readonly string[]): boolean {
  if (test === undefined) return false;
  if (test.type === "phrase") return isSloppyMatch(tokens, test.tokens, test.slop);
  if (test.type === "scan") return tokens.some(test.matches) || joined.some(test.matches);
  return test.any.some((token) => tokens.includes(token) || joined.includes(token));
}

function fitsKeyword(test: KeywordTest | undefined, value: string): boolean {
  if (test === undefined) return false;
  if (test.type === "range") return isInRange(value, test);
  return test.type === "equals" ? test.any.includes(value) : test.matches(value);
}
