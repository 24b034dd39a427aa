import { sql } from "kysely";
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
import type { BenchCase, Measured } from "./bench-case.ts";
import { longestTurn, quiet } from "./processor-time.ts";
import { type QueryOfRound, searchKinds, word } from "./search-kinds.ts";
import { type Library, library, records } from "./search-library.ts";

const rounds = 40;
/** The limit of a search at p95 with the embedded index. Larger sites use another engine. */
const allowedMs = 60;
/** `CARREL_BENCH_ACCELERATOR=off` measures without it. */
const isAccelerated = process.env.CARREL_BENCH_ACCELERATOR !== "off";

let opened: { database: OpenDatabase; filled: Library; service: RecordSearch } | undefined;

async function prepared() {
  if (opened) return opened;
  const filled = await library();
  const database = openDatabase(filled.file);
  const service = recordSearchService(
    { now: () => Date.now() * 1000, settings: defaultSettings },
    sqliteSearchIndex({ isAccelerated }),
  );
  opened = { database, filled, service };
  await ask({});
  await quiet();
  return opened;
}

/** Milliseconds that a user waits for a search. */
async function ask(query: Record<string, string>, isUncounted = false): Promise<number> {
  const { database, service } = await prepared();
  const request = readSearch(query, recordSearchRules);
  const start = performance.now();
  await service.search(database.db, { caller: anonymous, request, scope: "published", isUncounted });
  return performance.now() - start;
}

const percentile = (times: number[], part: number): number =>
  times.sort((a, b) => a - b)[Math.floor(times.length * part)] ?? 0;

async function p95(query: QueryOfRound, isUncounted: boolean): Promise<Measured> {
  await prepared();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await ask(query(round), isUncounted));
  const p50 = percentile(times, 0.5).toFixed(1);
  return {
    ours: percentile(times, 0.95),
    reference: allowedMs,
    unit: "ms",
    against: `ms allowed at p95 (p50 ${p50} ms)`,
  };
}

/** The same documents from the full-text engine alone, in its order. */
async function toBareQuery(): Promise<Measured> {
  const { database } = await prepared();
  const [ours, reference]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const expression = `"${word(30 + round * 13)}"`;
    ours.push(await ask({ q: word(30 + round * 13) }));
    const start = performance.now();
    await sql`select rowid from search_text where search_text match ${expression} order by rank limit 10`.execute(
      database.db,
    );
    reference.push(performance.now() - start);
  }
  return {
    ours: percentile(ours, 0.5),
    reference: percentile(reference, 0.5),
    unit: "ms",
    against: "bare FTS5, first ten by rank",
  };
}

/** The longest block of the event loop during all kinds of searches. */
async function longestBlock(): Promise<Measured> {
  await prepared();
  const longest = await longestTurn(async () => {
    for (let round = 0; round < rounds; round += 1) {
      for (const [, query] of searchKinds) await ask(query(round));
      if (round % 10 === 0) await ask({ q: "a* OR b*", size: "10000" });
    }
  });
  return { ours: longest, reference: 50, unit: "ms", against: "ms that the loop may stand still" };
}

async function indexing(): Promise<Measured> {
  const { filled } = await prepared();
  return { ours: records / filled.indexSeconds, reference: 400, unit: "rec/s", against: "records a second, at least" };
}

async function indexSize(): Promise<Measured> {
  const { database, filled } = await prepared();
  const { rows } = await sql<{
    bytes: number;
  }>`select sum(pgsize) as bytes from dbstat where name like 'search%'`.execute(database.db);
  return {
    ours: (rows[0]?.bytes ?? 0) / 1e6,
    reference: filled.jsonBytes / 1e6,
    unit: "MB",
    against: "JSON of the records",
  };
}

async function memory(): Promise<Measured> {
  await prepared();
  const allowed = 400 + records / 2000;
  return { ours: process.memoryUsage().rss / 1e6, reference: allowed, unit: "MB", against: "MB allowed" };
}

const count = records.toLocaleString("en");

export const bench: BenchCase[] = [
  ...[true, false].flatMap((isUncounted) =>
    searchKinds.map(([name, query]) => ({
      name: `Search ${count}: ${name}, ${isUncounted ? "no facets" : "six facets"}`,
      reach: "<= 1",
      run: () => p95(query, isUncounted),
    })),
  ),
  // Before this thread queries the engine, because its connection keeps pages.
  { name: `Search ${count}: memory`, reach: "<= 1", run: memory },
  { name: `Search ${count}: one word, median`, reach: "<= 25", run: toBareQuery },
  { name: `Search ${count}: longest turn of the event loop`, reach: "<= 1", run: longestBlock },
  { name: `Search ${count}: indexing`, reach: ">= 1", run: indexing },
  { name: `Search ${count}: size of the index`, reach: "<= 5", run: indexSize },
];
