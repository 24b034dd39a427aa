import type { KeywordTest, ScanTest, TextTest } from "../../shared/search/language/value-test.ts";
import { valueGap } from "./index-mapping.ts";
import { afterPath, cut, pathStart, termOf } from "./index-terms.ts";
import { literal, nearPattern, nearWord, needsPattern, regexPattern } from "./lucene-pattern.ts";
import { anyOf, type EngineQuery, nothing, termsIn } from "./query-language.ts";

/** A field of the engine, and the paths whose terms are wanted there; undefined: its terms have no path. */
export interface TermPlace {
  field: string;
  paths: readonly string[] | undefined;
}

/** Patterns of people grow to at most so many states. */
const maxStates = 50_000;

const startsOf = ({ paths }: TermPlace): readonly string[] => paths?.map(pathStart) ?? [""];

const withStart = (place: TermPlace, values: readonly string[]): string[] =>
  startsOf(place).flatMap((start) => values.map((value) => start + cut(value)));

/** The documents in which a text fits the test. */
export function textQuery(place: TermPlace, test: TextTest | undefined): EngineQuery {
  if (test === undefined || place.paths?.length === 0) return nothing;
  if (test.type === "tokens") return termsIn(place.field, withStart(place, test.any));
  if (test.type === "scan") return scanQuery(place, test);
  return anyOf(startsOf(place).map((start) => phraseQuery(place.field, start, test.tokens, test.slop)));
}

/** Tokens side by side, or near each other, in one value. */
export function phraseQuery(field: string, start: string, tokens: readonly string[], slop: number): EngineQuery {
  if (tokens.length === 0) return nothing;
  const query = tokens.map((token) => start + cut(token)).join(" ");
  return { match_phrase: { [field]: { query, slop: Math.min(slop, valueGap - 1), analyzer: "tokens" } } };
}

/** The documents in which a keyword fits the test. */
export function keywordQuery(paths: readonly string[], test: KeywordTest | undefined): EngineQuery {
  if (test === undefined || paths.length === 0) return nothing;
  if (test.type === "equals")
    return termsIn(
      "k",
      paths.flatMap((path) => test.any.map((value) => termOf(path, value))),
    );
  const place = { field: "k", paths };
  return test.type === "scan" ? scanQuery(place, test) : rangeQuery(place, test);
}

function scanQuery(place: TermPlace, test: ScanTest): EngineQuery {
  if (test.isPrefix) {
    return anyOf(
      startsOf(place).map((start): EngineQuery => ({ prefix: { [place.field]: { value: start + test.prefix } } })),
    );
  }
  const pattern = test.pattern?.();
  if (pattern === undefined) throw new Error("a test of words has no pattern");
  if (pattern.type === "range") return rangeQuery(place, pattern);
  if (pattern.type === "regex") return pattern.tree ? patternQuery(place, regexPattern(pattern.tree)) : nothing;
  return anyOf(pattern.words.map((word) => nearQuery(place, word, pattern.distance)));
}

function patternQuery({ field, paths }: TermPlace, pattern: string): EngineQuery {
  const start = paths === undefined ? "" : `(${paths.map((path) => literal(pathStart(path))).join("|")})`;
  const value = `${start}(${pattern})`;
  return { regexp: { [field]: { value, flags: "NONE", max_determinized_states: maxStates } } };
}

function nearQuery(place: TermPlace, text: string, given: number | undefined): EngineQuery {
  const near = nearWord(text, given);
  if (near.distance === 0) return termsIn(place.field, withStart(place, [text]));
  if (needsPattern(near)) return patternQuery(place, nearPattern(near));
  return anyOf(
    startsOf(place).map(
      (start): EngineQuery => ({
        fuzzy: {
          [place.field]: {
            value: start + text,
            fuzziness: near.distance,
            prefix_length: Array.from(start).length,
            max_expansions: 50,
            transpositions: true,
            // Without it only the best expansions would match.
            rewrite: "constant_score",
          },
        },
      }),
    ),
  );
}

/** Terms between two bounds, by code point as everywhere. */
function rangeQuery(place: TermPlace, { lower, upper }: KeywordTest & { type: "range" }): EngineQuery {
  return anyOf(
    (place.paths ?? []).map((path): EngineQuery => {
      const start = pathStart(path);
      const from = lower ? { [lower.inclusive ? "gte" : "gt"]: start + cut(lower.value) } : { gte: start };
      const to = upper ? { [upper.inclusive ? "lte" : "lt"]: start + cut(upper.value) } : { lt: afterPath(path) };
      return { range: { [place.field]: { ...from, ...to } } };
    }),
  );
}
