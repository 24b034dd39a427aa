import { fold, foldOriginal, joinedFormsOf, originalTokensOf, tokensOf } from "./analysis.ts";
import { daysOf, daysOfBound, instantsOf, type Span } from "./date-values.ts";
import { automaticDistance, withinDistance } from "./edit-distance.ts";
import { compareCodePoints } from "./field.ts";
import { letterMask, type MaskTest } from "./letter-mask.ts";
import type { Bound, LeafNode, RangeNode } from "./query-tree.ts";
import { compileRegex } from "./regex.ts";
import type { RegexTree } from "./regex-parser.ts";
import { compileWildcard, wildcardTree } from "./wildcard.ts";

/** What a scan looks for, as data: an engine with its own list of words translates it. Undefined tree: nothing. */
export type ScanPattern =
  | { type: "regex"; tree: RegexTree | undefined }
  | { type: "near"; words: readonly string[]; distance: number | undefined }
  | { type: "range"; lower?: Bound; upper?: Bound };

/** Tests each token or each whole value. All matches begin with `prefix`; with `isPrefix` that is the whole test. */
export interface ScanTest {
  type: "scan";
  prefix: string;
  isPrefix: boolean;
  /** Decides most words before `matches`. */
  letters?: MaskTest;
  /** Absent where only lists in memory are searched. */
  pattern?(): ScanPattern;
  matches(value: string): boolean;
}

export type TextTest =
  | { type: "tokens"; any: string[] }
  | { type: "phrase"; tokens: string[]; slop: number }
  | ScanTest;

export type KeywordTest =
  | { type: "equals"; any: string[] }
  | { type: "range"; lower?: Bound; upper?: Bound }
  | ScanTest;

/** `low <= value <= high`; an open end excludes its own value. Spans: any overlap. */
export interface NumberTest {
  low: number;
  high: number;
  isLowOpen: boolean;
  isHighOpen: boolean;
}

/** The tests of one leaf for values of each kind; undefined: no value of that kind matches (search 5.3). */
export interface LeafTests {
  text: TextTest | undefined;
  joined: TextTest | undefined;
  original: TextTest | undefined;
  keyword: KeywordTest | undefined;
  address: KeywordTest | undefined;
  number: NumberTest | undefined;
  boolean: boolean | undefined;
  time: NumberTest | undefined;
  days: NumberTest | undefined;
  /** The text of the leaf has no token: on text fields the clause is dropped (search 5.2). */
  isBlank: boolean;
}

type ValueNode = Exclude<LeafNode, { type: "exists" }>;

/** The tests of a leaf. `now` is in microseconds; `hasPrefixWords` as in the catalogue. */
export function testsOf(node: ValueNode, now: number, hasPrefixWords = false): LeafTests {
  switch (node.type) {
    case "word":
      return { ...plainTests(node.text, now), ...wordTexts(node.text, hasPrefixWords) };
    case "phrase":
      return { ...plainTests(node.text, now), ...phraseTexts(node.text, node.slop) };
    case "range":
      return rangeTests(node, now);
    case "wildcard":
      return scanTests(node.pattern, (folded) => {
        const { prefix, isPrefix, literal, matches } = compileWildcard(node.pattern, folded);
        return {
          type: "scan",
          prefix,
          isPrefix,
          letters: { mask: letterMask(literal), missing: 0, further: 32 },
          pattern: () => ({ type: "regex", tree: wildcardTree(node.pattern, folded) }),
          matches,
        };
      });
    case "regex":
      return scanTests(node.pattern, (folded) => {
        const regex = compileRegex(node.pattern, folded);
        return {
          type: "scan",
          prefix: regex?.prefix ?? "",
          isPrefix: false,
          pattern: () => ({ type: "regex", tree: regex?.tree }),
          matches: regex?.matches ?? (() => false),
        };
      });
    case "fuzzy":
      return fuzzyTests(node.text, node.distance);
  }
}

/** The tests of a whole query handled as plain text (search 5.5): any token, any word on keywords. */
export function textTests(text: string, now: number, hasPrefixWords = false): LeafTests {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const tests = wordTexts(text, hasPrefixWords);
  const folded = words.map(fold).filter((word) => Array.from(word).length > 1);
  return {
    ...plainTests(text, now),
    ...tests,
    keyword: { type: "equals", any: [...new Set([...words, ...tokensOf(text)])] },
    address: scan((value) => folded.some((word) => fold(value).startsWith(word))),
  };
}

const isPlain = (text: string): boolean => fold(text) === foldOriginal(text);

const hasToken = (text: string): boolean => tokensOf(text).length > 0;

const scan = (matches: (value: string) => boolean): ScanTest => ({
  type: "scan",
  prefix: "",
  isPrefix: false,
  matches,
});

function plainTests(text: string, now: number) {
  const folded = fold(text);
  const isLongEnough = Array.from(folded).length > 1;
  const number = numberOf(text);
  const instants = instantsOf(text, now);
  return {
    keyword: { type: "equals", any: [text] } satisfies KeywordTest,
    address: scan((value) => fold(value) === folded || (isLongEnough && fold(value).startsWith(folded))),
    number: number === undefined ? undefined : closed(number, number),
    boolean: booleanOf(text),
    time: instants && closed(instants.first, instants.last),
    days: spanTest(daysOf(text) ?? daysOfBound(text, now)),
    isBlank: !hasToken(text),
  };
}

function wordTexts(text: string, hasPrefixWords: boolean) {
  const tokens = [...new Set(tokensOf(text))];
  const joined = [...new Set([...tokens, ...joinedFormsOf(text)])];
  const original = [...new Set(originalTokensOf(text))];
  if (hasPrefixWords) {
    return { text: prefixes(tokens), joined: prefixes(joined), original: prefixes(original) };
  }
  return {
    text: { type: "tokens", any: tokens } satisfies TextTest,
    joined: { type: "tokens", any: joined } satisfies TextTest,
    original: { type: "tokens", any: original } satisfies TextTest,
  };
}

function prefixes(words: string[]): TextTest {
  return scan((token) =>
    words.some((word) => token === word || (Array.from(word).length > 1 && token.startsWith(word))),
  );
}

function phraseTexts(text: string, slop: number) {
  const of = (tokens: string[]): TextTest =>
    tokens.length === 1 ? { type: "tokens", any: tokens } : { type: "phrase", tokens, slop };
  return { text: of(tokensOf(text)), joined: of(tokensOf(text)), original: of(originalTokensOf(text)) };
}

/** Where folding accents changes nothing, `original` is the same object as `text`. */
function scanTests(source: string, make: (folded: (text: string) => string) => ScanTest): LeafTests {
  const text = make(fold);
  const keyword = make((value) => value);
  const address = make((value) => value.toLowerCase());
  return {
    text,
    joined: text,
    original: isPlain(source) ? text : make(foldOriginal),
    keyword,
    address: { ...address, matches: (value) => address.matches(value.toLowerCase()) },
    number: undefined,
    boolean: undefined,
    time: undefined,
    days: undefined,
    isBlank: false,
  };
}

/** Text matches near any token of the word or its joined form; keywords match near the whole word. */
function fuzzyTests(word: string, distance: number | undefined): LeafTests {
  const near = (words: string[]): ScanTest => ({
    ...anyOf(words.map((one) => fuzzyTest(one, distance))),
    pattern: () => ({ type: "near", words, distance }),
  });
  const [tokens, joined] = [tokensOf(word), joinedFormsOf(word)];
  const text = near(tokens);
  return {
    ...scanTests(word, (folded) => fuzzyTest(folded(word), distance)),
    text,
    joined: joined.length === 0 ? text : near([...tokens, ...joined]),
    original: isPlain(word) ? text : near(originalTokensOf(word)),
    isBlank: tokens.length === 0,
  };
}

const anyOf = (tests: ScanTest[]): ScanTest =>
  tests.length === 1 && tests[0] ? tests[0] : scan((token) => tests.some(({ matches }) => matches(token)));

function fuzzyTest(word: string, distance: number | undefined): ScanTest {
  const limit = distance ?? automaticDistance(word);
  // One edit takes away at most one letter and adds at most one.
  return {
    ...scan(withinDistance(word, limit)),
    letters: { mask: letterMask(word), missing: limit, further: limit },
    pattern: () => ({ type: "near", words: [word], distance }),
  };
}

function rangeTests({ lower, upper }: RangeNode, now: number): LeafTests {
  const over = (folded: (text: string) => string): KeywordTest & { type: "range" } => ({
    type: "range",
    ...(lower && { lower: { ...lower, value: folded(lower.value) } }),
    ...(upper && { upper: { ...upper, value: folded(upper.value) } }),
  });
  const tokenScan = (folded: (text: string) => string): TextTest => {
    const range = over(folded);
    return { ...scan((token) => isInRange(token, range)), pattern: () => range };
  };
  const text = tokenScan(fold);
  return {
    text,
    joined: text,
    original: isPlain(`${lower?.value}${upper?.value}`) ? text : tokenScan(foldOriginal),
    keyword: over((value) => value),
    address: over((value) => value.toLowerCase()),
    number: halves(lower, upper, (value) => numberSpan(value)),
    boolean: undefined,
    time: halves(lower, upper, (value) => instantsOf(value, now)),
    days: overlap(halves(lower, upper, (value) => daysOfBound(value, now))),
    isBlank: false,
  };
}

/** Whether a string lies between two bounds, by code point. */
export function isInRange(value: string, { lower, upper }: { lower?: Bound; upper?: Bound }): boolean {
  if (lower) {
    const order = compareCodePoints(value, lower.value);
    if (order < 0 || (order === 0 && !lower.inclusive)) return false;
  }
  if (!upper) return true;
  const order = compareCodePoints(value, upper.value);
  return order < 0 || (order === 0 && upper.inclusive);
}

/** `>=` and `<` read the first instant of a value, `<=` and `>` the last (search 5.3). */
function halves(
  lower: Bound | undefined,
  upper: Bound | undefined,
  read: (value: string) => Span | undefined,
): NumberTest | undefined {
  const from = lower && read(lower.value);
  const to = upper && read(upper.value);
  if ((lower && !from) || (upper && !to)) return undefined;
  return {
    low: from ? (lower?.inclusive ? from.first : from.last) : Number.NEGATIVE_INFINITY,
    high: to ? (upper?.inclusive ? to.last : to.first) : Number.POSITIVE_INFINITY,
    isLowOpen: lower?.inclusive === false,
    isHighOpen: upper?.inclusive === false,
  };
}

/** A range of days that holds no day overlaps with nothing. */
function overlap(test: NumberTest | undefined): NumberTest | undefined {
  if (!test) return undefined;
  const days = test.high - Number(test.isHighOpen) - (test.low + Number(test.isLowOpen));
  return days < 0 ? closed(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY) : test;
}

/** Whether a value or a span of values fits. */
export function isWithin(test: NumberTest, first: number, last = first): boolean {
  const isAbove = test.isLowOpen ? last > test.low : last >= test.low;
  return isAbove && (test.isHighOpen ? first < test.high : first <= test.high);
}

const closed = (low: number, high: number): NumberTest => ({ low, high, isLowOpen: false, isHighOpen: false });

const spanTest = (span: Span | undefined): NumberTest | undefined => span && closed(span.first, span.last);

function numberSpan(text: string): Span | undefined {
  const number = numberOf(text);
  return number === undefined ? undefined : { first: number, last: number };
}

const numberOf = (text: string): number | undefined =>
  /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/.test(text) ? Number(text) : undefined;

function booleanOf(text: string): boolean | undefined {
  if (text === "true") return true;
  return text === "false" ? false : undefined;
}
