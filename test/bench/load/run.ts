import { fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseCommandLine } from "../../../shared/kernel/command-line.ts";
import { UsageError } from "../../../shared/kernel/usage-error.ts";
import { type BenchServer, startBenchServer } from "../../support/bench-server.ts";
import type { ArrivalsOrder, ArrivalsReport, KindReport } from "./arrivals.ts";
import { fillLibrary, mixFor } from "./mix.ts";

const help = `usage: npm run load -- [--seconds 60] [--rate 2000] [--records 5000] [--connections 64] [--warm-up 5]

Sends a mix of reads, searches, downloads and writes to a server in a process of its own, each call at its own moment
whatever became of those before. Prints calls, failures and latencies of each kind, and memory and processor time of the
server. Exit code 1 when a call failed, 2 for a wrong call.

  --seconds N      how long calls are counted
  --rate N         calls a second, of all kinds together
  --records N      published records at the start
  --connections N  the most connections at once
  --warm-up N      seconds before, that are not counted
`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function parsed() {
  try {
    const text = { type: "string" } as const;
    const { values } = parseCommandLine(process.argv.slice(2), {
      seconds: { ...text, default: "60" },
      rate: { ...text, default: "2000" },
      records: { ...text, default: "5000" },
      connections: { ...text, default: "64" },
      "warm-up": { ...text, default: "5" },
      help: { type: "boolean", default: false },
    });
    const number = (name: "seconds" | "rate" | "records" | "connections" | "warm-up") => {
      if (!/^\d+$/.test(values[name])) throw new UsageError(`--${name} must be a number, not '${values[name]}'.`);
      return Number(values[name]);
    };
    return {
      isHelp: values.help,
      seconds: number("seconds"),
      rate: number("rate"),
      records: number("records"),
      connections: number("connections"),
      warmUpSeconds: number("warm-up"),
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message} See --help.\n`);
    process.exit(2);
  }
}

/** Processor time of a process so far in milliseconds; undefined where the system has no /proc. */
async function cpuOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  // Fields 14 and 15 of proc(5), in ticks of 10 ms.
  return fields && (Number(fields[11]) + Number(fields[12])) * 10;
}

function arrivals(order: ArrivalsOrder): Promise<ArrivalsReport> {
  const child = fork(fileURLToPath(new URL("arrivals.ts", import.meta.url)), { execArgv: [] });
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as ArrivalsReport));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The arrivals ended with ${code} and no report.`)));
    child.send(order);
  });
}

/** The server's memory in MB, each second while the work goes on. */
async function memoryWhile<T>(server: BenchServer, work: Promise<T>): Promise<{ result: T; memoryMb: number[] }> {
  const memoryMb: number[] = [];
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      memoryMb.push(await server.memoryMb());
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  })();
  const result = await work.finally(() => {
    isDone = true;
  });
  await watching;
  return { result, memoryMb };
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** The medians of ten stretches of equal length. */
function tenths(values: number[]): number[] {
  const length = Math.max(1, Math.ceil(values.length / 10));
  return Array.from({ length: Math.ceil(values.length / length) }, (_, at) =>
    Math.round(median(values.slice(at * length, (at + 1) * length))),
  );
}

const columns = ["p50", "p95", "p99", "max"] as const;
const cells = (name: string, numbers: string[]): string =>
  name.padEnd(18) + numbers.map((text) => text.padStart(10)).join("");

function sayKind({ name, calls, failures, latencyMs }: KindReport): void {
  const statuses = Object.entries(failures).map(([status, count]) => `${count} with ${status}`);
  const times = columns.map((column) => latencyMs[column].toFixed(1));
  print(`${cells(name, [String(calls), ...times])}   ${statuses.join(", ") || "none"}`);
}

const { isHelp, records, ...asked } = parsed();
if (isHelp) {
  process.stdout.write(help);
  process.exit(0);
}
let tokens: string[] = [];
print(`A library of ${records} records and its people are made …`);
const server = await startBenchServer(async (data) => {
  tokens = await fillLibrary(data, records);
});
try {
  const { hostname, port } = new URL(server.url);
  const kinds = await mixFor(server.url, tokens, records);
  const before = await cpuOf(server.pid);
  print(`${asked.rate} calls a second for ${asked.warmUpSeconds} + ${asked.seconds} seconds …`);
  const order = { host: hostname, port: Number(port), kinds, ...asked };
  const { result, memoryMb } = await memoryWhile(server, arrivals(order));
  const after = await cpuOf(server.pid);
  print(`${cells("", ["calls", ...columns])}   failures (latency in ms from the moment a call was due)`);
  for (const kind of [...result.kinds, result.all]) sayKind(kind);
  const share = (ms: number) => `${Math.round((ms / result.elapsedMs) * 100)} % of a core`;
  const answeredSeconds = result.elapsedMs / 1000 - asked.warmUpSeconds;
  print(`answered: ${(result.all.calls / answeredSeconds).toFixed(0)} calls a second (${asked.rate} were asked for)`);
  print(
    `server: memory ${tenths(memoryMb).join(" ")} MB (medians of tenths of the run), most ${Math.max(...memoryMb).toFixed(0)}`,
  );
  if (before !== undefined && after !== undefined) print(`server: ${share(after - before)}`);
  const { latestMs, longestQueue, cpuMs } = result;
  print(
    `load: ${share(cpuMs)}, late by ${latestMs.toFixed(0)} ms at most, ${longestQueue} calls waited for a connection`,
  );
  process.exitCode = Object.keys(result.all.failures).length > 0 ? 1 : 0;
} finally {
  await server.close();
}
