import {
  fold,
  foldOriginal,
  joinedFormsOf,
  originalTokensOf,
  tokensOf,
} from "../../shared/search/language/analysis.ts";
import { daysOf, daysOfBound, instantsOf, type Span } from "../../shared/search/language/date-values.ts";
import type { Catalogue, FieldKind, FieldValue } from "../../shared/search/language/field.ts";
import type { LeafNode, QueryNode, RangeNode } from "../../shared/search/language/query-tree.ts";

/**
 * Evaluates a tree on the field values of one document, slowly and as the contract words it (search 5). Shares the
 * analysis and the reading of dates with the product, which have tables of their own, and nothing else.
 */
export class Oracle {
  readonly catalogue: Catalogue;
  readonly now: number;

  constructor(catalogue: Catalogue, now: number) {
    this.catalogue = catalogue;
    this.now = now;
  }

  /** Whether the document matches. Throws `mistyped` where the answer is 400. */
  matches(tree: QueryNode, source: string, values: readonly FieldValue[]): boolean {
    const hidden = leavesOf(tree).some(
      (leaf) => leaf.type !== "exists" && leaf.field && this.catalogue.isHidden(leaf.field),
    );
    const text: QueryNode = { type: "text", text: source };
    for (const leaf of leavesOf(hidden ? text : tree)) this.#check(leaf);
    return this.#node(hidden ? text : tree, values) === true;
  }

  /** Undefined: the clause is dropped. */
  #node(node: QueryNode, values: readonly FieldValue[]): boolean | undefined {
    if (node.type === "all") return true;
    if (node.type === "text") {
      const words = [...node.text.split(/\s+/).filter(Boolean), ...tokensOf(node.text)];
      if (tokensOf(node.text).length === 0) return undefined;
      return values.some((value) => {
        if (this.catalogue.defaultWeight(value.path) === undefined) return false;
        if (value.kind === "keyword") return words.includes(value.value);
        return textWord(node.text, value);
      });
    }
    if (node.type !== "group") return this.#leaf(node, values);
    const results = node.clauses
      .map(({ occur, node: inner }) => ({ occur, result: this.#node(inner, values) }))
      .filter(({ result }) => result !== undefined);
    if (results.length === 0) return undefined;
    const of = (occur: string) =>
      results.filter((clause) => clause.occur === occur).map(({ result }) => result === true);
    if (of("must_not").includes(true) || of("must").includes(false)) return false;
    return of("must").length > 0 || of("should").length === 0 || of("should").includes(true);
  }

  #leaf(node: LeafNode, values: readonly FieldValue[]): boolean | undefined {
    if (node.type === "exists") {
      if (this.catalogue.isHidden(node.field)) return false;
      const parts = (path: string) => path.split(".").map((_, index, all) => all.slice(0, index + 1).join("."));
      return values.some(({ path }) => parts(path).some((prefix) => named(node.field, prefix)));
    }
    if (this.#isDropped(node)) return undefined;
    return values.some((value) => this.#isAsked(node.field, value.path) && this.#fits(node, value));
  }

  #isAsked(field: string | undefined, path: string): boolean {
    return field === undefined ? this.catalogue.defaultWeight(path) !== undefined : named(field, path);
  }

  #isDropped(node: LeafNode): boolean {
    if (node.type !== "word" && node.type !== "phrase" && node.type !== "fuzzy") return false;
    if (tokensOf(node.text).length > 0) return false;
    if (node.field === undefined || node.field.includes("*")) return true;
    return ["text", "joined", "original"].includes(this.catalogue.kindOf(node.field) ?? "");
  }

  /** A field of a kind that the value cannot be of. */
  #check(node: QueryNode): void {
    if (node.type === "group" || node.type === "all" || node.type === "text" || node.type === "exists") return;
    if (node.field === undefined || node.field.includes("*")) return;
    const kind = this.catalogue.kindOf(node.field);
    const strict: (FieldKind | undefined)[] = ["number", "boolean", "time", "days"];
    if (!strict.includes(kind)) return;
    const texts =
      node.type === "word" || node.type === "phrase"
        ? [node.text]
        : node.type === "range" && kind !== "boolean"
          ? [node.lower, node.upper].flatMap((bound) => (bound ? [bound.value] : []))
          : undefined;
    if (!texts?.every((text) => this.#isOfKind(text, kind, node.type))) throw new Error("mistyped");
  }

  #isOfKind(text: string, kind: FieldKind | undefined, type: string): boolean {
    if (kind === "number") return text !== "" && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
    if (kind === "boolean") return text === "true" || text === "false";
    if (kind === "time") return instantsOf(text, this.now) !== undefined;
    return daysOfBound(text, this.now) !== undefined || (type !== "range" && daysOf(text) !== undefined);
  }

  #fits(node: Exclude<LeafNode, { type: "exists" }>, value: FieldValue): boolean {
    switch (value.kind) {
      case "keyword":
      case "address":
        return keywordFits(node, value.value);
      case "boolean":
        return (node.type === "word" || node.type === "phrase") && node.text === String(value.value);
      case "number":
        return this.#inSpan(node, value.value, value.value, (text) => {
          if (!this.#isOfKind(text, "number", "word")) return undefined;
          return { first: Number(text), last: Number(text) };
        });
      case "time":
        return this.#inSpan(node, value.value, value.value, (text) => instantsOf(text, this.now));
      case "days":
        return (
          (node.type !== "range" || this.#holdsDays(node)) &&
          this.#inSpan(node, value.value.first, value.value.last, (text) =>
            node.type === "range" ? daysOfBound(text, this.now) : (daysOf(text) ?? daysOfBound(text, this.now)),
          )
        );
      default:
        return textFits(node, value);
    }
  }

  #holdsDays({ lower, upper }: RangeNode): boolean {
    const [from, to] = [lower, upper].map((bound) => bound && daysOfBound(bound.value, this.now));
    if (!from || !to) return true;
    return (lower?.inclusive ? from.first : from.last + 1) <= (upper?.inclusive ? to.last : to.first - 1);
  }

  #inSpan(node: LeafNode, first: number, last: number, read: (text: string) => Span | undefined): boolean {
    if (node.type === "word" || node.type === "phrase") {
      const span = read(node.text);
      return span !== undefined && first <= span.last && last >= span.first;
    }
    if (node.type !== "range") return false;
    const lower = node.lower && read(node.lower.value);
    const upper = node.upper && read(node.upper.value);
    if ((node.lower && !lower) || (node.upper && !upper)) return false;
    if (lower && (node.lower?.inclusive ? last < lower.first : last <= lower.last)) return false;
    return !(upper && (node.upper?.inclusive ? first > upper.last : first >= upper.first));
  }
}

function leavesOf(node: QueryNode): LeafNode[] {
  if (node.type === "group") return node.clauses.flatMap((clause) => leavesOf(clause.node));
  return node.type === "all" || node.type === "text" ? [] : [node];
}

/** A star stands for any names. */
function named(field: string, path: string): boolean {
  return new RegExp(`^${field.split("*").map(literal).join(".*")}$`, "s").test(path);
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

interface Text {
  kind: FieldKind;
  value: unknown;
}

const orderedTokens = ({ kind, value }: Text): string[] =>
  kind === "original" ? originalTokensOf(String(value)) : tokensOf(String(value));
const allTokens = (text: Text): string[] => [
  ...orderedTokens(text),
  ...(text.kind === "joined" ? joinedFormsOf(String(text.value)) : []),
];

function textWord(word: string, text: Text): boolean {
  const wanted = allTokens({ kind: text.kind, value: word });
  return allTokens(text).some((token) => wanted.includes(token));
}

function textFits(node: Exclude<LeafNode, { type: "exists" }>, text: Text): boolean {
  const folded = text.kind === "original" ? foldOriginal : fold;
  switch (node.type) {
    case "word":
      return textWord(node.text, text);
    case "fuzzy": {
      const near = allTokens({ kind: text.kind, value: node.text }).map((word) =>
        patternOf({ ...node, text: word }, (same) => same),
      );
      return allTokens(text).some((token) => near.some((isNear) => isNear(token)));
    }
    case "phrase": {
      const wanted = orderedTokens({ kind: text.kind, value: node.text });
      if (wanted.length === 1) return allTokens(text).includes(wanted[0] ?? "");
      return standsTogether(orderedTokens(text), wanted, node.slop);
    }
    case "range":
      return allTokens(text).some((token) => inRange(node, token, folded));
    default:
      return allTokens(text).some(patternOf(node, folded));
  }
}

function keywordFits(node: Exclude<LeafNode, { type: "exists" }>, value: string): boolean {
  if (node.type === "word" || node.type === "phrase") return value === node.text;
  if (node.type === "range") return inRange(node, value, (text) => text);
  return patternOf(node, (text) => text)(value);
}

function patternOf(
  node: Exclude<LeafNode, { type: "exists" | "word" | "phrase" | "range" }>,
  folded: (text: string) => string,
): (value: string) => boolean {
  if (node.type === "fuzzy") {
    const word = folded(node.text);
    const length = [...word].length;
    const limit = node.distance ?? (length <= 2 ? 0 : length <= 5 ? 1 : 2);
    return (value) => distance(word, value) <= limit;
  }
  if (node.type === "regex") {
    const regex = new RegExp(`^(?:${folded(node.pattern)})$`, "su");
    return (value) => regex.test(value);
  }
  const pieces = node.pattern.match(/\\[\s\S]|[*?]|[^\\*?]+/g) ?? [];
  const source = pieces.map((piece) => {
    if (piece === "*") return ".*";
    if (piece === "?") return ".";
    return literal(folded(piece.startsWith("\\") ? piece.slice(1) : piece));
  });
  const regex = new RegExp(`^${source.join("")}$`, "su");
  return (value) => regex.test(value);
}

function inRange({ lower, upper }: RangeNode, value: string, folded: (text: string) => string): boolean {
  const order = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (lower) {
    const compared = order(value, folded(lower.value));
    if (compared < 0 || (compared === 0 && !lower.inclusive)) return false;
  }
  if (!upper) return true;
  const compared = order(value, folded(upper.value));
  return compared < 0 || (compared === 0 && upper.inclusive);
}

/** Every way of giving each word of the phrase a place of its own. */
function standsTogether(tokens: readonly string[], wanted: readonly string[], slop: number): boolean {
  const place = (index: number, used: number[]): boolean => {
    if (index === wanted.length) {
      const starts = used.map((at, word) => at - word);
      return Math.max(...starts) - Math.min(...starts) <= slop;
    }
    return tokens.some((token, at) => token === wanted[index] && !used.includes(at) && place(index + 1, [...used, at]));
  };
  return wanted.length > 0 && place(0, []);
}

/** Optimal string alignment, the whole table. */
function distance(left: string, right: string): number {
  const [a, b] = [[...left], [...right]];
  const table: number[][] = Array.from({ length: a.length + 1 }, (_, i) => [i]);
  const at = (i: number, j: number): number => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let j = 1; j <= b.length; j += 1) table[0]?.push(j);
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const costs = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)];
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) costs.push(at(i - 2, j - 2) + 1);
      table[i]?.push(Math.min(...costs));
    }
  }
  return at(a.length, b.length);
}
