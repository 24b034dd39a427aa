import { type FieldKind, isTextKind } from "../language/field.ts";
import type { LeafTests, TextTest } from "../language/value-test.ts";
import { textColumns } from "../record-fields.ts";
import { codeOf, ownColumnOf } from "./index-tokens.ts";

/** Where a text test looks: in some columns of `search_text` (`all`: every one but `coded`), or at tokens with a code. */
export interface TextPlace {
  columns: readonly number[] | "all";
  /** The prefix of every token; empty for columns. */
  code: string;
  test: TextTest;
}

/** All columns. Tokens in `coded` cannot match, because each has a code. */
const everywhere = { columns: "all", code: "" } as const;
/** The column of `metadata.title`. */
const inTitles = {
  columns: [textColumns.findIndex(({ path }) => path === "metadata.title")],
  code: "",
} as const;

/** The places that bare words look in; one place where all tests are the same. */
export function defaultPlaces(tests: LeafTests): TextPlace[] {
  const { text, joined, original } = tests;
  if (!text || !joined || !original) return [];
  if (isSame(text, joined) && isSame(text, original)) return [{ ...everywhere, test: text }];
  const of = (kind: string) => textColumns.flatMap((column, at) => (column.kind === kind ? [at] : []));
  return [
    { columns: of("text"), code: "", test: text },
    { columns: of("joined"), code: "", test: joined },
    { columns: of("original"), code: "", test: original },
  ];
}

/** The place of one path; `pathId` is undefined when no document has it. */
export function placesOf(
  path: string,
  kind: FieldKind | undefined,
  pathId: number | undefined,
  tests: LeafTests,
): TextPlace[] {
  const test = kind !== undefined && isTextKind(kind) ? tests[kind] : undefined;
  if (test === undefined) return [];
  const column = ownColumnOf(path);
  if (column !== undefined) return [{ columns: [column], code: "", test }];
  return pathId === undefined ? [] : [{ columns: "all", code: codeOf(pathId), test }];
}

function isSame(left: TextTest, right: TextTest): boolean {
  if (left === right) return true;
  if (left.type === "scan" || right.type === "scan") return false;
  const wordsOf = (test: typeof left) => (test.type === "tokens" ? [...test.any].sort() : test.tokens).join(" ");
  return left.type === right.type && wordsOf(left) === wordsOf(right);
}

/** The engine checks every alternative for every row, so many small queries are quicker than a large one. */
export const alternativesAtOnce = 32;

export type PhraseTest = TextTest & { type: "phrase" };

/** Limits an expression to the columns of a place. */
export function within(place: Pick<TextPlace, "columns">, expression: string): string {
  if (place.columns === "all") return expression;
  return `({${place.columns.map((at) => `c${at}`).join(" ")}} : (${expression}))`;
}

/** The tokens one after the other. No token holds a quote, so nothing has to be escaped. */
export const sideBySide = (tokens: readonly string[], code: string): string =>
  `"${tokens.map((token) => code + token).join(" ")}"`;

/** One of the tokens. */
export const anyOf = (tokens: readonly string[], code: string): string =>
  `(${tokens.map((token) => sideBySide([token], code)).join(" OR ")})`;

/** The characters of tokens. None has a meaning in the syntax of the full-text engine. */
const isTokenText = /^[\p{L}\p{N}\p{M}_'’.,]+$/u;

/** The engine has an index of prefixes up to this length. The vocabulary finds the words of longer ones. */
const indexedPrefix = 3;

/** An expression for each of the tokens. */
export const eachOf = (place: TextPlace, tokens: readonly string[]): string[] =>
  tokens.map((token) => within(place, anyOf([token], place.code)));

/** Expressions of which one matches where the test does; undefined: the test needs the vocabulary or the texts. */
export function directExpressions(place: TextPlace): string[] | undefined {
  const { test, code } = place;
  if (test.type === "tokens") return eachOf(place, test.any);
  if (test.type === "scan") {
    return test.isPrefix && test.prefix.length <= indexedPrefix && isTokenText.test(test.prefix)
      ? [within(place, `${sideBySide([test.prefix], code)} *`)]
      : undefined;
  }
  return test.slop === 0 ? [within(place, sideBySide(test.tokens, code))] : undefined;
}

/** The places that hold titles, limited to titles. */
export const titlePlaces = (places: readonly TextPlace[]): TextPlace[] =>
  places
    .filter(({ columns }) => columns === "all" || inTitles.columns.every((at) => columns.includes(at)))
    .map((place) => ({ ...place, ...inTitles }));

/** Finds at least what the sloppy phrase matches. */
export function nearExpression(place: TextPlace, { tokens, slop }: PhraseTest): string {
  const words = tokens.map((token) => sideBySide([token], place.code)).join(" ");
  return within(place, `NEAR(${words}, ${slop + tokens.length})`);
}
