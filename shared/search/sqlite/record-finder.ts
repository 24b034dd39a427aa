import type { Db } from "../../database/open.ts";
import { Slices } from "../../kernel/time-slice.ts";
import { dayOf } from "../../kernel/timestamps.ts";
import { declaredCatalogue } from "../declared-catalogue.ts";
import { boundRequest } from "../language/bound-request.ts";
import type { Catalogue } from "../language/field.ts";
import { titlesIn } from "../record-aggregations.ts";
import type { FoundDocuments, RecordQuery, RecordScope, SearchSettings } from "../search-index.ts";
import type { SearchRequest } from "../search-parameters.ts";
import { Bitset } from "./bitset.ts";
import { findGrantedLevels } from "./granted-levels.ts";
import { bestOf, evaluate } from "./record-evaluation.ts";
import { aggregate } from "./record-facets.ts";
import { filtered } from "./record-filters.ts";
import { listPaths } from "./record-matcher.repository.ts";
import { type PlannedNode, planQuery } from "./record-matcher.ts";
import { firstBy } from "./record-sorts.ts";
import { flag, type RecordValues, recordValues } from "./record-values.ts";
import { textSearchOf } from "./text-search.ts";
import { type GrantedLevels, Visibility } from "./visibility.ts";

/**
 * Finds records and drafts on the index (search 1 to 8).
 * @param granted the caller's levels, where the rows are in another database than the index.
 * @throws Failure 400 `Invalid query string syntax.` for a mistyped value (search 5.5).
 */
export async function findDocuments(
  db: Db,
  { now, customFields }: SearchSettings,
  search: RecordQuery,
  granted?: GrantedLevels,
): Promise<FoundDocuments> {
  const { caller, request, scope } = search;
  const slices = new Slices();
  const catalogue = declaredCatalogue(customFields);
  const bound = boundRequest(request, catalogue, now);
  const values = await recordValues(db);
  const visibility = new Visibility(values, caller, granted ?? (await findGrantedLevels(db, caller, dayOf(now))));
  const universe = within(values, universeOf(visibility, request, scope), search.parentId);
  let files: Bitset | undefined;
  const hasReadableFiles = (): Bitset => {
    files ??= visibility.readableFiles();
    return files;
  };
  const texts = textSearchOf(db, values);
  await texts.proximity.refresh();
  const answer = await cachedAnswer(universe, catalogue, request.q, async () => {
    const paths = new Map((await listPaths(db)).map((row) => [row.path, row.id]));
    const node = await planQuery(bound, { db, catalogue, paths, values, texts, hasReadableFiles });
    await slices.next();
    const set = await evaluate(node, universe, texts);
    return { planned: node, set, docs: set.toArray() };
  });
  await slices.next();
  const { planned, docs: matched } = answer;
  const passed = filteredAnswer(answer, request, () => filtered(values, matched, request.filters, hasReadableFiles));
  const { docs } = passed;
  await slices.next();
  const { sort, offset, limit } = request;
  const set = docs === matched ? answer.set : undefined;
  const first = await ordered(passed, sort, offset + limit, (count) =>
    sort === "bestmatch"
      ? bestOf({ values, docs, set, node: planned, texts }, count)
      : Promise.resolve(firstBy(values, sort, docs, count)),
  );
  await slices.next();
  const page = first.slice(offset, offset + limit).map((doc) => ({
    isDraft: ((values.flags[doc] ?? 0) & flag.draft) !== 0,
    id: values.ids[doc] ?? "",
  }));
  if (search.isUncounted) return { page, total: docs.length, aggregations: {} };
  const aggregations = await aggregate(values, matched, {
    filters: request.filters,
    titleOf: titlesIn(search.languages),
    readableFiles: hasReadableFiles(),
    hasPublished: scope === "editable",
  });
  return { page, total: docs.length, aggregations };
}

interface Answer {
  planned: PlannedNode;
  set: Bitset;
  /** The same as a list. */
  docs: Uint32Array;
  /** The documents that passed the filters of the last search. */
  passed?: Filtered;
}

interface Filtered {
  filters: string;
  docs: Uint32Array;
  /** The first documents of each order. */
  first: Map<string, readonly number[]>;
}

const answers = new WeakMap<Bitset, WeakMap<Catalogue, Map<string, Answer>>>();
/** The cache holds so many times as many numbers as there are documents. */
const cachedLists = 4;

/**
 * What a query found among the documents that a caller may see. Anonymous callers share one set until something changes.
 * Another page, order or filter needs the same answer. A query with `now` has another meaning each time.
 */
async function cachedAnswer(
  universe: Bitset,
  catalogue: Catalogue,
  q = "",
  find: () => Promise<Answer>,
): Promise<Answer> {
  if (/now/i.test(q)) return find();
  const byCatalogue = answers.get(universe) ?? new WeakMap<Catalogue, Map<string, Answer>>();
  answers.set(universe, byCatalogue);
  const byQuery = byCatalogue.get(catalogue) ?? new Map<string, Answer>();
  byCatalogue.set(catalogue, byQuery);
  const answer = byQuery.get(q) ?? (await find());
  byQuery.delete(q);
  byQuery.set(q, answer);
  let numbers = [...byQuery.values()].reduce((sum, { docs }) => sum + docs.length + 1000, 0);
  for (const [oldest, { docs }] of byQuery) {
    if (numbers <= cachedLists * (universe.byteLength * 8 + 10_000)) break;
    byQuery.delete(oldest);
    numbers -= docs.length + 1000;
  }
  return answer;
}

/** The documents that pass the filters, cached for the next page and another order. */
function filteredAnswer(answer: Answer, { filters }: SearchRequest, find: () => Uint32Array): Filtered {
  const wanted = JSON.stringify([...filters]);
  if (answer.passed?.filters === wanted) return answer.passed;
  answer.passed = { filters: wanted, docs: find(), first: new Map() };
  return answer.passed;
}

/** At least so many are put in order, so that the next pages are cached. */
const orderedAtOnce = 100;

/** The first documents in order: at least `count`, if there are so many. */
async function ordered(
  { docs, first }: Filtered,
  sort: string,
  count: number,
  find: (count: number) => Promise<readonly number[]>,
): Promise<readonly number[]> {
  const cached = first.get(sort);
  if (cached && cached.length >= Math.min(count, docs.length)) return cached;
  const found = await find(Math.max(count, orderedAtOnce));
  first.set(sort, found);
  return found;
}

function universeOf(visibility: Visibility, request: SearchRequest, scope: RecordScope): Bitset {
  const allVersions = request.booleans.get("allversions") ?? false;
  if (scope === "published") return visibility.published(allVersions);
  return visibility.editable(allVersions, request.booleans.get("shared_with_me"));
}

/** The documents under a parent. */
function within(values: RecordValues, docs: Bitset, parentId: string | undefined): Bitset {
  if (parentId === undefined) return docs;
  const parent = values.parents.find(parentId);
  const family = new Bitset();
  for (let doc = 0; doc < values.size; doc += 1) if (values.parent[doc] === parent) family.add(doc);
  return family.and(docs);
}
