import type { Db } from "../database/open.ts";
import type { DraftRow, RecordRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Host } from "../kernel/host.ts";
import { dayOf } from "../kernel/timestamps.ts";
import { findShippedEntry } from "../vocabularies/shipped-entries.ts";
import { Bitset } from "./bitset.ts";
import { customKinds } from "./custom-kinds.ts";
import type { Aggregation } from "./facets.ts";
import { findGiven } from "./given.ts";
import { boundRequest } from "./list-search.ts";
import { addScores, evaluate, TextSearch } from "./record-evaluation.ts";
import { aggregate, filterTest, recordFilters, type TitleOf } from "./record-facets.ts";
import { recordCatalogue } from "./record-fields.ts";
import { listPaths } from "./record-matcher.repository.ts";
import { type PlannedNode, planQuery } from "./record-matcher.ts";
import { findRows } from "./record-search.repository.ts";
import { firstOf, recordOrder, recordSorts } from "./record-sorts.ts";
import { flag, type RecordValues, recordValues } from "./record-values.ts";
import type { SearchRequest, SearchRules } from "./search-parameters.ts";
import { Slices } from "./time-slice.ts";
import { Visibility } from "./visibility.ts";

/** What `/api/records` accepts (search 1, 2). */
export const recordSearchRules: SearchRules = {
  sorts: recordSorts,
  defaultSort: "newest",
  defaultSize: 10,
  booleans: ["allversions"],
  filters: recordFilters,
};

/** What `/api/user/records` accepts. */
export const userRecordSearchRules: SearchRules = {
  ...recordSearchRules,
  booleans: ["allversions", "shared_with_me"],
  filters: [...recordFilters, "is_published"],
};

export type RecordScope = "published" | "editable";

export interface RecordSearch {
  caller: Caller;
  request: SearchRequest;
  scope: RecordScope;
  /** Only the versions under this parent. */
  parentId?: string;
  /** `Accept-Language` of the call: titles in facets. */
  languages?: string;
}

export interface FoundRecords {
  /** The page, in order. */
  rows: (RecordRow | DraftRow)[];
  total: number;
  aggregations: Record<string, Aggregation>;
}

export interface RecordSearchService {
  /**
   * Published records, or drafts and records that the caller can edit (search 1).
   * @throws Failure 400 `Invalid query string syntax.` for a mistyped value (search 5.5).
   */
  search(db: Db, search: RecordSearch): Promise<FoundRecords>;
}

/** Searches records and drafts on the index. */
export function recordSearchService(host: Pick<Host, "now" | "settings">): RecordSearchService {
  const catalogue = recordCatalogue(customKinds(host.settings.custom_fields));

  async function search(db: Db, search: RecordSearch): Promise<FoundRecords> {
    const { caller, request, scope, languages } = search;
    const now = host.now();
    const slices = new Slices();
    const bound = boundRequest(request, catalogue, now);
    const values = await recordValues(db);
    const visibility = new Visibility(values, caller, await findGiven(db, caller, dayOf(now)));
    const universe = within(values, universeOf(visibility, request, scope), search.parentId);
    let files: Bitset | undefined;
    const hasReadableFiles = (): Bitset => {
      files ??= visibility.readableFiles();
      return files;
    };
    const paths = new Map((await listPaths(db)).map((row) => [row.path, row.id]));
    const planned = await planQuery(bound, { db, catalogue, paths, hasReadableFiles });
    await slices.next();
    const texts = new TextSearch(db);
    const matched = (await evaluate(planned, universe, texts)).toArray();
    await slices.next();
    const passes = filterTest(values, request.filters, hasReadableFiles);
    const kept = passes ? matched.filter(passes) : matched;
    await slices.next();
    const page = await pageOf({ values, docs: kept, request, planned, texts });
    const rows = await rowsOf(db, values, page);
    await slices.next();
    return {
      rows,
      total: kept.length,
      aggregations: await aggregate(values, matched, {
        filters: request.filters,
        titleOf: titlesIn(languages),
        readableFiles: hasReadableFiles(),
        hasPublished: scope === "editable",
      }),
    };
  }

  return { search };
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

interface Paging {
  values: RecordValues;
  docs: readonly number[];
  request: SearchRequest;
  planned: PlannedNode;
  texts: TextSearch;
}

/** The documents of the page, in order. */
async function pageOf({ values, docs, request, planned, texts }: Paging): Promise<number[]> {
  const scores = new Float64Array(request.sort === "bestmatch" ? values.size : 0);
  if (scores.length > 0) await addScores(planned, docs, scores, texts);
  const order = recordOrder(values, request.sort, scores);
  return firstOf(docs, request.offset + request.limit, order).slice(request.offset);
}

async function rowsOf(db: Db, values: RecordValues, page: readonly number[]): Promise<(RecordRow | DraftRow)[]> {
  const idsOf = (isDraft: boolean) =>
    page
      .filter((doc) => (((values.flags[doc] ?? 0) & flag.draft) !== 0) === isDraft)
      .map((doc) => values.ids[doc] ?? "");
  const records = await findRows(db, "record", idsOf(false));
  const drafts = await findRows(db, "draft", idsOf(true));
  return page.flatMap((doc) => {
    const isDraft = ((values.flags[doc] ?? 0) & flag.draft) !== 0;
    return (isDraft ? drafts : records).get(values.ids[doc] ?? "") ?? [];
  });
}

/** Titles in the first language of the list that an entry has, else English, else the id itself. */
function titlesIn(languages = ""): TitleOf {
  const wanted = languages
    .split(",")
    .map((item) => {
      const [tag = "", quality] = item.trim().split(/\s*;\s*q=/);
      return { tag: tag.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) };
    })
    .sort((a, b) => b.quality - a.quality)
    .flatMap(({ tag }) => [tag, tag.split("-")[0] ?? tag]);
  return (vocabulary, id) => {
    const title = findShippedEntry(vocabulary, id)?.title;
    if (!title) return id;
    const language = wanted.find((tag) => title[tag] !== undefined) ?? "en";
    return title[language] ?? Object.values(title)[0] ?? id;
  };
}
