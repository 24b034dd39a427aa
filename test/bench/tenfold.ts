import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../shared/database/open.ts";
import { repository } from "../support/run.ts";
import { type PageServer, servePages, type Taken } from "./first-page.ts";
import { multiplyRecords } from "./multiply-records.ts";
import { quiet } from "./processor-time.ts";
import { fillWithRecords } from "./record-generator.ts";
import { type QueryOfRound, searchKinds } from "./search-kinds.ts";

/**
 * `npm run bench:tenfold [-- RECORDS]`: the first page among RECORDS (100,000) and ten times as many, in elapsed
 * milliseconds. Both databases are multiplied from a tenth of the smaller one, with short texts. A million takes ten
 * minutes and 10 GB the first time. The databases are kept in test-results, or in CARREL_BENCH_FOLDER.
 */
const records = Number(process.argv[2] ?? 100_000);
const folder = process.env.CARREL_BENCH_FOLDER ?? join(repository, "test-results");
const rounds = 40;
const kinds = searchKinds.filter(([name]) => !name.startsWith("page"));
const print = (text: string): boolean => process.stdout.write(`${text}\n`);

async function ensureLibrary(count: number, fill: (file: string) => Promise<void>): Promise<string> {
  const file = join(folder, `tenfold-${count}.sqlite`);
  if (existsSync(`${file}.made`)) return file;
  for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
  const start = performance.now();
  await fill(file);
  writeFileSync(`${file}.made`, "");
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  print(`${count.toLocaleString("en")} records made in ${seconds} s, ${(statSync(file).size / 1e6).toFixed(0)} MB`);
  return file;
}

async function fillLibrary(file: string): Promise<void> {
  const { db, close } = openDatabase(file);
  await fillWithRecords(db, records / 10, { descriptionWords: 25 });
  await close();
}

/** The number of different searches of a kind; answers to repeated ones are cached. */
const differentOf = (ask: QueryOfRound): number =>
  new Set(Array.from({ length: rounds }, (_, round) => JSON.stringify(ask(round)))).size;

/** Times of one kind, among few records and among many. */
interface Times {
  few: Taken[];
  many: Taken[];
}

/** Times of each kind of search with facets. Alternates the servers, so that other load affects both. */
async function measure(few: PageServer, many: PageServer): Promise<Map<string, Times>> {
  const all = new Map<string, Times>();
  for (const [name, ask] of kinds) {
    const times: Times = { few: [], many: [] };
    for (let round = 0; round < rounds; round += 1) {
      const parameters = ask(round);
      times.few.push(await few.ask(parameters));
      times.many.push(await many.ask(parameters));
    }
    all.set(name, times);
  }
  return all;
}

/** Starts a server over a library and waits until it is idle. */
async function startServer(file: string): Promise<PageServer> {
  const server = await servePages(file);
  await server.ask({});
  await quiet();
  return server;
}

const at = (times: readonly number[], part: number): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN;

/** The medians, their ratio, and the 95th percentiles. */
function compare({ few, many }: Times, of: (taken: Taken) => number): { ratio: number; text: string } {
  const ratio = at(many.map(of), 0.5) / at(few.map(of), 0.5);
  const shown = (part: number): string =>
    [few, many].map((times) => at(times.map(of), part).toFixed(1).padStart(5)).join(" ");
  return { ratio, text: `${shown(0.5)} ms ${ratio.toFixed(2).padStart(5)} (p95 ${shown(0.95)})` };
}

mkdirSync(folder, { recursive: true });
const base = await ensureLibrary(records / 10, fillLibrary);
const small = await ensureLibrary(records, (file) => multiplyRecords(base, file, 10));
const large = await ensureLibrary(records * 10, (file) => multiplyRecords(base, file, 100));
const memoryMb = (): number => process.memoryUsage().rss / 1e6;
const few = await startServer(small);
const ofFew = memoryMb();
const many = await startServer(large);
const ofBoth = memoryMb();
let isReached = true;
const taken = await measure(few, many);
for (const [name, ask] of kinds) {
  const times = taken.get(name);
  if (!times) continue;
  const page = compare(times, ({ pageMs }) => pageMs);
  const search = compare(times, ({ searchMs }) => searchMs);
  const verdict = page.ratio <= 3 ? "reached" : "NOT REACHED";
  isReached &&= page.ratio <= 3;
  const different = `${differentOf(ask)} different`.padStart(12);
  print(`${name.padEnd(24)} ${different}  first page ${page.text} ${verdict.padEnd(11)}  its search ${search.text}`);
}
print(
  `memory ${ofFew.toFixed(0)} MB, with the large one ${ofBoth.toFixed(0)} MB, in the end ${memoryMb().toFixed(0)} MB`,
);
await few.close();
await many.close();
process.exitCode = isReached ? 0 : 1;
