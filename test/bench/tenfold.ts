import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../shared/database/open.ts";
import { anonymous } from "../../shared/kernel/caller.ts";
import { defaultSettings } from "../../shared/kernel/settings.ts";
import { recordSearchRules, recordSearchService } from "../../shared/search/record-search.service.ts";
import { readSearch } from "../../shared/search/search-parameters.ts";
import { repository } from "../support/run.ts";
import { multiplyRecords, openUnchecked } from "./multiply-records.ts";
import { cpuMs, quiet } from "./processor-time.ts";
import { fillWithRecords } from "./record-generator.ts";
import { type Ask, searchKinds } from "./search-kinds.ts";

/**
 * `npm run bench:tenfold [-- RECORDS]`: the first page among so many records (100,000) and among ten times as many, in
 * milliseconds of the processor. Both are copies of a tenth of the smaller one, with short texts; a million takes some
 * ten minutes and 10 GB the first time. The databases are kept in test-results, or where CARREL_BENCH_FOLDER says.
 */
const records = Number(process.argv[2] ?? 100_000);
const folder = process.env.CARREL_BENCH_FOLDER ?? join(repository, "test-results");
const rounds = 20;
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

async function made(count: number, fill: (file: string) => Promise<void>): Promise<string> {
  const file = join(folder, `tenfold-${count}.sqlite`);
  if (existsSync(`${file}.made`)) return file;
  for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
  const start = performance.now();
  await fill(file);
  writeFileSync(`${file}.made`, "");
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  say(`${count.toLocaleString("en")} records made in ${seconds} s, ${(statSync(file).size / 1e6).toFixed(0)} MB`);
  return file;
}

async function filled(file: string): Promise<void> {
  const { db, close } = openDatabase(file);
  await fillWithRecords(db, records / 10, { descriptionWords: 25 });
  await close();
}

/** How many different searches of a kind are asked: what was asked before is remembered. */
const differentOf = (ask: Ask): number =>
  new Set(Array.from({ length: rounds }, (_, round) => JSON.stringify(ask(round)))).size;

/** The median of each kind of search, facets included. */
async function medians(file: string): Promise<{ times: Map<string, number>; totalMb: number }> {
  const db = openUnchecked(file);
  const service = recordSearchService({ now: () => Date.now() * 1000, settings: defaultSettings });
  const times = new Map<string, number>();
  await service.prepare(db);
  await quiet();
  for (const [name, ask] of searchKinds.filter(([title]) => !title.startsWith("page"))) {
    const taken: number[] = [];
    // Before it counts, the kind is asked with words that do not come again.
    for (let round = -2; round < rounds; round += 1) {
      const request = readSearch(ask(round < 0 ? rounds - round : round), recordSearchRules);
      const start = cpuMs();
      await service.search(db, { caller: anonymous, request, scope: "published" });
      if (round >= 0) taken.push(cpuMs() - start);
    }
    times.set(name, taken.sort((a, b) => a - b)[rounds >> 1] ?? Number.NaN);
  }
  const totalMb = process.memoryUsage().rss / 1e6;
  await service.close();
  await db.destroy();
  return { times, totalMb };
}

mkdirSync(folder, { recursive: true });
const base = await made(records / 10, filled);
const small = await made(records, (file) => multiplyRecords(base, file, 10));
const large = await made(records * 10, (file) => multiplyRecords(base, file, 100));
const [few, many] = [await medians(small), await medians(large)];
let isReached = true;
for (const [name, ask] of searchKinds) {
  const before = few.times.get(name);
  if (before === undefined) continue;
  const after = many.times.get(name) ?? Number.NaN;
  isReached &&= after <= 3 * before;
  const ratio = (after / before).toFixed(2).padStart(6);
  const different = `${differentOf(ask)} different`.padStart(13);
  say(
    `${name.padEnd(26)} ${different} ${before.toFixed(1).padStart(7)} ms  ${after.toFixed(1).padStart(8)} ms  ratio ${ratio}  ${after <= 3 * before ? "reached" : "NOT REACHED"}`,
  );
}
say(`memory ${few.totalMb.toFixed(0)} MB, then ${many.totalMb.toFixed(0)} MB`);
process.exitCode = isReached ? 0 : 1;
