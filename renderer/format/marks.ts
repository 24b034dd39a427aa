import { fold, joinedFormsOf, placedTokens, tokensOf } from "../../shared/search/language/analysis.ts";
import { parseQuery } from "../../shared/search/language/query-parser.ts";
import type { QueryNode } from "../../shared/search/language/query-tree.ts";

/** A search term: adjacent tokens, in one field or in all. */
interface Sought {
  field: string | undefined;
  tokens: ((token: string) => boolean)[];
}

/** A part of a text, marked if it matches. */
export interface MarkedPart {
  text: string;
  isMarked: boolean;
}

const same = (token: string) => (other: string) => other === token;

function soughtOf(node: QueryNode): Sought[] {
  if (node.type === "group")
    return node.clauses.flatMap(({ occur, node: inner }) => (occur === "must_not" ? [] : soughtOf(inner)));
  const field = "field" in node ? node.field : undefined;
  const each = (tokens: string[]) => tokens.map((token) => ({ field, tokens: [same(token)] }));
  if (node.type === "word") return each([...tokensOf(node.text), ...joinedFormsOf(node.text)]);
  if (node.type === "text") return each(tokensOf(node.text));
  if (node.type === "phrase") return [{ field, tokens: tokensOf(node.text).map(same) }];
  if (node.type === "wildcard") return [{ field, tokens: [wildcardTest(node.pattern)] }];
  return [];
}

function wildcardTest(pattern: string): (token: string) => boolean {
  const source = fold(pattern).replace(/\\(.)|([*?])|[.+^${}()|[\]\\]/g, (sign, literal: string, wild: string) => {
    if (wild) return wild === "*" ? ".*" : ".";
    return `\\${literal ?? sign}`;
  });
  const expression = new RegExp(`^(?:${source})$`, "s");
  return (token) => expression.test(token);
}

/** `metadata.title` also matches `metadata.title.original:x` and `metadata.*:x`. */
function concerns(sought: string | undefined, field: string): boolean {
  if (sought === undefined) return true;
  const plain = sought.replaceAll("\\", "");
  if (plain.endsWith("*")) return field.startsWith(plain.slice(0, -1));
  return plain === field || plain.startsWith(`${field}.`);
}

/** Finds the matches of a query in shown texts, with the analysis of the search itself (search 4). */
export class Marker {
  readonly #sought: Sought[];

  constructor(query: string) {
    const tree = parseQuery(query);
    this.#sought = tree.type === "all" ? [] : soughtOf(tree).filter(({ tokens }) => tokens.length > 0);
  }

  /** Ranges to mark, in order and without overlap. */
  placesIn(text: string, field: string): { start: number; end: number }[] {
    const sought = this.#sought.filter((one) => concerns(one.field, field));
    if (sought.length === 0) return [];
    const tokens = placedTokens(text);
    const found: { start: number; end: number }[] = [];
    for (const [at, first] of tokens.entries()) {
      const lengths = sought
        .filter((one) => one.tokens.every((test, step) => test(tokens[at + step]?.token ?? "")))
        .map((one) => one.tokens.length);
      if (lengths.length === 0) continue;
      const end = tokens[at + Math.max(...lengths) - 1]?.end ?? first.end;
      const before = found.at(-1);
      if (before && before.end >= first.start) before.end = Math.max(before.end, end);
      else found.push({ start: first.start, end });
    }
    return found.length > 0 ? found : this.#joinedPlaces(text, sought);
  }

  /** `openscience` finds `open-science`: marks the whole word. */
  #joinedPlaces(text: string, sought: Sought[]): { start: number; end: number }[] {
    const single = sought.flatMap(({ tokens }) => (tokens.length === 1 ? tokens : []));
    return [...text.matchAll(/\S+/g)]
      .filter(([word]) => joinedFormsOf(word).some((form) => single.some((test) => test(form))))
      .map(({ 0: word, index }) => ({ start: index, end: index + word.length }));
  }

  /** Splits a text into marked and plain parts. */
  parts(text: string, field: string): MarkedPart[] {
    const parts: MarkedPart[] = [];
    let at = 0;
    for (const { start, end } of this.placesIn(text, field)) {
      if (start > at) parts.push({ text: text.slice(at, start), isMarked: false });
      parts.push({ text: text.slice(start, end), isMarked: true });
      at = end;
    }
    if (at < text.length) parts.push({ text: text.slice(at), isMarked: false });
    return parts;
  }

  /** Text around the first match, in parts; undefined without a match. */
  snippet(text: string, field: string, around = 90): MarkedPart[] | undefined {
    const first = this.placesIn(text, field)[0];
    if (!first) return undefined;
    const from = first.start <= around ? 0 : text.indexOf(" ", first.start - around) + 1;
    const begin = from > first.start ? first.start : from;
    const cut = text.slice(begin, begin + around * 3);
    const parts = this.parts(cut, field);
    return begin > 0 ? [{ text: "… ", isMarked: false }, ...parts] : parts;
  }
}
