import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "../../shared/database/open.ts";
import { rebuildIndex } from "../../shared/search/sqlite/index-job.ts";
import { repository } from "../support/run.ts";
import { fillWithRecords } from "./record-generator.ts";

/** CARREL_BENCH_RECORDS=1000000 measures ten times as many. The filled database is kept for the next run. */
export const records = Number(process.env.CARREL_BENCH_RECORDS ?? 100_000);
const generation = 5;
const folder = join(repository, "test-results");

export interface Library {
  file: string;
  jsonBytes: number;
  indexSeconds: number;
}

/** The database of the measurements. The first call fills it. */
export async function library(): Promise<Library> {
  const file = join(folder, `search-${records}-${generation}.sqlite`);
  const notes = `${file}.json`;
  await mkdir(folder, { recursive: true });
  if (!existsSync(notes)) {
    for (const end of ["", "-wal", "-shm"]) await rm(file + end, { force: true });
    const database = openDatabase(file);
    // Marks the empty index as complete, so that a server does not rebuild it at each start.
    await rebuildIndex(database.db);
    const filled = await fillWithRecords(database.db, records);
    await database.close();
    await writeFile(notes, JSON.stringify(filled));
  }
  return { file, ...JSON.parse(await readFile(notes, "utf8")) };
}
