import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { openDatabase } from "../../shared/database/open.ts";
import { memoryOf, startBenchServer } from "../support/bench-server.ts";
import { HttpClient } from "../support/http-client.ts";
import { repository } from "../support/run.ts";
import type { BenchCase, Measured } from "./bench-case.ts";
import { giveRecords } from "./own-records.ts";

/** CARREL_BENCH_RECORDS=2000 copies fewer. */
const records = Number(process.env.CARREL_BENCH_RECORDS ?? 100_000);

interface Copied {
  seconds: number;
  firstScreenSeconds: number;
  peakMb: number;
}

let copied: Promise<Copied> | undefined;

function startReplica(
  data: string,
  server: string,
  token: string,
): Promise<{ child: ChildProcess; client: HttpClient }> {
  const args = ["replica", "--data", data, "--server", server, "--token", token, "--log-level", "error"];
  const child = fork(join(repository, "main/cli.ts"), args, { silent: true, execArgv: [] });
  child.stderr?.pipe(process.stderr);
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the replica ended with ${code}`)));
    child.stdout?.once("data", (line) => {
      const ready = JSON.parse(String(line));
      resolve({ child, client: new HttpClient(ready.url, ready.token) });
    });
  });
}

/** How many record families a replica has. */
async function heldIn(data: string): Promise<number> {
  const database = openDatabase(join(data, "carrel.sqlite"));
  const query = database.db.selectFrom("base").select((of) => of.fn.countAll<number>().as("count"));
  const row = await query.where("kind", "=", "family").executeTakeFirst();
  await database.close();
  return row?.count ?? 0;
}

/** A fresh replica on loopback, from its connecting until everything can be opened there; search follows later. */
async function copy(): Promise<Copied> {
  const server = await startBenchServer(async (data, userId) => {
    const database = openDatabase(join(data, "carrel.sqlite"));
    await giveRecords(database.db, userId, records);
    await database.close();
  });
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  const replicaData = join(server.folder, "replica");
  const { child, client } = await startReplica(replicaData, server.url, server.token);
  try {
    let firstScreenSeconds = Number.NaN;
    let peakMb = 0;
    for (;;) {
      if (Number.isNaN(firstScreenSeconds)) {
        const { body } = await client.get("/api/user/records");
        if (body.hits.hits.length >= 10) firstScreenSeconds = seconds();
      }
      peakMb = Math.max(peakMb, await memoryOf(child.pid ?? 0));
      if ((await heldIn(replicaData)) === records) return { seconds: seconds(), firstScreenSeconds, peakMb };
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } finally {
    child.removeAllListeners("exit");
    child.kill("SIGKILL");
    await server.close();
  }
}

async function measured(figure: keyof Copied, allowed: number, unit: string): Promise<Measured> {
  copied ??= copy();
  return { ours: (await copied)[figure], reference: allowed, unit, against: `${unit} allowed` };
}

const what = `first copy of ${records.toLocaleString("en")} records`;

export const bench: BenchCase[] = [
  { name: what, reach: "<= 1", run: () => measured("seconds", 20, "s") },
  { name: `${what}, first screen`, reach: "<= 1", run: () => measured("firstScreenSeconds", 2, "s") },
  { name: `${what}, memory`, reach: "<= 1", run: () => measured("peakMb", 300, "MB") },
];
