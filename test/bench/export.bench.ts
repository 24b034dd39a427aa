import { fork } from "node:child_process";
import { constants, copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openServer } from "../../server/open-server.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import type { ExportOrder, ExportReport } from "../support/export-client.ts";
import type { BenchCase, Measured } from "./bench-case.ts";
import { longestTurn, quiet } from "./processor-time.ts";
import { library } from "./search-library.ts";

const window = "/api/records?size=10000";
/** The most common formats, and the slowest: every value in a column of its own, and XML. */
const kinds: Readonly<Record<string, string>> = {
  JSON: "application/json",
  "DataCite XML": "application/vnd.datacite.datacite+xml",
  "full CSV": "application/vnd.inveniordm.v1.full+csv",
};

interface Exported extends ExportReport {
  longestTurnMs: number;
  grownMb: number;
}

/** A server in this process over a copy of the library, so that its event loop can be measured. */
async function withServer<R>(work: (url: string) => Promise<R>): Promise<R> {
  const { file } = await library();
  const folder = await mkdtemp(join(tmpdir(), "carrel-bench-"));
  const dataDir = join(folder, "server");
  await mkdir(dataDir);
  await copyFile(file, join(dataDir, "carrel.sqlite"), constants.COPYFILE_FICLONE);
  const place = { dataDir, hostName: "127.0.0.1", port: 0, settings: defaultSettings };
  const server = await openServer({ ...place, environment: machineEnvironment(), log: createLog("error") });
  try {
    await quiet();
    return await work(server.url);
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A process that fetches all hits, and makes other calls meanwhile. */
function requested(order: ExportOrder): Promise<ExportReport> {
  const child = fork(fileURLToPath(new URL("../support/export-client.ts", import.meta.url)), { execArgv: [] });
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as ExportReport));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the client ended with ${code} and no report`)));
    child.send(order);
  });
}

async function exported(url: string, accept: string): Promise<Exported> {
  const idle = process.memoryUsage().rss;
  let highest = idle;
  const watch = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage().rss);
  }, 20);
  let report: ExportReport | undefined;
  const longestTurnMs = await longestTurn(async () => {
    report = await requested({ url, path: window, accept });
  });
  clearInterval(watch);
  if (!report) throw new Error("no report");
  return { ...report, longestTurnMs, grownMb: (highest - idle) / 1e6 };
}

let all: Promise<Map<string, Exported>> | undefined;

const measuredAll = (): Promise<Map<string, Exported>> =>
  withServer(async (url) => {
    const found = new Map<string, Exported>();
    await exported(url, "application/json");
    for (const [name, accept] of Object.entries(kinds)) found.set(name, await exported(url, accept));
    return found;
  });

async function of(name: string, measure: (taken: Exported) => Measured): Promise<Measured> {
  all ??= measuredAll();
  const taken = (await all).get(name);
  if (!taken) throw new Error(`${name} was not measured`);
  return measure(taken);
}

const highest = (times: readonly number[]): number => Math.max(...times);
const middle = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;

export const bench: BenchCase[] = Object.keys(kinds).flatMap((name): BenchCase[] => {
  const title = `export of 10,000 hits as ${name}`;
  return [
    {
      name: `${title}: longest turn of the event loop`,
      reach: "<= 1",
      run: () =>
        of(name, ({ longestTurnMs, totalMs, bytes }) => ({
          ours: longestTurnMs,
          reference: 50,
          unit: "ms",
          against: `ms allowed (${(totalMs / 1000).toFixed(1)} s in all, ${(bytes / 1e6).toFixed(0)} MB)`,
        })),
    },
    {
      name: `${title}: /ping meanwhile`,
      reach: "<= 1",
      run: () =>
        of(name, ({ pingsMs }) => ({
          ours: middle(pingsMs),
          reference: 50,
          unit: "ms",
          against: `ms allowed (at most ${highest(pingsMs).toFixed(0)} ms)`,
        })),
    },
    {
      name: `${title}: lists beside it that come whole`,
      reach: ">= 1",
      run: () =>
        of(name, ({ requested, whole }) => ({
          ours: whole,
          reference: requested,
          unit: "lists",
          against: "asked with gzip",
        })),
    },
    {
      name: `${title}: memory`,
      reach: "<= 1",
      run: () => of(name, ({ grownMb }) => ({ ours: grownMb, reference: 100, unit: "MB", against: "MB more allowed" })),
    },
  ];
});
