import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { openDatabase } from "../../shared/database/open.ts";
import { anonymous } from "../../shared/kernel/caller.ts";
import { defaultSettings } from "../../shared/kernel/settings.ts";
import { recordSearchRules, recordSearchService } from "../../shared/search/record-search.service.ts";
import { readSearch } from "../../shared/search/search-parameters.ts";
import { repository } from "../support/run.ts";
import { multiplyRecords } from "./multiply-records.ts";
import { fillWithRecords } from "./record-generator.ts";
import { searchKinds } from "./search-kinds.ts";

/**
 * `npm run bench:tenfold [-- RECORDS]`: the first page among so many records (100,000) and among ten times as many, in
 * milliseconds of the processor. Takes a core for an hour the first time; the databases are kept in test-results.
 */
const records = Number(process.argv[2] ?? 100_000);
const folder = join(repository, "test-results");
const rounds = 20;
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

async function made(count: number, fill: (file: string) => Promise<void>): Promise<string> {
  const file = join(folder, `tenfold-${count}.sqlite`);
  if (existsSync(`${file}.made`)) return file;
  say(`making ${count.toLocaleString("en")} records`);
  await fill(file);
  copyFileSync("/dev/null", `${file}.made`);
  return file;
}

async function filled(file: string): Promise<void> {
  const { db, close } = openDatabase(file);
  await fillWithRecords(db, records);
  await close();
}

async function multiplied(file: string, from: string): Promise<void> {
  copyFileSync(from, file);
  const { db, close } = openDatabase(file);
  await sql`pragma synchronous = off`.execute(db);
  await multiplyRecords(db, 10);
  await close();
}

const cpuMs = (): number => Object.values(process.cpuUsage()).reduce((sum, part) => sum + part) / 1000;

/** The median of each kind of search, facets included. */
async function medians(file: string): Promise<{ times: Map<string, number>; totalMb: number }> {
  const { db, close } = openDatabase(file);
  const service = recordSearchService({ now: () => Date.now() * 1000, settings: defaultSettings });
  const times = new Map<string, number>();
  for (const [name, ask] of searchKinds.filter(([title]) => !title.startsWith("page"))) {
    const taken: number[] = [];
    for (let round = -2; round < rounds; round += 1) {
      const request = readSearch(ask(Math.abs(round)), recordSearchRules);
      const start = cpuMs();
      await service.search(db, { caller: anonymous, request, scope: "published" });
      if (round >= 0) taken.push(cpuMs() - start);
    }
    times.set(name, taken.sort((a, b) => a - b)[rounds >> 1] ?? Number.NaN);
  }
  const totalMb = process.memoryUsage().rss / 1e6;
  await service.close();
  await close();
  return { times, totalMb };
}

mkdirSync(folder, { recursive: true });
const small = await made(records, filled);
const large = await made(records * 10, (file) => multiplied(file, small));
const [few, many] = [await medians(small), await medians(large)];
let isReached = true;
for (const [name, before] of few.times) {
  const after = many.times.get(name) ?? Number.NaN;
  isReached &&= after <= 3 * before;
  const ratio = (after / before).toFixed(2).padStart(6);
  say(
    `${name.padEnd(26)} ${before.toFixed(1).padStart(7)} ms  ${after.toFixed(1).padStart(8)} ms  ratio ${ratio}  ${after <= 3 * before ? "reached" : "NOT REACHED"}`,
  );
}
say(`memory ${few.totalMb.toFixed(0)} MB, then ${many.totalMb.toFixed(0)} MB`);
process.exitCode = isReached ? 0 : 1;
