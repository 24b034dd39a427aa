import { type OpenDatabase, openDatabase } from "../../shared/database/open.ts";
import { anonymous } from "../../shared/kernel/caller.ts";
import {
  type RecordSearch,
  recordSearchRules,
  recordSearchService,
} from "../../shared/search/record-search.service.ts";
import { readSearch } from "../../shared/search/search-parameters.ts";
import { sqliteSearchIndex } from "../../shared/search/sqlite/sqlite-search-index.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { canStartOpenSearch, startOpenSearch, type TestOpenSearch } from "../support/engines/opensearch.ts";
import { freshIndex, indexAt, type TestIndex } from "../support/engines/search-index.ts";
import { until } from "../support/until.ts";
import type { BenchCase, Measured } from "./bench-case.ts";
import { type QueryOfRound, searchKinds } from "./search-kinds.ts";
import { library, records } from "./search-library.ts";

const rounds = 20;
/** The permitted time of a search, from the engine's own time `took` in whole milliseconds. */
const allowedMs = (took: number): number => 1.3 * took + 5;
const documentsASecond = 2000;

interface Engines {
  engine: TestOpenSearch;
  place: TestIndex;
  database: OpenDatabase;
  embedded: RecordSearch;
  opensearch: RecordSearch;
  indexSeconds: number;
}

let took = 0;

/** Adds up `took`, the engine's own time, of all its answers. */
function countTook(): void {
  const plain = globalThis.fetch;
  globalThis.fetch = async (...call) => {
    const answer = await plain(...call);
    const text = await answer.text();
    took += Number(/^\{"took":(\d+)/.exec(text)?.[1] ?? 0);
    return new Response(text, answer);
  };
}

let engines: Promise<Engines> | undefined;

const startOnce = (): Promise<Engines> => {
  engines ??= start();
  return engines;
};

async function start(): Promise<Engines> {
  const { file } = await library();
  const engine = await startOpenSearch();
  if (!engine) throw new Error("OpenSearch cannot be started");
  process.env.CARREL_TEST_SEARCH = engine.url;
  const place = freshIndex();
  const database = openDatabase(file);
  const host = { now: () => Date.now() * 1000, settings: defaultSettings };
  const embedded = recordSearchService(host, sqliteSearchIndex());
  const opensearch = recordSearchService(host, indexAt(place.address));
  const began = performance.now();
  await opensearch.prepare(database.db);
  const ready = { database, embedded, opensearch };
  await until(() => isComplete(ready), "the index is built", 24 * 3_600_000);
  const indexSeconds = (performance.now() - began) / 1000;
  countTook();
  return { engine, place, ...ready, indexSeconds };
}

const everything = readSearch({}, recordSearchRules);

/** The first search is answered once all records are in the index. */
async function isComplete({ opensearch, database }: Pick<Engines, "opensearch" | "database">): Promise<boolean> {
  const search = { caller: anonymous, request: everything, scope: "published" as const };
  return opensearch.search(database.db, search).then(
    () => true,
    () => false,
  );
}

/** Milliseconds that a user waits for a search, and how many records match. */
async function ask(of: RecordSearch, { db }: OpenDatabase, query: Record<string, string>, isUncounted: boolean) {
  const request = readSearch(query, recordSearchRules);
  const start = performance.now();
  const { total } = await of.search(db, { caller: anonymous, request, scope: "published", isUncounted });
  return { ms: performance.now() - start, total };
}

const median = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

async function compareEngines(query: QueryOfRound, isUncounted: boolean): Promise<Measured> {
  const { embedded, opensearch, database } = await startOnce();
  const [ours, others]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const one = await ask(embedded, database, query(round), isUncounted);
    const other = await ask(opensearch, database, query(round), isUncounted);
    if (one.total !== other.total) throw new Error(`${one.total} and ${other.total} matches of ${query(round).q}`);
    ours.push(one.ms);
    others.push(other.ms);
  }
  return { ours: median(ours), reference: median(others), unit: "ms", against: "ms, OpenSearch" };
}

async function compareWithTook(): Promise<Measured> {
  const { opensearch, database } = await startOnce();
  const [ours, allowed]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const [, query] of searchKinds) {
      took = 0;
      ours.push((await ask(opensearch, database, query(round), false)).ms);
      allowed.push(allowedMs(took));
    }
  }
  return { ours: median(ours), reference: median(allowed), unit: "ms", against: "ms: 1.3 of the engine's own + 5" };
}

async function measureIndexing(): Promise<Measured> {
  const { indexSeconds } = await startOnce();
  return {
    ours: records / indexSeconds,
    reference: documentsASecond,
    unit: "rec/s",
    against: "records a second, at least",
  };
}

/** Measures, then closes the engines. */
async function thenClose(run: () => Promise<Measured>): Promise<Measured> {
  const { engine, place, database, embedded, opensearch } = await startOnce();
  try {
    return await run();
  } finally {
    await embedded.close();
    await opensearch.close();
    await place.drop();
    await engine.stop();
    await database.close();
  }
}

const count = records.toLocaleString("en");

const cases: BenchCase[] = [
  ...[true, false].flatMap((isUncounted) =>
    searchKinds.map(([name, query]) => ({
      name: `Embedded ${count}: ${name}, ${isUncounted ? "no facets" : "six facets"}`,
      reach: "<= 1",
      run: () => compareEngines(query, isUncounted),
    })),
  ),
  { name: `OpenSearch ${count}: first page`, reach: "<= 1", run: compareWithTook },
  { name: `OpenSearch ${count}: indexing`, reach: ">= 1", run: () => thenClose(measureIndexing) },
];

if (!canStartOpenSearch()) process.stderr.write("SKIPPED: comparison with OpenSearch, which cannot be started here.\n");
export const bench: BenchCase[] = canStartOpenSearch() ? cases : [];
