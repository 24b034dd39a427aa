import { expect } from "vitest";
import { levelOf } from "../../shared/access/level.policy.ts";
import { type Db, openDatabase } from "../../shared/database/open.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import type { Aggregation } from "../../shared/search/facets.ts";
import type { FieldValue } from "../../shared/search/language/field.ts";
import { bindQuery } from "../../shared/search/language/query-binding.ts";
import { parseQuery } from "../../shared/search/language/query-parser.ts";
import { printQuery } from "../../shared/search/language/query-printer.ts";
import { type AnalysedDocument, analysed, scoreOf } from "../../shared/search/lists/memory-matcher.ts";
import { familyDocuments, type RecordDocument } from "../../shared/search/record-document.ts";
import { isFilePath, recordCatalogue, recordFields } from "../../shared/search/record-fields.ts";
import {
  recordSearchRules,
  recordSearchService,
  userRecordSearchRules,
} from "../../shared/search/record-search.service.ts";
import type { RecordScope, SearchIndex } from "../../shared/search/search-index.ts";
import { readSearch } from "../../shared/search/search-parameters.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { presentUsage } from "../../shared/usage/usage.presenter.ts";
import { Random } from "../support/random.ts";
import { epoch, type Family, randomFamily, store, users, words } from "./corpus.ts";
import { Oracle } from "./oracle.ts";
import { randomQuery } from "./random-query.ts";

/** The seeds of the corpora, the same for every index. */
export const seeds: readonly number[] = Array.from({ length: Number(process.env.CARREL_CORPORA ?? 10) }, (_, at) => at);
const queriesEach = 200;
const atOnce = 20;
const now = epoch + 15 * 86_400_000_000;
const catalogue = recordCatalogue();
const oracle = new Oracle(catalogue, now);

/** A document as one caller sees it. */
interface Seen {
  document: RecordDocument;
  values: FieldValue[];
  analysed: AnalysedDocument;
  isReadable: boolean;
  isEditable: boolean;
  mayListFiles: boolean;
}

function callerOf(name: string | null): Caller {
  const roles = new Set(name === "admin" ? ["superuser-access"] : []);
  return { userId: name, roles, scopes: new Set(), linkTokens: [], via: name === null ? "anonymous" : "token" };
}

function seenBy(caller: Caller, { parent, grants, ...family }: Family): Seen[] {
  const levels = ["none", "view", "preview", "edit", "manage"];
  const own = grants.filter((grant) => grant.userId === caller.userId).map((grant) => grant.permission as "view");
  const level = levelOf(caller, { ownerId: parent.owner_id, grants: own, links: [], levelFromServer: "none" });
  const has = (needed: string) => levels.indexOf(level) >= levels.indexOf(needed);
  return familyDocuments({ parent, ...family }).map((document) => {
    const mayListFiles = document.hasPublicFiles || has(document.kind === "record" ? "view" : "preview");
    // Zeros are not stored; the oracle looks at the body as it is presented.
    const stats = document.kind === "record" ? { stats: presentUsage([], document.row) } : {};
    const values = recordFields({ ...document.json, ...stats }).filter(({ path }) => mayListFiles || !isFilePath(path));
    return {
      document,
      mayListFiles,
      values,
      analysed: analysed(values),
      isReadable: document.kind === "record" && (document.isPublic || has("view")),
      isEditable: has("edit") && !document.hasDraft,
    };
  });
}

function universe(seen: readonly Seen[], scope: RecordScope, allVersions: boolean): Seen[] {
  return seen.filter(({ document, isReadable, isEditable }) =>
    scope === "published"
      ? isReadable && (allVersions || document.isLatest)
      : isEditable && (allVersions || document.isLatestDraft),
  );
}

/** Counts by hand, of terms without their label. */
function counted(seen: readonly Seen[], valuesOf: (one: Seen) => (string | null)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of seen.flatMap((one) => [...new Set(valuesOf(one))])) {
    if (value !== null) counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}

/** Every year that the date of a document touches; an open end counts as the other one. */
function yearsOf({ document }: Seen): string[] {
  if (!document.facets.days) return [];
  const [first, last] = document.facets.days;
  const yearAt = (day: number): number => new Date(day * 86_400_000).getUTCFullYear();
  const [from, to] = [yearAt(first ?? last ?? 0), yearAt(last ?? first ?? 0)];
  return Array.from({ length: to - from + 1 }, (_, at) => String(from + at));
}

/** What the aggregations count of a document, by name. */
const facetValues: Record<string, (one: Seen) => (string | null)[]> = {
  access_status: ({ document }) => [document.facets.access_status],
  resource_type: ({ document }) => [document.facets.resource_type],
  subtype: ({ document: { facets } }) => (facets.subtype ? [`${facets.resource_type}::${facets.subtype}`] : []),
  language: ({ document }) => document.facets.language,
  subject: ({ document }) => document.facets.subject,
  file_type: (one) => (one.mayListFiles ? one.document.facets.file_type : []),
  publication_date: yearsOf,
  is_published: ({ document }) => [String(document.kind === "record")],
};

/** The fullest ten: what is not shown of more is not compared. */
const shown = (counts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(counts)
      .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .slice(0, 10),
  );

type FilterChoice = Record<string, string[]>;

/** Some filters, of values that the corpus has and others. */
function randomFilters(random: Random): FilterChoice {
  const choices: [string, readonly string[]][] = [
    ["access_status", ["open", "restricted", "metadata-only", "embargoed", "nothing"]],
    ["language", ["eng", "deu", "xyz"]],
    ["file_type", ["csv", "txt", "pdf", "nothing"]],
    ["subject", ["open", "data", "nothing"]],
    ["resource_type", ["dataset", "publication", "publication::publication-article", "image::image-figure"]],
    ["publication_date", ["2017", "2018-03..2019", "..2016", "2020..", "(2016..2018)", "2020..2019", "nonsense"]],
  ];
  if (random.chance(0.6)) return {};
  return Object.fromEntries(
    random
      .list(1, 2, () => random.of(choices))
      .map(([name, values]) => [name, random.list(1, 2, () => random.of(values))]),
  );
}

/** The days that each filter of dates stands for; of what cannot be read, none. */
const filterDays: Record<string, [number, number]> = {
  "2017": [Date.UTC(2017, 0, 1), Date.UTC(2017, 11, 31)],
  "2018-03..2019": [Date.UTC(2018, 2, 1), Date.UTC(2019, 11, 31)],
  "..2016": [Number.NEGATIVE_INFINITY, Date.UTC(2016, 11, 31)],
  "2020..": [Date.UTC(2020, 0, 1), Number.POSITIVE_INFINITY],
  "(2016..2018)": [Date.UTC(2017, 0, 1), Date.UTC(2017, 11, 31)],
  "2020..2019": [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
};

function passes(one: Seen, name: string, wanted: string[]): boolean {
  if (name === "publication_date") {
    const spans = wanted.flatMap((text) => (filterDays[text] ? [filterDays[text]] : []));
    const [first, last] = one.document.facets.days ?? [Number.NaN, Number.NaN];
    const [from, to] = [first ?? Number.NEGATIVE_INFINITY, last ?? Number.POSITIVE_INFINITY].map(
      (day) => day * 86_400_000,
    );
    return spans.length === 0 || spans.some(([low, high]) => low <= high && Number(from) <= high && Number(to) >= low);
  }
  if (name !== "resource_type") return (facetValues[name]?.(one) ?? []).some((value) => wanted.includes(value ?? ""));
  const parents = wanted.filter((value) => !wanted.some((other) => other.startsWith(`${value}::`)));
  const own = [...(facetValues.resource_type?.(one) ?? []), ...(facetValues.subtype?.(one) ?? [])];
  return own.some((value) => parents.includes(value ?? ""));
}

const bucketsOf = (
  aggregation: { buckets: { key: string; doc_count: number }[] } | undefined,
): Record<string, number> =>
  Object.fromEntries((aggregation?.buckets ?? []).filter((b) => b.doc_count > 0).map((b) => [b.key, b.doc_count]));

function facetsIn(aggregations: Record<string, Aggregation>): Record<string, Record<string, number>> {
  const inner = (aggregations.resource_type?.buckets ?? []).flatMap(({ key, inner: within }) =>
    (within?.buckets ?? []).map((bucket): [string, number] => [`${key}::${bucket.key}`, bucket.doc_count]),
  );
  const plain = Object.entries(aggregations).map(([name, one]) => [name, bucketsOf(one)] as const);
  return { ...Object.fromEntries(plain), subtype: Object.fromEntries(inner) };
}

/** Some queries as people type them, malformed ones among them. */
function queryText(random: Random): string {
  if (random.chance(0.85)) return printQuery(randomQuery(random));
  const pieces = random.list(1, 5, () =>
    random.chance(0.6)
      ? random.of(words)
      : random.of(["AND", "OR", "NOT", "(", ")", '"', "metadata.title:", "~", "*", "-", "internal_notes.x:a"]),
  );
  return pieces.join(" ");
}

type Outcome = { ids: string[]; facets: Record<string, Record<string, number>>; total: number } | "refused";

function byHand(q: string, seen: readonly Seen[]): Seen[] | "refused" {
  try {
    const tree = parseQuery(q);
    return seen.filter(({ values }) => oracle.matches(tree, q, values));
  } catch (error) {
    if (error instanceof Error && error.message === "mistyped") return "refused";
    throw error;
  }
}

function outcomeOf(matched: readonly Seen[] | "refused", filters: FilterChoice, scope: RecordScope): Outcome {
  if (matched === "refused") return "refused";
  const names = Object.keys(facetValues).filter((name) => name !== "is_published" || scope === "editable");
  const facets = Object.fromEntries(
    names.map((name) => [name, shown(counted(matched, facetValues[name] ?? (() => [])))]),
  );
  const kept = matched.filter((one) => Object.entries(filters).every(([name, wanted]) => passes(one, name, wanted)));
  return { ids: idsIn(kept), facets, total: kept.length };
}

const idsIn = (seen: readonly Seen[]): string[] => idsOf(seen.map(({ document }) => [document.kind, document.row.id]));
const idsOf = (pairs: [string, string][]): string[] => pairs.map((pair) => pair.join(" ")).sort();

interface OracleCase {
  q: string;
  caller: Caller;
  scope: RecordScope;
  allVersions: boolean;
  filters: FilterChoice;
  sort: { sort?: string };
}

function randomCase(random: Random): OracleCase {
  const q = queryText(random);
  const caller = callerOf(random.of([null, ...users, "admin"]));
  const scope = caller.userId === null || random.chance(0.6) ? "published" : "editable";
  const allVersions = random.chance(0.5);
  const filters = randomFilters(random);
  return { q, caller, scope, allVersions, filters, sort: random.chance(0.5) ? { sort: "newest" } : {} };
}

/** Makes an index of the records in a database, ready to be searched. */
export type MakeIndex = (db: Db) => Promise<SearchIndex>;

/** Compares what an index finds in a corpus with what the oracle finds (search 5, 6, 8). */
export async function compareWithOracle(seed: number, makeIndex: MakeIndex): Promise<void> {
  const random = new Random(1000 + seed);
  const families = random.list(8, 16, () => 0).map((_, at) => randomFamily(random, at));
  const database = openDatabase(":memory:");
  await store(database.db, families);
  const host: Pick<Host, "now" | "settings"> = { now: () => now, settings: defaultSettings };
  const service = recordSearchService(host, await makeIndex(database.db));
  const known = new Map<string | null, Seen[]>();
  const seenOf = (caller: Caller): Seen[] => {
    const seen = known.get(caller.userId) ?? families.flatMap((family) => seenBy(caller, family));
    known.set(caller.userId, seen);
    return seen;
  };
  let hits = 0;
  const compare = async ({ q, caller, scope, allVersions, filters, sort }: OracleCase): Promise<void> => {
    const query = { q, ...filters, allversions: String(allVersions), size: "1000", ...sort };
    const request = readSearch(query, scope === "published" ? recordSearchRules : userRecordSearchRules);
    const seen = universe(seenOf(caller), scope, allVersions);
    const matched = byHand(q, seen);
    const expected = outcomeOf(matched, filters, scope);
    const found = await service.search(database.db, { caller, request, scope }).then(
      ({ page, total, aggregations }): Outcome => ({
        ids: idsOf(page.map(({ isDraft, id }) => [isDraft ? "draft" : "record", id])),
        facets: facetsIn(aggregations),
        total,
      }),
      (error: unknown): Outcome => {
        if (error instanceof Failure && error.status === 400) return "refused";
        throw new Error(`the query ${q} failed`, { cause: error });
      },
    );
    expect({ q, scope, filters, found }).toEqual({ q, scope, filters, found: expected });
    expect({ q, found: inMemory(q, seen) }).toEqual({ q, found: matched === "refused" ? matched : idsIn(matched) });
    if (expected !== "refused" && expected.total > 0 && expected.total < seen.length) hits += 1;
  };
  const cases = Array.from({ length: queriesEach }, () => randomCase(random));
  // Some at once, because an engine of its own takes most of the time on the way.
  for (let at = 0; at < cases.length; at += atOnce) await Promise.all(cases.slice(at, at + atOnce).map(compare));
  // Most queries must say something, or the comparison is worth nothing.
  expect(hits).toBeGreaterThan(queriesEach / 5);
  await service.close();
  await database.close();
}

function inMemory(q: string, seen: readonly Seen[]): string[] | "refused" {
  try {
    const bound = bindQuery(parseQuery(q), catalogue, q, now);
    const matched = seen.filter((one) => scoreOf(bound, one.analysed, catalogue) !== undefined);
    return idsOf(matched.map(({ document }) => [document.kind, document.row.id]));
  } catch (error) {
    if (error instanceof Failure) return "refused";
    throw error;
  }
}
