import type { Db } from "../database/open.ts";
import type { Caller } from "../kernel/caller.ts";
import { Slices } from "../kernel/time-slice.ts";
import { dayOf } from "../kernel/timestamps.ts";
import type { CustomFieldDeclaration } from "../records/custom-fields.schema.ts";
import { findShippedEntry } from "../vocabularies/shipped-entries.ts";
import { Bitset } from "./bitset.ts";
import { customKinds } from "./custom-kinds.ts";
import type { Aggregation } from "./facets.ts";
import type { Catalogue } from "./field.ts";
import { findGiven } from "./given.ts";
import { boundRequest } from "./list-search.ts";
import { bestOf, evaluate } from "./record-evaluation.ts";
import { aggregate, type TitleOf } from "./record-facets.ts";
import { recordCatalogue } from "./record-fields.ts";
import { filtered } from "./record-filters.ts";
import { listPaths } from "./record-matcher.repository.ts";
import { type PlannedNode, planQuery } from "./record-matcher.ts";
import { firstBy } from "./record-sorts.ts";
import { flag, type RecordValues, recordValues } from "./record-values.ts";
import type { SearchRequest } from "./search-parameters.ts";
import { textSearchOf } from "./text-search.ts";
import { Visibility } from "./visibility.ts";

export type RecordScope = "published" | "editable";

/** What is asked of the index, as plain data: it travels between threads. */
export interface RecordSearch {
  caller: Caller;
  request: SearchRequest;
  scope: RecordScope;
  /** Only the versions under this parent. */
  parentId?: string;
  /** `Accept-Language` of the call: titles in facets. */
  languages?: string;
  /** Leaves the aggregations out. */
  isUncounted?: boolean;
}

export interface FoundDocuments {
  /** The page, in order. */
  page: { isDraft: boolean; id: string }[];
  total: number;
  aggregations: Record<string, Aggregation>;
}

/** Microseconds UTC, and what the operator declares. */
export interface FinderSettings {
  now: number;
  customFields: readonly CustomFieldDeclaration[];
}

const catalogues = new Map<string, Catalogue>();

function catalogueOf(declarations: readonly CustomFieldDeclaration[]): Catalogue {
  const key = JSON.stringify(declarations);
  const known = catalogues.get(key) ?? recordCatalogue(customKinds(declarations));
  if (catalogues.size > 100) catalogues.clear();
  catalogues.set(key, known);
  return known;
}

/**
 * Finds records and drafts on the index (search 1 to 8).
 * @throws Failure 400 `Invalid query string syntax.` for a mistyped value (search 5.5).
 */
export async function findDocuments(
  db: Db,
  { now, customFields }: FinderSettings,
  search: RecordSearch,
): Promise<FoundDocuments> {
  const { caller, request, scope } = search;
  const slices = new Slices();
  const catalogue = catalogueOf(customFields);
  const bound = boundRequest(request, catalogue, now);
  const values = await recordValues(db);
  const visibility = new Visibility(values, caller, await findGiven(db, caller, dayOf(now)));
  const universe = within(values, universeOf(visibility, request, scope), search.parentId);
  let files: Bitset | undefined;
  const hasReadableFiles = (): Bitset => {
    files ??= visibility.readableFiles();
    return files;
  };
  const texts = textSearchOf(db, values);
  await texts.kept.refresh();
  const answer = await remembered(universe, catalogue, request.q, async () => {
    const paths = new Map((await listPaths(db)).map((row) => [row.path, row.id]));
    const node = await planQuery(bound, { db, catalogue, paths, values, texts, hasReadableFiles });
    await slices.next();
    const set = await evaluate(node, universe, texts);
    return { planned: node, set, docs: set.toArray() };
  });
  await slices.next();
  const { planned, docs: matched } = answer;
  const passed = passing(answer, request, () => filtered(values, matched, request.filters, hasReadableFiles));
  const kept = passed.docs;
  await slices.next();
  const { sort, offset, limit } = request;
  const set = kept === matched ? answer.set : undefined;
  const first = await ordered(passed, sort, offset + limit, (count) =>
    sort === "bestmatch"
      ? bestOf({ values, docs: kept, set, node: planned, texts }, count)
      : Promise.resolve(firstBy(values, sort, kept, count)),
  );
  await slices.next();
  const page = first.slice(offset, offset + limit).map((doc) => ({
    isDraft: ((values.flags[doc] ?? 0) & flag.draft) !== 0,
    id: values.ids[doc] ?? "",
  }));
  if (search.isUncounted) return { page, total: kept.length, aggregations: {} };
  const aggregations = await aggregate(values, matched, {
    filters: request.filters,
    titleOf: titlesIn(search.languages),
    readableFiles: hasReadableFiles(),
    hasPublished: scope === "editable",
  });
  return { page, total: kept.length, aggregations };
}

interface Answer {
  planned: PlannedNode;
  set: Bitset;
  /** The same as a list. */
  docs: Uint32Array;
  /** What passed the filters of the last time. */
  passed?: Passed;
}

interface Passed {
  filters: string;
  docs: Uint32Array;
  /** The first of them by sort. */
  first: Map<string, readonly number[]>;
}

const answers = new WeakMap<Bitset, WeakMap<Catalogue, Map<string, Answer>>>();
/** So many times as many numbers as there are documents. */
const listsKept = 4;

/**
 * What a query found among the documents that a caller may see: these are the same set for everybody in general until
 * something changes. Another page, order or filter asks the same again. Words like `now` mean something else each time.
 */
async function remembered(
  universe: Bitset,
  catalogue: Catalogue,
  q = "",
  find: () => Promise<Answer>,
): Promise<Answer> {
  if (/now/i.test(q)) return find();
  const byCatalogue = answers.get(universe) ?? new WeakMap<Catalogue, Map<string, Answer>>();
  answers.set(universe, byCatalogue);
  const known = byCatalogue.get(catalogue) ?? new Map<string, Answer>();
  byCatalogue.set(catalogue, known);
  const answer = known.get(q) ?? (await find());
  known.delete(q);
  known.set(q, answer);
  let numbers = [...known.values()].reduce((sum, { docs }) => sum + docs.length + 1000, 0);
  for (const [oldest, { docs }] of known) {
    if (numbers <= listsKept * (universe.byteLength * 8 + 10_000)) break;
    known.delete(oldest);
    numbers -= docs.length + 1000;
  }
  return answer;
}

/** What passes the filters: the next page and another order ask for the same ones again. */
function passing(answer: Answer, { filters }: SearchRequest, find: () => Uint32Array): Passed {
  const wanted = JSON.stringify([...filters]);
  if (answer.passed?.filters === wanted) return answer.passed;
  answer.passed = { filters: wanted, docs: find(), first: new Map() };
  return answer.passed;
}

/** So many are put in order at once, for the next pages. */
const orderedAtOnce = 100;

/** The first of the documents in order, `count` or more if there are so many. */
async function ordered(
  { docs, first }: Passed,
  sort: string,
  count: number,
  find: (count: number) => Promise<readonly number[]>,
): Promise<readonly number[]> {
  const known = first.get(sort);
  if (known && known.length >= Math.min(count, docs.length)) return known;
  const found = await find(Math.max(count, orderedAtOnce));
  first.set(sort, found);
  return found;
}

function universeOf(visibility: Visibility, request: SearchRequest, scope: RecordScope): Bitset {
  const allVersions = request.booleans.get("allversions") ?? false;
  if (scope === "published") return visibility.published(allVersions);
  return visibility.editable(allVersions, request.booleans.get("shared_with_me"));
}

/** Those of the documents that stand under a parent. */
function within(values: RecordValues, docs: Bitset, parentId: string | undefined): Bitset {
  if (parentId === undefined) return docs;
  const parent = values.parents.find(parentId);
  const family = new Bitset();
  for (let doc = 0; doc < values.size; doc += 1) if (values.parent[doc] === parent) family.add(doc);
  return family.and(docs);
}

/** Titles in the first language of the list that an entry has, else English, else the id itself. */
function titlesIn(languages = ""): TitleOf {
  const wanted = languages
    .split(",")
    .map((item) => {
      const [tag = "", quality] = item.trim().split(/\s*;\s*q=/);
      return { tag: tag.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .flatMap(({ tag }) => [tag, tag.split("-")[0] ?? tag]);
  return (vocabulary, id) => {
    const title = findShippedEntry(vocabulary, id)?.title;
    if (!title) return id;
    const language = wanted.find((tag) => title[tag] !== undefined) ?? "en";
    return title[language] ?? Object.values(title)[0] ?? id;
  };
}
