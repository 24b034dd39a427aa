import { join } from "node:path";
import { type Db, openDatabase, openForReading } from "../../shared/database/open.ts";
import { rebuildIndex } from "../../shared/search/sqlite/index-job.ts";
import { memoryOf, startBenchReplica, startBenchServer } from "../support/bench-server.ts";
import type { BenchCase, Measured } from "./bench-case.ts";
import { giveRecords } from "./own-records.ts";
import { pouchdbCopyRate } from "./pouchdb-copy.ts";

/** CARREL_BENCH_RECORDS=2000 copies fewer. */
const records = Number(process.env.CARREL_BENCH_RECORDS ?? 100_000);

interface Copied {
  seconds: number;
  firstScreenSeconds: number;
  peakMb: number;
}

let copied: Promise<Copied> | undefined;

/** How many record families a replica has. */
async function heldIn(db: Db): Promise<number> {
  const query = db.selectFrom("base").select((of) => of.fn.countAll<number>().as("count"));
  return (await query.where("kind", "=", "family").executeTakeFirst())?.count ?? 0;
}

/** Connects a new replica on loopback. Measures until everything can be opened; indexing follows later. */
async function copy(): Promise<Copied> {
  const server = await startBenchServer(async (data, userId) => {
    const database = openDatabase(join(data, "carrel.sqlite"));
    // Marks the empty index as complete, so that a server does not rebuild it at each start.
    await rebuildIndex(database.db);
    await giveRecords(database.db, userId, records);
    await database.close();
  });
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  const replicaData = join(server.folder, "replica");
  const { child, client } = await startBenchReplica(replicaData, server);
  const held = openForReading(join(replicaData, "carrel.sqlite"));
  try {
    let firstScreenSeconds = Number.NaN;
    let peakMb = 0;
    for (;;) {
      if (Number.isNaN(firstScreenSeconds)) {
        const { body } = await client.get("/api/user/records");
        if (body.hits.hits.length >= 10) firstScreenSeconds = seconds();
      }
      peakMb = Math.max(peakMb, await memoryOf(child.pid ?? 0));
      if ((await heldIn(held)) === records) return { seconds: seconds(), firstScreenSeconds, peakMb };
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } finally {
    child.removeAllListeners("exit");
    child.kill("SIGKILL");
    await held.destroy();
    await server.close();
  }
}

async function measured(figure: keyof Copied, allowed: number, unit: string): Promise<Measured> {
  copied ??= copy();
  return { ours: (await copied)[figure], reference: allowed, unit, against: `${unit} allowed` };
}

/** PouchDB takes a few seconds for these documents. */
const documents = Math.min(records, 10_000);

/** Records a second, compared with PouchDB replicating the same JSON between two stores. */
async function besidePouchdb(): Promise<Measured> {
  const reference = await pouchdbCopyRate(documents);
  copied ??= copy();
  const ours = records / (await copied).seconds;
  return { ours, reference, unit: "/s", against: `/s PouchDB, of ${documents.toLocaleString("en")}` };
}

const what = `first copy of ${records.toLocaleString("en")} records`;

export const bench: BenchCase[] = [
  { name: what, reach: "<= 1", run: () => measured("seconds", 20, "s") },
  { name: `${what} beside PouchDB`, reach: ">= 1", run: besidePouchdb },
  { name: `${what}, first screen`, reach: "<= 1", run: () => measured("firstScreenSeconds", 2, "s") },
  { name: `${what}, memory`, reach: "<= 1", run: () => measured("peakMb", 300, "MB") },
];
