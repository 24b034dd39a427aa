import type { Db } from "../database/open.ts";
import { notFound } from "../kernel/failure.ts";
import type { Page } from "../kernel/search-envelope.ts";
import { Slices } from "../kernel/time-slice.ts";
import { boundRequest } from "../search/language/bound-request.ts";
import { parseQuery } from "../search/language/query-parser.ts";
import { AnalysisCache } from "../search/lists/list-search.ts";
import { type AnalysedDocument, scoreOf } from "../search/lists/memory-matcher.ts";
import type { SearchRequest, SearchRules } from "../search/search-parameters.ts";
import { candidateWords, matchExpression, suggestedWords, type Words } from "./candidate-words.ts";
import { documentOfEntry, entryCatalogue, sortTitleOf } from "./entry-words.ts";
import { referencesOf, withReferredNames } from "./referred-names.ts";
import { findShippedEntry } from "./shipped-entries.ts";
import { listShippedCandidates } from "./shipped-index.ts";
import {
  countEntries,
  countSuggested,
  type EntryRow,
  findEntryRow,
  listCandidates,
  listEntryKeys,
  listEntryRows,
  listReferred,
  listSuggested,
} from "./vocabulary.repository.ts";
import type { EntryLookups, EntryReference, VocabularyEntry, VocabularyType } from "./vocabulary.schema.ts";

/** An entry with its times and revision. Times in microseconds UTC. */
export interface StoredEntry {
  entry: VocabularyEntry;
  created: number;
  updated: number;
  revision_id: number;
}

/** How clients of InvenioRDM name the order by text, where it is not `title`. */
const namesOfOrder: Partial<Record<VocabularyType, string>> = {
  affiliations: "name",
  names: "name",
  funders: "name",
  subjects: "subject",
};

/** The parameters of vocabulary lists (records 8.5). */
export function vocabularySearchRules(type: VocabularyType): SearchRules {
  const byText = namesOfOrder[type] ?? "title";
  return {
    sorts: [...new Set(["bestmatch", byText, "title", "newest", "oldest"])],
    defaultSort: byText,
    defaultSize: 10,
    hasSuggest: true,
    filters: ["tags"],
  };
}

/** How well an entry matches; undefined: not at all. */
type EntryMatcher = (entry: VocabularyEntry, document: () => AnalysedDocument) => number | undefined;

/** The time of shipped entries: the first release of the vocabularies. */
const shippedTime = Date.UTC(2026, 10, 1) * 1000;

interface Ranked {
  id: string;
  score: number;
  sortTitle: string;
  created: number;
  /** Absent for a key whose entry is read only for its page. */
  stored?: StoredEntry;
}

const shipped = (entry: VocabularyEntry): StoredEntry => ({
  entry,
  created: shippedTime,
  updated: shippedTime,
  revision_id: 1,
});
const imported = (row: EntryRow): StoredEntry => ({
  entry: JSON.parse(row.entry) as VocabularyEntry,
  created: row.created,
  updated: row.updated,
  revision_id: row.revision_id,
});
const rank = (stored: StoredEntry, score: number): Ranked => ({
  id: stored.entry.id,
  score,
  sortTitle: sortTitleOf(stored.entry),
  created: stored.created,
  stored,
});

const compareNothing = (): number => 0;
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
/** An entry named by its id has an infinite score. */
const compareScores = (a: number, b: number): number => (a === b ? 0 : a - b);
const byText = (a: Ranked, b: Ranked): number => compareText(a.sortTitle, b.sortTitle);
const orders: Record<string, (a: Ranked, b: Ranked) => number> = {
  bestmatch: (a, b) => compareScores(b.score, a.score) || compareText(a.sortTitle, b.sortTitle),
  title: byText,
  name: byText,
  subject: byText,
  newest: (a, b) => b.created - a.created,
  oldest: (a, b) => a.created - b.created,
};

/** How many rows are read at a time, and how many suggestions are ranked exactly. */
const sliceRows = 500;
const rankedSuggestions = 1000;

/** Reads every candidate row, in slices that yield to the event loop. */
async function rankRows(
  db: Db,
  type: VocabularyType,
  words: string | undefined,
  match: EntryMatcher,
): Promise<Ranked[]> {
  const found: Ranked[] = [];
  // One entry may cost a millisecond: a query can have hundreds of patterns.
  const slices = new Slices();
  let after = 0;
  for (;;) {
    const rows = await listCandidates(db, type, words, after, sliceRows);
    for (const row of rows) {
      const stored = imported(row);
      const score = match(stored.entry, () => documentOfEntry(stored.entry));
      if (score !== undefined) found.push(rank(stored, score));
      await slices.next();
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < sliceRows) return found;
    after = last.number;
  }
}

const analysedEntries = new AnalysisCache();

/** Shipped entries that match and are not hidden by an imported one with the same id. */
async function rankShipped(
  db: Db,
  type: VocabularyType,
  words: Words | undefined,
  match: EntryMatcher,
): Promise<Ranked[]> {
  const found: Ranked[] = [];
  const slices = new Slices();
  for (const entry of await listShippedCandidates(type, words)) {
    const score = match(entry, () => analysedEntries.of(`${type}:${entry.id}`, () => documentOfEntry(entry)));
    if (score !== undefined) found.push(rank(shipped(entry), score));
    await slices.next();
  }
  const hidden = new Set(
    (
      await listEntryRows(
        db,
        type,
        found.map(({ id }) => id),
      )
    ).map(({ id }) => id),
  );
  return hidden.size === 0 ? found : found.filter(({ id }) => !hidden.has(id));
}

interface Found {
  ranked: Ranked[];
  total: number;
}

/** Imported entries, sorted by the database, up to the end of the page. */
async function listImported(db: Db, type: VocabularyType, { sort, offset, limit }: SearchRequest): Promise<Found> {
  const direction = sort === "newest" ? "desc" : "asc";
  const column = sort === "newest" || sort === "oldest" ? "created" : "sort_title";
  const keys = await listEntryKeys(db, type, { column, direction }, offset + limit);
  const ranked = keys.map(({ id, sort_title, created }) => ({ id, score: 1, sortTitle: sort_title, created }));
  return { ranked, total: await countEntries(db, type) };
}

/** The database finds candidates; the best are ranked as shipped entries are. */
async function suggestImported(
  db: Db,
  type: VocabularyType,
  words: string,
  match: EntryMatcher,
  { offset, limit }: SearchRequest,
): Promise<Found> {
  const rows = await listSuggested(db, type, words, Math.max(rankedSuggestions, offset + limit));
  const slices = new Slices();
  const ranked: Ranked[] = [];
  for (const row of rows) {
    const stored = imported(row);
    ranked.push(rank(stored, match(stored.entry, () => documentOfEntry(stored.entry)) ?? 0));
    await slices.next();
  }
  return { ranked, total: await countSuggested(db, type, words) };
}

function matcherOf(request: SearchRequest, now: number): EntryMatcher {
  const tags = request.filters.get("tags") ?? [];
  const node = boundRequest(request, entryCatalogue, now);
  const named = (request.suggest ?? request.q ?? "").trim().toLowerCase();
  return (entry, document) => {
    if (tags.length > 0 && !tags.some((tag) => entry.tags?.includes(tag))) return undefined;
    if (node.type === "all") return node.boost;
    const score = scoreOf(node, document(), entryCatalogue);
    return score !== undefined && entry.id.toLowerCase() === named ? Number.POSITIVE_INFINITY : score;
  };
}

/** The words that every match of a request must have; undefined when every entry is a candidate. */
function wordsOf({ q, suggest }: SearchRequest): Words | undefined {
  if (suggest !== undefined) return suggestedWords(suggest);
  return q === undefined ? undefined : candidateWords(parseQuery(q));
}

async function findImported(
  db: Db,
  type: VocabularyType,
  request: SearchRequest,
  needed: Words | undefined,
  match: EntryMatcher,
): Promise<Found> {
  const { q, suggest } = request;
  const hasTags = (request.filters.get("tags") ?? []).length > 0;
  const words = needed && matchExpression(needed);
  if (suggest !== undefined && words === undefined) return { ranked: [], total: 0 };
  if (suggest !== undefined && words !== undefined && !hasTags) return suggestImported(db, type, words, match, request);
  if (q === undefined && words === undefined && !hasTags) return listImported(db, type, request);
  const ranked = await rankRows(db, type, words, match);
  return { ranked, total: ranked.length };
}

export interface VocabularyService {
  lookups: typeof lookups;
  /** One page of a vocabulary (records 8.5, search 9). @throws Failure 400 for a mistyped query. */
  search(db: Db, type: VocabularyType, request: SearchRequest): Promise<Page<StoredEntry>>;
  /** @throws Failure 404 when there is no such entry. */
  require(db: Db, type: VocabularyType, id: string): Promise<StoredEntry>;
}

/** Reads the named entries, for synchronous look-ups. Shipped entries are always found. */
export async function lookups(db: Db, references: readonly EntryReference[]): Promise<EntryLookups> {
  const rows = references.length > 0 ? await listReferred(db, references) : [];
  const loaded = new Map(rows.map(({ type, id, entry }) => [`${type}:${id}`, JSON.parse(entry) as VocabularyEntry]));
  return { findEntry: (type, id) => loaded.get(`${type}:${id}`) ?? findShippedEntry(type, id) };
}

/** Entries as they are shown: with the names of those they refer to. */
async function shown(db: Db, stored: StoredEntry[]): Promise<StoredEntry[]> {
  const references = stored.flatMap(({ entry }) => referencesOf(entry));
  if (references.length === 0) return stored;
  const referred = await lookups(db, references);
  return stored.map((one) => ({ ...one, entry: withReferredNames(one.entry, referred) }));
}

/** Reads vocabularies: imported entries win over shipped ones. */
export function vocabularyService(clock: { now(): number }): VocabularyService {
  return {
    lookups,

    async search(db, type, request) {
      const match = matcherOf(request, clock.now());
      const words = wordsOf(request);
      const own = await rankShipped(db, type, words, match);
      const found = await findImported(db, type, request, words, match);
      const order = orders[request.sort] ?? compareNothing;
      const ranked = [...own, ...found.ranked].sort((a, b) => order(a, b) || compareText(a.id, b.id));
      const page = ranked.slice(request.offset, request.offset + request.limit);
      const unread = page.filter(({ stored }) => stored === undefined).map(({ id }) => id);
      const rows = new Map((await listEntryRows(db, type, unread)).map((row) => [row.id, imported(row)]));
      const hits = page.map(({ id, stored }) => stored ?? rows.get(id)).filter((stored) => stored !== undefined);
      return { hits: await shown(db, hits), total: own.length + found.total };
    },

    async require(db, type, id) {
      const row = await findEntryRow(db, type, id);
      const entry = row ? undefined : findShippedEntry(type, id);
      const stored = row ? imported(row) : entry && shipped(entry);
      const [found] = stored ? await shown(db, [stored]) : [];
      if (!found) throw notFound();
      return found;
    },
  };
}
