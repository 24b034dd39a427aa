import type { Bound, Clause, LeafNode, Occur, QueryNode } from "./query-tree.ts";
import { compileRegex } from "./regex.ts";

const NESTING_LIMIT = 100;
const SLOP_LIMIT = 100_000;
const BOOST_LIMIT = 1_000_000_000;

const WHITE = /\s/;
const NOT_IN_WORD = new Set(":^~(){}[]\\");
const NOT_FIRST = new Set(':^~(){}[]/"+-!<>');
const RESERVED = new Set(["AND", "OR", "NOT", "&&", "||"]);

/** The text is not derivable from the grammar. Thrown and caught in this file alone. */
const MALFORMED = Symbol("malformed query");

/** A run of word characters: as written, with escapes kept where a wildcard would be meant, and plainly. */
interface Word {
  raw: string;
  pattern: string;
  text: string;
  isWild: boolean;
}

/**
 * Reads a query (search 5.1, 5.2). Never fails: what the grammar does not derive, a range without
 * a field, a broken regex and nesting over 100 come back as one `text` node (search 5.5).
 * Only white space reads as `all`.
 */
export function parseQuery(source: string): QueryNode {
  if (source.trim() === "") return { type: "all" };
  try {
    return new Parser(source).query();
  } catch (problem) {
    if (problem === MALFORMED) return { type: "text", text: source };
    throw problem;
  }
}

class Parser {
  readonly source: string;
  at = 0;

  constructor(source: string) {
    this.source = source;
  }

  query(): QueryNode {
    const node = this.clauses(undefined, 0);
    if (this.at < this.source.length) throw MALFORMED;
    return node;
  }

  private peek(): string {
    return this.source.charAt(this.at);
  }

  private blanks(): void {
    while (this.at < this.source.length && WHITE.test(this.peek())) this.at += 1;
  }

  private take(symbol: string): boolean {
    if (this.peek() !== symbol) return false;
    this.at += 1;
    return true;
  }

  private clauses(field: string | undefined, depth: number): QueryNode {
    if (depth > NESTING_LIMIT) throw MALFORMED;
    const list: Clause[] = [];
    let joinedByAnd = false;
    for (;;) {
      const clause = this.clause(field, depth);
      const before = list.at(-1);
      if (joinedByAnd && before) {
        before.occur = required(before.occur);
        clause.occur = required(clause.occur);
      }
      list.push(clause);
      this.blanks();
      if (this.at >= this.source.length || this.peek() === ")") return groupOf(list);
      joinedByAnd = this.connector() === "and";
    }
  }

  private connector(): "and" | "or" | undefined {
    const start = this.at;
    const raw = NOT_FIRST.has(this.peek()) ? "" : this.word().raw;
    if (raw === "AND" || raw === "&&") return "and";
    if (raw === "OR" || raw === "||") return "or";
    this.at = start;
    return undefined;
  }

  private clause(field: string | undefined, depth: number): Clause {
    this.blanks();
    const occur = this.sign();
    this.blanks();
    return { occur, node: this.operand(field, depth) };
  }

  private sign(): Occur {
    if (this.take("+")) return "must";
    if (this.take("-") || this.take("!")) return "must_not";
    const start = this.at;
    if (this.source.startsWith("NOT", start) && this.word().raw === "NOT") return "must_not";
    this.at = start;
    return "should";
  }

  private operand(inherited: string | undefined, depth: number): QueryNode {
    let field = inherited;
    if (this.startsWord()) {
      const word = this.reservedRefused();
      const end = this.at;
      this.blanks();
      if (!this.take(":")) {
        this.at = end;
        return this.boosted(this.afterWord(word, field));
      }
      field = word.text;
      this.blanks();
    }
    if (!this.take("(")) return this.boosted(this.item(field));
    const group = this.clauses(field, depth + 1);
    this.blanks();
    if (!this.take(")")) throw MALFORMED;
    return this.boosted(group);
  }

  private item(field: string | undefined): QueryNode {
    const symbol = this.peek();
    if (symbol === "[" || symbol === "{") return this.range(field);
    if (symbol === ">" || symbol === "<") return this.compare(field);
    if (symbol === "/") return this.regex(field);
    if (symbol === '"') return this.phrase(field);
    if (!this.startsWord()) throw MALFORMED;
    return this.afterWord(this.reservedRefused(), field);
  }

  private startsWord(): boolean {
    const symbol = this.peek();
    return symbol !== "" && !NOT_FIRST.has(symbol) && !WHITE.test(symbol);
  }

  private reservedRefused(): Word {
    const word = this.word();
    if (RESERVED.has(word.raw)) throw MALFORMED;
    return word;
  }

  private word(): Word {
    const { source } = this;
    const start = this.at;
    let pattern = "";
    let text = "";
    let isWild = false;
    while (this.at < source.length) {
      let symbol = source.charAt(this.at);
      if (symbol === "\\") {
        this.at += 1;
        symbol = source.charAt(this.at);
        if (symbol === "") throw MALFORMED;
        pattern += "*?\\".includes(symbol) ? `\\${symbol}` : symbol;
      } else {
        const isEnd = NOT_IN_WORD.has(symbol) || WHITE.test(symbol);
        if (isEnd && !(symbol === ":" && this.isInTime(start))) break;
        if (symbol === "*" || symbol === "?") isWild = true;
        pattern += symbol;
      }
      text += symbol;
      this.at += 1;
    }
    if (text === "") throw MALFORMED;
    return { raw: source.slice(start, this.at), pattern, text, isWild };
  }

  /** Whether the colon belongs to a time of day with its zone: 2024-05-14T10:20:30+01:00. */
  private isInTime(start: number): boolean {
    const before = this.source.slice(Math.max(start, this.at - 40), this.at);
    const after = this.source.slice(this.at + 1, this.at + 3);
    return /T\d\d(:\d\d)?$|T\d\d:\d\d(:\d\d(\.\d+)?)?[+-]\d\d$/.test(before) && /^\d\d$/.test(after);
  }

  private afterWord(word: Word, field: string | undefined): QueryNode {
    const isFuzzy = this.take("~");
    const distance = isFuzzy ? this.number() : undefined;
    if (field === "_exists_") return { type: "exists", field: word.text };
    if (word.isWild) return wildcard(word.pattern, field);
    if (!isFuzzy) return leaf({ type: "word", text: word.text }, field);
    const limit = distance === undefined ? {} : { distance: Math.min(2, Math.floor(distance)) };
    return leaf({ type: "fuzzy", text: word.text, ...limit }, field);
  }

  private number(): number | undefined {
    const digits = /\d+(\.\d+)?/y;
    digits.lastIndex = this.at;
    const found = digits.exec(this.source)?.[0];
    if (found === undefined) return undefined;
    this.at += found.length;
    return Number(found);
  }

  private boosted(node: QueryNode): QueryNode {
    if (!this.take("^")) return node;
    this.blanks();
    const number = this.number();
    if (number === undefined) throw MALFORMED;
    const boost = Math.round(Math.min(number, BOOST_LIMIT) * 1e6) / 1e6;
    if (node.boost !== undefined) return { type: "group", clauses: [{ occur: "should", node }], boost };
    return boost === 1 ? node : { ...node, boost };
  }

  private quoted(): string {
    this.at += 1;
    let text = "";
    for (;;) {
      let symbol = this.peek();
      this.at += 1;
      if (symbol === '"') return text;
      if (symbol === "\\") {
        symbol = this.peek();
        this.at += 1;
      }
      if (symbol === "") throw MALFORMED;
      text += symbol;
    }
  }

  private phrase(field: string | undefined): QueryNode {
    const text = this.quoted();
    let slop = 0;
    if (this.take("~")) {
      const digits = this.number();
      if (digits === undefined || !Number.isInteger(digits)) throw MALFORMED;
      slop = Math.min(digits, SLOP_LIMIT);
    }
    if (field === "_exists_") return { type: "exists", field: text };
    return leaf({ type: "phrase", text, slop }, field);
  }

  private regex(field: string | undefined): QueryNode {
    const found = /\/((?:[^/\\]|\\[\s\S])+)\/(?=[\s)^]|$)/y;
    found.lastIndex = this.at;
    const pattern = found.exec(this.source)?.[1];
    if (pattern === undefined || compileRegex(pattern) === undefined) throw MALFORMED;
    this.at += pattern.length + 2;
    return leaf({ type: "regex", pattern }, field);
  }

  private range(field: string | undefined): QueryNode {
    const isFromInclusive = this.peek() === "[";
    this.at += 1;
    const from = this.bound();
    this.blanks();
    if (!this.source.startsWith("TO", this.at) || this.word().raw !== "TO") throw MALFORMED;
    const to = this.bound();
    this.blanks();
    const isToInclusive = this.take("]");
    if (!(isToInclusive || this.take("}")) || field === undefined) throw MALFORMED;
    const lower = from === undefined ? {} : { lower: { value: from, inclusive: isFromInclusive } };
    const upper = to === undefined ? {} : { upper: { value: to, inclusive: isToInclusive } };
    return { type: "range", field, ...lower, ...upper };
  }

  /** A bound; undefined: open. */
  private bound(): string | undefined {
    this.blanks();
    if (this.peek() === '"') return this.quoted();
    if (!this.startsWord() && this.peek() !== "-") throw MALFORMED;
    const word = this.word();
    if (word.raw === "TO") throw MALFORMED;
    return word.raw === "*" ? undefined : word.text;
  }

  private compare(field: string | undefined): QueryNode {
    const isLower = this.peek() === ">";
    this.at += 1;
    const inclusive = this.take("=");
    this.blanks();
    const isQuoted = this.peek() === '"';
    if (!isQuoted && !this.startsWord()) throw MALFORMED;
    const value = isQuoted ? this.quoted() : this.reservedRefused().text;
    if (field === undefined) throw MALFORMED;
    const bound: Bound = { value, inclusive };
    return isLower ? { type: "range", field, lower: bound } : { type: "range", field, upper: bound };
  }
}

const required = (occur: Occur): Occur => (occur === "must_not" ? occur : "must");

/** One clause that is not excluded is no group: `(a)` and `+a` are `a`. */
function groupOf(clauses: Clause[]): QueryNode {
  const only = clauses.length === 1 ? clauses[0] : undefined;
  return only && only.occur !== "must_not" ? only.node : { type: "group", clauses };
}

function wildcard(pattern: string, field: string | undefined): QueryNode {
  if (!/^\*+$/.test(pattern)) return leaf({ type: "wildcard", pattern }, field);
  return field === undefined || field === "*" ? { type: "all" } : { type: "exists", field };
}

function leaf<T extends LeafNode>(node: T, field: string | undefined): QueryNode {
  return field === undefined ? node : { ...node, field };
}
