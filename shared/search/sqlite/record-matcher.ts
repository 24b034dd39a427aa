import type { Db } from "../../database/open.ts";
import { Slices, yieldToEventLoop } from "../../kernel/time-slice.ts";
import type { Catalogue, FieldKind } from "../language/field.ts";
import { isTextKind } from "../language/field.ts";
import { nextCandidate } from "../language/letter-mask.ts";
import { isSloppyMatch } from "../language/phrase.ts";
import type { BoundLeaf, BoundNode } from "../language/query-binding.ts";
import type { Occur } from "../language/query-tree.ts";
import type { LeafTests, ScanTest } from "../language/value-test.ts";
import { defaultKeywordPaths, isFilePath, textColumns, usagePaths } from "../record-fields.ts";
import { Bitset } from "./bitset.ts";
import { presenceToken, separator } from "./index-tokens.ts";
import {
  keywordDocs,
  keywordRangeDocs,
  keywordsOf,
  numberDocs,
  spanDocs,
  textDocs,
  textRows,
  usedKeywords,
} from "./record-matcher.repository.ts";
import { flag, type RecordValues } from "./record-values.ts";
import {
  alternativesAtOnce,
  anyOf,
  defaultPlaces,
  directExpressions,
  eachOf,
  nearExpression,
  type PhraseTest,
  placesOf,
  sideBySide,
  type TextPlace,
  titlePlaces,
  within,
} from "./text-expression.ts";
import type { TextSearch } from "./text-search.ts";
import { matchingTokens } from "./vocabulary.ts";

const keywordPageSize = 4000;
const textPageSize = 200;

/** A leaf that has been looked up: it matches where one of the expressions does, and the documents in `found`. */
export interface PlannedLeaf {
  type: "leaf";
  expressions: string[];
  found: Bitset | undefined;
  /** The same expressions within titles, for bare words. They affect the score alone. */
  inTitles: string[];
  /** The engine ranks words quickly. For a phrase it would compare positions again, and a pattern stands for many words. */
  isOfWords: boolean;
  /** For a word with several tokens: each token, and all of them side by side. They affect the score alone. */
  parts: string[];
  boost: number;
}

export interface PlannedGroup {
  type: "group";
  clauses: { occur: Occur; node: PlannedNode }[];
  boost: number;
}

/** A tree whose leaves are looked up: only the full-text expressions are left to query. */
export type PlannedNode = { type: "all"; boost: number } | { type: "nothing" } | PlannedGroup | PlannedLeaf;

export interface MatchContext {
  db: Db;
  catalogue: Catalogue;
  /** Numbers of the paths that any document has. */
  paths: ReadonlyMap<string, number>;
  /** Holds the ids of records and drafts: there are too many to read them from the index. */
  values: Pick<RecordValues, "ids" | "idMasks" | "flags">;
  texts: TextSearch;
  /** Documents whose files the caller may list. */
  hasReadableFiles: () => Bitset;
}

/** Looks up every leaf of a tree. */
export async function planQuery(node: BoundNode, context: MatchContext, slices = new Slices()): Promise<PlannedNode> {
  await slices.next();
  if (node.type === "all" || node.type === "nothing") return node;
  if (node.type === "leaf") return planLeaf(node, context);
  const clauses: PlannedGroup["clauses"] = [];
  for (const { occur, node: inner } of node.clauses)
    clauses.push({ occur, node: await planQuery(inner, context, slices) });
  return { type: "group", clauses, boost: node.boost };
}

interface Target {
  path: string;
  id: number | undefined;
  kind: FieldKind | undefined;
}

function targetsOf(leaf: BoundLeaf, { catalogue, paths }: MatchContext): Target[] {
  const { target } = leaf;
  const idOf = (path: string) => paths.get(path) ?? (usagePaths.includes(path) ? unusedPath : undefined);
  if (target.type === "path") return [{ path: target.path, id: idOf(target.path), kind: target.kind }];
  const names =
    target.type === "pattern"
      ? [...new Set([...paths.keys(), ...usagePaths])].filter(target.matches)
      : defaultKeywordPaths;
  return names.map((path) => ({ path, id: idOf(path), kind: catalogue.kindOf(path) }));
}

/** The number of a path in which no document has a value. */
const unusedPath = -1;

type KnownTarget = Target & { id: number };

async function planLeaf(leaf: BoundLeaf, context: MatchContext): Promise<PlannedLeaf> {
  const { tests } = leaf;
  const found = new Bitset();
  const targets = targetsOf(leaf, context);
  const known = targets.filter((target): target is KnownTarget => target.id !== undefined);
  const words = tests?.keyword?.type === "equals" ? tests.keyword.any : undefined;
  const isEqual = ({ kind }: Target) => words !== undefined && kind === "keyword";
  if (words) await findEqual(known.filter(isEqual), words, context, found);
  for (const target of known) if (!isEqual(target)) await findValues(target, tests, context, found);
  const expressions: string[] = [];
  const places = textPlaces(leaf, targets);
  const titles: string[] = [];
  for (const place of places) expressions.push(...(await expressionsOf(place, context, found)));
  if (leaf.target.type === "default") {
    for (const place of titlePlaces(places)) titles.push(...(directExpressions(place) ?? []));
  }
  if (!tests) {
    const texts = known.filter(({ kind }) => kind !== undefined && isTextKind(kind));
    expressions.push(...texts.map(({ id }) => `"${presenceToken(id)}"`));
  }
  return {
    type: "leaf",
    boost: leaf.boost,
    expressions,
    found: found.isEmpty ? undefined : found,
    inTitles: titles,
    isOfWords: places.length > 0 && places.every(({ test }) => test.type === "tokens"),
    parts: places.flatMap(partsOf),
  };
}

function partsOf(place: TextPlace): string[] {
  const { test, code } = place;
  if (test.type !== "tokens" || test.any.length < 2 || test.any.length > alternativesAtOnce) return [];
  const before = test.any.slice(0, -1);
  const words = test.any.at(-1) === before.join("") ? before : test.any;
  return [...words.map((token) => within(place, anyOf([token], code))), within(place, sideBySide(words, code))];
}

function textPlaces({ target, tests }: BoundLeaf, targets: readonly Target[]): TextPlace[] {
  if (!tests) return [];
  const places = targets.flatMap(({ path, kind, id }) => placesOf(path, kind, id, tests));
  return target.type === "default" ? [...defaultPlaces(tests), ...places] : places;
}

/** Adds the documents that have one of the words as a keyword in one of the paths. */
async function findEqual(
  targets: readonly KnownTarget[],
  words: readonly string[],
  { db, hasReadableFiles }: MatchContext,
  found: Bitset,
): Promise<void> {
  const ids = targets.map(({ id }) => id);
  const hidden = new Set(targets.filter(({ path }) => isFilePath(path)).map(({ id }) => id));
  for (const { path, word } of await usedKeywords(db, ids, words)) {
    const own = new Bitset();
    await keywordDocs(db, path, word, (doc) => own.add(doc));
    found.or(hidden.has(path) ? own.and(hasReadableFiles()) : own);
  }
}

/** Adds the documents in which a keyword, number, boolean or date of one path fits. */
async function findValues(
  { path, id, kind }: KnownTarget,
  tests: LeafTests | undefined,
  context: MatchContext,
  found: Bitset,
): Promise<void> {
  const own = new Bitset();
  const test = path === "id" ? tests?.keyword : undefined;
  if (test?.type === "scan" && test.prefix === "") await scanIds(context.values, test, own);
  else await findAllValues({ id, kind }, tests, context, own);
  if (usagePaths.includes(path) && fitsZero(tests)) own.or(await neverCounted(id, context));
  found.or(isFilePath(path) ? own.and(context.hasReadableFiles()) : own);
}

function fitsZero(tests: LeafTests | undefined): boolean {
  if (!tests) return true;
  if (!tests.number) return false;
  const { low, high, isLowOpen, isHighOpen } = tests.number;
  return low <= 0 && high >= 0 && !(low === 0 && isLowOpen) && !(high === 0 && isHighOpen);
}

/** Published records without a count in a path. */
async function neverCounted(path: number, { db, values }: MatchContext): Promise<Bitset> {
  const records = new Bitset(values.flags.length);
  const published = flag.live | flag.draft;
  for (let doc = 0; doc < values.flags.length; doc += 1) {
    if (((values.flags[doc] ?? 0) & published) === flag.live) records.add(doc);
  }
  const counted = new Bitset();
  await numberDocs(db, path, everyNumber, (doc) => counted.add(doc));
  return records.andNot(counted);
}

const everyNumber = { low: -Infinity, high: Infinity, isLowOpen: false, isHighOpen: false };

async function findAllValues(
  { id, kind }: { id: number; kind: FieldKind | undefined },
  tests: LeafTests | undefined,
  { db }: MatchContext,
  own: Bitset,
): Promise<void> {
  const each = (doc: number): void => own.add(doc);
  switch (kind) {
    case "keyword":
    case "address": {
      const test = tests ? tests[kind] : { type: "range" as const };
      if (test?.type === "range") await keywordRangeDocs(db, id, test, each);
      else if (test?.type === "scan") await scanKeywords(db, id, test, each);
      return;
    }
    case "boolean":
      for (const value of [true, false]) {
        if (!tests || tests.boolean === value) await keywordDocs(db, id, String(value), each);
      }
      return;
    case "number":
    case "time":
    case "days": {
      const test = tests ? tests[kind] : everyNumber;
      if (test) await (kind === "days" ? spanDocs : numberDocs)(db, id, test, each);
    }
  }
}

const idsAtOnce = 4096;

async function scanIds({ ids, idMasks }: MatchContext["values"], test: ScanTest, found: Bitset): Promise<void> {
  const slices = new Slices();
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const until = Math.min(from + idsAtOnce, ids.length);
    const likely = (at: number): number => (test.letters ? nextCandidate(test.letters, idMasks, at, until) : at);
    for (let doc = likely(from); doc < until; doc = likely(doc + 1)) {
      const id = ids[doc];
      if (id !== undefined && test.matches(id)) found.add(doc);
    }
    await slices.next();
  }
}

async function scanKeywords(db: Db, path: number, test: ScanTest, each: (doc: number) => void): Promise<void> {
  for (let after = ""; ; ) {
    const words = await keywordsOf(db, path, test.prefix, after, keywordPageSize);
    for (const word of words.filter(test.matches)) await keywordDocs(db, path, word, each);
    const last = words.at(-1);
    if (last === undefined || words.length < keywordPageSize) return;
    after = last;
    await yieldToEventLoop();
  }
}

/** The expressions for one place. The vocabulary resolves patterns; sloppy phrases are found in the texts right away. */
async function expressionsOf(place: TextPlace, { db, texts }: MatchContext, found: Bitset): Promise<readonly string[]> {
  const direct = directExpressions(place);
  if (direct) return direct;
  if (place.test.type === "scan") return eachOf(place, await matchingTokens(db, place.test));
  if (place.test.type === "phrase") await findSloppy(place, place.test, texts, found);
  return [];
}

/** The columns of its tokens: the last one for tokens with a code, all others for tokens without. */
function columnsOf({ columns, code }: TextPlace): readonly number[] {
  if (columns !== "all") return columns;
  return code === "" ? [...textColumns.keys()] : [textColumns.length];
}

async function findSloppy(place: TextPlace, test: PhraseTest, texts: TextSearch, found: Bitset): Promise<void> {
  const isEverywhere = place.columns === "all" && place.code === "";
  if (isEverywhere && (await texts.addSloppy(test.tokens, test.slop, found))) return;
  const { db } = texts;
  const expression = nearExpression(place, test);
  const wanted = test.tokens.map((token) => place.code + token);
  const columns = columnsOf(place);
  const near: number[] = [];
  await textDocs(db, expression, (doc) => near.push(doc));
  for (let from = 0; from < near.length; from += textPageSize) {
    for (const row of await textRows(db, near.slice(from, from + textPageSize), columns)) {
      const own = columns
        .map((at) => String(row[`c${at}`]))
        .filter((text) => wanted.every((one) => text.includes(one)));
      const values = own.flatMap((text) => text.split(` ${separator} `));
      if (values.some((value) => isSloppyMatch(value.split(" "), wanted, test.slop))) found.add(row.doc);
    }
    await yieldToEventLoop();
  }
}
