import type { Db } from "../database/open.ts";
import { Bitset } from "./bitset.ts";
import type { Catalogue, FieldKind } from "./field.ts";
import { isTextKind } from "./field.ts";
import { presenceToken, separator } from "./index-tokens.ts";
import { isSloppyMatch } from "./phrase.ts";
import type { BoundLeaf, BoundNode } from "./query-binding.ts";
import type { Occur } from "./query-tree.ts";
import { defaultKeywordPaths, isFilePath, textColumns } from "./record-fields.ts";
import {
  keywordDocs,
  keywordRangeDocs,
  keywordsOf,
  numberDocs,
  spanDocs,
  textDocs,
  textRowsPage,
} from "./record-matcher.repository.ts";
import {
  anyOf,
  defaultPlaces,
  directExpression,
  nearExpression,
  type PhraseTest,
  placesOf,
  type TextPlace,
} from "./text-expression.ts";
import { breathe } from "./time-slice.ts";
import type { LeafTests, ScanTest } from "./value-test.ts";
import { matchingTokens } from "./vocabulary.ts";

const keywordPageSize = 4000;
// The engine looks at every alternative for every row, so many small questions beat a large one.
const expansionSize = 32;
const textPageSize = 200;

/** A leaf that has been looked up: a full-text expression, found documents, or both together. */
export interface PlannedLeaf {
  type: "leaf";
  expression: string | undefined;
  found: Bitset | undefined;
  boost: number;
}

export interface PlannedGroup {
  type: "group";
  clauses: { occur: Occur; node: PlannedNode }[];
  boost: number;
}

/** A tree of which only full-text expressions are left to be asked. */
export type PlannedNode = { type: "all"; boost: number } | { type: "nothing" } | PlannedGroup | PlannedLeaf;

export interface MatchContext {
  db: Db;
  catalogue: Catalogue;
  /** Numbers of the paths that any document has. */
  paths: ReadonlyMap<string, number>;
  /** Documents whose files the caller may list. */
  hasReadableFiles: () => Bitset;
}

/** Looks up every leaf of a tree. */
export async function planQuery(node: BoundNode, context: MatchContext): Promise<PlannedNode> {
  if (node.type === "all" || node.type === "nothing") return node;
  if (node.type === "leaf") return planLeaf(node, context);
  const clauses: PlannedGroup["clauses"] = [];
  for (const { occur, node: inner } of node.clauses) clauses.push({ occur, node: await planQuery(inner, context) });
  return { type: "group", clauses, boost: node.boost };
}

interface Target {
  path: string;
  id: number | undefined;
  kind: FieldKind | undefined;
}

function targetsOf(leaf: BoundLeaf, { catalogue, paths }: MatchContext): Target[] {
  const { target } = leaf;
  if (target.type === "path") return [{ path: target.path, id: paths.get(target.path), kind: target.kind }];
  const names = target.type === "pattern" ? [...paths.keys()].filter(target.matches) : defaultKeywordPaths;
  return names.map((path) => ({ path, id: paths.get(path), kind: catalogue.kindOf(path) }));
}

async function planLeaf(leaf: BoundLeaf, context: MatchContext): Promise<PlannedLeaf> {
  const found = new Bitset();
  const targets = targetsOf(leaf, context);
  const expressions: string[] = [];
  const places = leaf.target.type === "default" && leaf.tests ? defaultPlaces(leaf.tests) : [];
  for (const { path, id, kind } of targets) {
    if (leaf.tests) places.push(...placesOf(path, kind, id, leaf.tests));
    else if (id !== undefined && kind !== undefined && isTextKind(kind)) expressions.push(`"${presenceToken(id)}"`);
    if (id !== undefined) await findValues({ path, id, kind }, leaf.tests, context, found);
  }
  for (const place of places) {
    const expression = directExpression(place) ?? (await expand(place, context, found));
    if (expression !== undefined) expressions.push(expression);
  }
  return {
    type: "leaf",
    boost: leaf.boost,
    expression: expressions.length === 0 ? undefined : `(${expressions.join(" OR ")})`,
    found: found.isEmpty ? undefined : found,
  };
}

/** Adds the documents in which a keyword, number, boolean or date of one path fits. */
async function findValues(
  { path, id, kind }: Target & { id: number },
  tests: LeafTests | undefined,
  context: MatchContext,
  found: Bitset,
): Promise<void> {
  const own = new Bitset();
  await findAllValues({ id, kind }, tests, context, (doc) => own.add(doc));
  found.or(isFilePath(path) ? own.and(context.hasReadableFiles()) : own);
}

const everyNumber = { low: -Infinity, high: Infinity, isLowOpen: false, isHighOpen: false };

async function findAllValues(
  { id, kind }: { id: number; kind: FieldKind | undefined },
  tests: LeafTests | undefined,
  { db }: MatchContext,
  each: (doc: number) => void,
): Promise<void> {
  switch (kind) {
    case "keyword":
    case "address": {
      const test = tests ? tests[kind] : { type: "range" as const };
      if (test?.type === "equals") await keywordDocs(db, [id], test.any, each);
      else if (test?.type === "range") await keywordRangeDocs(db, id, test, each);
      else if (test) await scanKeywords(db, id, test, each);
      return;
    }
    case "boolean":
      if (!tests) await keywordDocs(db, [id], ["true", "false"], each);
      else if (tests.boolean !== undefined) await keywordDocs(db, [id], [String(tests.boolean)], each);
      return;
    case "number":
    case "time":
    case "days": {
      const test = tests ? tests[kind] : everyNumber;
      if (test) await (kind === "days" ? spanDocs : numberDocs)(db, id, test, each);
    }
  }
}

async function scanKeywords(db: Db, path: number, test: ScanTest, each: (doc: number) => void): Promise<void> {
  for (let after = ""; ; ) {
    const words = await keywordsOf(db, path, test.prefix, after, keywordPageSize);
    await keywordDocs(db, [path], words.filter(test.matches), each);
    const last = words.at(-1);
    if (last === undefined || words.length < keywordPageSize) return;
    after = last;
    await breathe();
  }
}

/**
 * Answers a test that full text has no word for: patterns by the vocabulary, sloppy phrases by the texts. Few tokens
 * come back as an expression; of many, the documents are added to `found`.
 */
async function expand(place: TextPlace, { db }: MatchContext, found: Bitset): Promise<string | undefined> {
  if (place.test.type === "phrase") {
    await findSloppy(place, place.test, db, found);
    return undefined;
  }
  if (place.test.type !== "scan") return undefined;
  const tokens = await matchingTokens(db, place.test);
  const limited = (some: readonly string[]) => {
    const direct = directExpression({ ...place, test: { type: "tokens", any: [...some] } });
    return direct ?? anyOf(some, place.code);
  };
  if (tokens.length === 0) return undefined;
  if (tokens.length <= expansionSize) return limited(tokens);
  for (let at = 0; at < tokens.length; at += expansionSize) {
    await textDocs(db, limited(tokens.slice(at, at + expansionSize)), (doc) => found.add(doc));
    await breathe();
  }
  return undefined;
}

async function findSloppy(place: TextPlace, test: PhraseTest, db: Db, found: Bitset): Promise<void> {
  const expression = nearExpression(place, test);
  const wanted = test.tokens.map((token) => place.code + token);
  const all = [...textColumns.map((_, at) => `c${at}`), "coded"];
  const columns = place.columns === "all" ? all : place.columns.map((at) => `c${at}`);
  for (let after = -1; ; ) {
    const rows = await textRowsPage(db, expression, after, textPageSize);
    for (const row of rows) {
      after = row.doc;
      const values = columns.flatMap((name) => String(row[name]).split(` ${separator} `));
      if (values.some((value) => isSloppyMatch(value.split(" "), wanted, test.slop))) found.add(row.doc);
    }
    if (rows.length < textPageSize) return;
    await breathe();
  }
}
