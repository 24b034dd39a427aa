import type { Catalogue, FieldKind } from "../../shared/search/language/field.ts";
import { isTextKind } from "../../shared/search/language/field.ts";
import type { BoundGroup, BoundLeaf, BoundNode } from "../../shared/search/language/query-binding.ts";
import type { LeafTests, NumberTest } from "../../shared/search/language/value-test.ts";
import { defaultKeywordPaths, isFilePath, usagePaths } from "../../shared/search/record-fields.ts";
import { daysField, textFields } from "./index-document.ts";
import { afterPath, numberTerm, pathStart, termOf } from "./index-terms.ts";
import { allOf, anyOf, type EngineQuery, everything, is, nothing, termsIn } from "./query-language.ts";
import { keywordQuery, textQuery } from "./text-query.ts";

export interface Translation {
  catalogue: Catalogue;
  /** The paths that any document has a value in. */
  paths: readonly string[];
  /** Documents whose files the caller may list. */
  readableFiles: EngineQuery;
}

interface Target {
  path: string;
  kind: FieldKind | undefined;
}

/** The documents that match a tree, whoever looks (search 5.2). */
export function translate(node: BoundNode, translation: Translation): EngineQuery {
  switch (node.type) {
    case "all":
      return everything;
    case "nothing":
      return nothing;
    case "group":
      return groupQuery(node, translation);
    case "leaf":
      return leafQuery(node, translation);
  }
}

function groupQuery({ clauses }: BoundGroup, translation: Translation): EngineQuery {
  const queries = (occur: string) =>
    clauses.filter((clause) => clause.occur === occur).map(({ node }) => translate(node, translation));
  const [must, should, excluded] = [queries("must"), queries("should"), queries("must_not")];
  const wanted = must.length === 0 && should.length > 0 ? [anyOf(should)] : must;
  return allOf(distinct(wanted), [anyOf(distinct(excluded))]);
}

/** Long queries repeat themselves, and the engine limits the number of clauses. */
const distinct = (queries: readonly EngineQuery[]): EngineQuery[] => [
  ...new Map(
    queries.map((query) => [query === nothing || query === everything ? query : JSON.stringify(query), query]),
  ).values(),
];

/** The documents that a leaf matches. */
export function leafQuery(leaf: BoundLeaf, translation: Translation): EngineQuery {
  const { tests, target } = leaf;
  if (target.type === "default") return tests ? defaultQuery(tests) : nothing;
  const targets = target.type === "path" ? [target] : matchingTargets(target.matches, translation);
  const [files, others] = [targets.filter(isOfFiles), targets.filter((one) => !isOfFiles(one))];
  return anyOf([targetQuery(others, tests), allOf([targetQuery(files, tests), translation.readableFiles])]);
}

const isOfFiles = ({ path }: Target): boolean => isFilePath(path);

function matchingTargets(matches: (path: string) => boolean, { catalogue, paths }: Translation): Target[] {
  const names = [...new Set([...paths, ...usagePaths])].filter(matches);
  return names.map((path) => ({ path, kind: catalogue.kindOf(path) }));
}

/** The texts and keywords that bare words look in. */
function defaultQuery(tests: LeafTests): EngineQuery {
  const texts = (["text", "joined", "original"] as const).map((kind) =>
    textQuery({ field: textFields[kind], paths: undefined }, tests[kind]),
  );
  return anyOf([...texts, keywordQuery(defaultKeywordPaths, tests.keyword)]);
}

function targetQuery(targets: readonly Target[], tests: LeafTests | undefined): EngineQuery {
  if (targets.length === 0) return nothing;
  const zero = targets.some(({ path }) => usagePaths.includes(path)) && !tests ? [is("kind", "record")] : [];
  if (!tests) {
    const known = targets.filter(({ kind }) => kind !== undefined).map(({ path }) => path);
    return anyOf([termsIn("p", known), ...zero]);
  }
  const of = (kind: FieldKind) => targets.filter((target) => target.kind === kind).map(({ path }) => path);
  const texts = new Map((["text", "joined", "original"] as const).map((kind) => [kind, of(kind)]));
  return anyOf([
    ...[...texts].map(([kind, paths]) => (isTextKind(kind) ? textQuery({ field: "c", paths }, tests[kind]) : nothing)),
    keywordQuery(of("keyword"), tests.keyword),
    tests.boolean === undefined
      ? nothing
      : termsIn(
          "k",
          of("boolean").map((path) => termOf(path, String(tests.boolean))),
        ),
    ...of("number").map((path) => numberQuery(path, "number", tests.number)),
    ...of("time").map((path) => numberQuery(path, "time", tests.time)),
    ...of("days").map((path) => daysQuery(daysField(path), tests.days)),
  ]);
}

function numberQuery(path: string, kind: "number" | "time", test: NumberTest | undefined): EngineQuery {
  if (!test) return nothing;
  const { low, high, isLowOpen, isHighOpen } = test;
  const start = `${pathStart(path)}${kind.charAt(0)}`;
  const from =
    low === Number.NEGATIVE_INFINITY ? { gte: start } : { [isLowOpen ? "gt" : "gte"]: numberTerm(path, kind, low) };
  const to =
    high === Number.POSITIVE_INFINITY
      ? { lt: `${start}~` }
      : { [isHighOpen ? "lt" : "lte"]: numberTerm(path, kind, high) };
  const found: EngineQuery = { range: { v: { ...from, ...to } } };
  return usagePaths.includes(path) && fitsZero(test) ? anyOf([found, neverCounted(path)]) : found;
}

const fitsZero = ({ low, high, isLowOpen, isHighOpen }: NumberTest): boolean =>
  low <= 0 && high >= 0 && !(low === 0 && isLowOpen) && !(high === 0 && isHighOpen);

/** Published records without a count in a path: zeros are not stored. */
const neverCounted = (path: string): EngineQuery =>
  allOf([is("kind", "record")], [{ range: { v: { gte: pathStart(path), lt: afterPath(path) } } }]);

/** Spans of days that overlap with the test. */
export function daysQuery(field: string, test: NumberTest | undefined): EngineQuery {
  if (!test || test.low === Number.POSITIVE_INFINITY || test.high === Number.NEGATIVE_INFINITY) return nothing;
  const { low, high, isLowOpen, isHighOpen } = test;
  const from = Number.isFinite(low) ? { [isLowOpen ? "gt" : "gte"]: low } : {};
  const to = Number.isFinite(high) ? { [isHighOpen ? "lt" : "lte"]: high } : {};
  if (!Number.isFinite(low) && !Number.isFinite(high)) return { exists: { field } };
  return { range: { [field]: { ...from, ...to, relation: "intersects" } } };
}
