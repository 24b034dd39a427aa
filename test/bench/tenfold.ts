import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../shared/database/open.ts";
import { repository } from "../support/run.ts";
import { servePages, type Taken } from "./first-page.ts";
import { multiplyRecords } from "./multiply-records.ts";
import { quiet } from "./processor-time.ts";
import { fillWithRecords } from "./record-generator.ts";
import { type Ask, searchKinds } from "./search-kinds.ts";

/**
 * `npm run bench:tenfold [-- RECORDS]`: the first page among so many records (100,000) and among ten times as many, in
 * milliseconds of the processor. Both are copies of a tenth of the smaller one, with short texts; a million takes some
 * ten minutes and 10 GB the first time. The databases are kept in test-results, or where CARREL_BENCH_FOLDER says.
 */
const records = Number(process.argv[2] ?? 100_000);
const folder = process.env.CARREL_BENCH_FOLDER ?? join(repository, "test-results");
const rounds = 40;
const kinds = searchKinds.filter(([name]) => !name.startsWith("page"));
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

/** Of one kind, ascending. */
interface Times {
  pages: number[];
  searches: number[];
}

/** How long each kind of search takes, facets included. */
async function measured(file: string): Promise<{ times: Map<string, Times>; totalMb: number }> {
  const server = await servePages(file);
  const times = new Map<string, Times>();
  await server.ask({});
  await quiet();
  for (const [name, ask] of kinds) {
    const all: Taken[] = [];
    // Before it counts, the kind is asked with words that do not come again.
    for (let round = -2; round < rounds; round += 1) {
      const taken = await server.ask(ask(round < 0 ? rounds - round : round));
      if (round >= 0) all.push(taken);
    }
    const ascending = (of: (taken: Taken) => number): number[] => all.map(of).sort((a, b) => a - b);
    times.set(name, { pages: ascending(({ pageMs }) => pageMs), searches: ascending(({ searchMs }) => searchMs) });
  }
  const totalMb = process.memoryUsage().rss / 1e6;
  await server.close();
  return { times, totalMb };
}

/** The median of few, then of many, how many times longer these take, and the 95th of a hundred of both. */
function compared(few: number[], many: number[]): { ratio: number; text: string } {
  const at = (times: number[], part: number): number => times[Math.floor(times.length * part)] ?? Number.NaN;
  const ratio = at(many, 0.5) / at(few, 0.5);
  const shown = (part: number): string =>
    `${at(few, part).toFixed(1).padStart(5)} ${at(many, part).toFixed(1).padStart(5)}`;
  return { ratio, text: `${shown(0.5)} ms ${ratio.toFixed(2).padStart(5)} (p95 ${shown(0.95)})` };
}

mkdirSync(folder, { recursive: true });
const base = await made(records / 10, filled);
const small = await made(records, (file) => multiplyRecords(base, file, 10));
const large = await made(records * 10, (file) => multiplyRecords(base, file, 100));
const [few, many] = [await measured(small), await measured(large)];
let isReached = true;
for (const [name, ask] of kinds) {
  const [before, after] = [few.times.get(name), many.times.get(name)];
  if (!before || !after) continue;
  const page = compared(before.pages, after.pages);
  const search = compared(before.searches, after.searches);
  const verdict = page.ratio <= 3 ? "reached" : "NOT REACHED";
  isReached &&= page.ratio <= 3;
  say(
    `${name.padEnd(24)} ${`${differentOf(ask)} different`.padStart(12)}  first page ${page.text} ${verdict.padEnd(11)}  its search ${search.text}`,
  );
}
say(`memory ${few.totalMb.toFixed(0)} MB, then ${many.totalMb.toFixed(0)} MB`);
process.exitCode = isReached ? 0 : 1;
