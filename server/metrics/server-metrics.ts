import { statfs } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Request, RequestHandler, Response } from "express";
import { contention } from "../../shared/database/contention.ts";
import { jobRuns } from "../../shared/kernel/job.ts";
import { isVerb, type RouteCall } from "../../shared/kernel/route-facts.ts";
import { version } from "../../shared/version.ts";
import { Counter, type Family, gauge, Histogram, metricsText, type Sample } from "./metric-families.ts";

/** What is read from the parts of a running server. */
export interface Watched {
  /** What keeps the process from being ready; undefined when it is. */
  missing(): Promise<string | undefined>;
  /** Open live documents, and connections to them. */
  live(): { documents: number; sockets: number };
  mail(): Promise<Record<string, number>>;
  dois(): Promise<Record<string, number>>;
  stored(): Promise<{ blobs: number; bytes: number }>;
  dataDir: string;
}

/** The metrics of a server process. Labels hold no ids, names or addresses of objects and people. */
export interface ServerMetrics {
  /** Counts every request; stands before everything else. */
  observe: RequestHandler;
  watch(server: Watched): void;
  /** All metrics in the Prometheus text format. */
  text(): Promise<string>;
  stop(): void;
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const queueMs = 60_000;
const storedMs = 300_000;

/** Counting takes long in a large database, and a scraper asks every few seconds. */
function atMostEvery<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let known: { at: number; value: Promise<T> } | undefined;
  return () => {
    if (known === undefined || performance.now() - known.at > ms) {
      const value = read();
      known = { at: performance.now(), value };
      value.catch(() => {
        known = undefined;
      });
    }
    return known.value;
  };
}

/** The pattern of the call's route; `none` for a page that was kept, a file of the app, and what does not exist. */
const routeLabel = (res: Response): string => (res.locals.route as RouteCall | undefined)?.pattern ?? "none";
const methodLabel = ({ method }: Request): string => (isVerb(method) ? method : "other");
/** `cut`: the client left before the answer began. */
const statusLabel = (res: Response): string => (res.headersSent ? String(res.statusCode) : "cut");

function requestFamilies(): { observe: RequestHandler; families: Family[] } {
  const requests = new Counter("carrel_http_requests_total", "Answered requests");
  const duration = new Histogram("carrel_http_request_duration_seconds", "Time until the answer has ended", seconds);
  const open = new Set<Response>();
  const readOpen = (): Sample[] => {
    const counts = new Map<string, number>();
    for (const res of open) counts.set(routeLabel(res), (counts.get(routeLabel(res)) ?? 0) + 1);
    return [...counts].map(([route, value]) => ({ labels: { route }, value }));
  };
  const observe: RequestHandler = (req, res, next) => {
    const started = performance.now();
    open.add(res);
    res.once("close", () => {
      open.delete(res);
      const labels = { method: methodLabel(req), route: routeLabel(res) };
      requests.add({ ...labels, status: statusLabel(res) });
      duration.observe(labels, (performance.now() - started) / 1000);
    });
    next();
  };
  const help = "Requests under way: event streams, waiting polls and uploads among them";
  return { observe, families: [requests, duration, gauge("carrel_http_requests_open", help, readOpen)] };
}

const one = (value: number): Sample[] => [{ value }];
const byState = (queue: string, counts: Record<string, number>): Sample[] =>
  Object.entries(counts).map(([state, value]) => ({ labels: { queue, state }, value }));

function serverFamilies({ missing, live, mail, dois, stored, dataDir }: Watched): Family[] {
  const queues = atMostEvery(queueMs, async () => [...byState("mail", await mail()), ...byState("doi", await dois())]);
  const sums = atMostEvery(storedMs, stored);
  return [
    gauge("carrel_ready", "1 while the process may be sent calls", async () => one((await missing()) ? 0 : 1)),
    gauge("carrel_live_documents", "Drafts that are edited live", () => one(live().documents)),
    gauge("carrel_live_sockets", "WebSocket connections", () => one(live().sockets)),
    gauge("carrel_queue_length", "Mail and DOI registrations that are not done", queues),
    gauge("carrel_blobs", "Stored contents of files", async () => one((await sums()).blobs)),
    gauge("carrel_blob_bytes", "Bytes of stored contents", async () => one((await sums()).bytes)),
    gauge("carrel_disk_free_bytes", "Free bytes on the disk of the data folder", async () => {
      const { bavail, bsize } = await statfs(dataDir);
      return one(bavail * bsize);
    }),
  ];
}

function jobFamilies(): Family[] {
  const read = (pick: (run: { runs: number; failures: number; succeeded: number }) => number) => () =>
    [...jobRuns].map(([job, run]) => ({ labels: { job }, value: pick(run) }));
  return [
    gauge(
      "carrel_job_runs_total",
      "Runs of work in the background",
      read(({ runs }) => runs),
      "counter",
    ),
    gauge(
      "carrel_job_failures_total",
      "Failed runs",
      read(({ failures }) => failures),
      "counter",
    ),
    gauge(
      "carrel_job_succeeded_seconds",
      "Time of the last run without a failure",
      read(({ succeeded }) => succeeded),
    ),
  ];
}

const databaseFamilies: Family[] = [
  gauge("carrel_database_repeats_total", "Repeats after a conflict", () => one(contention.repeats), "counter"),
  gauge("carrel_database_refused_total", "Writes given up, answered 503", () => one(contention.refused), "counter"),
  gauge("carrel_database_busy_total", "Writes that could not lock SQLite", () => one(contention.busy), "counter"),
];

function processFamilies(): { families: Family[]; stop(): void } {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const lag = (): Sample[] => {
    const samples = [0.5, 0.99, 1].map((quantile) => ({
      labels: { quantile: String(quantile) },
      value: delay.percentile(quantile * 100) / 1e9,
    }));
    delay.reset();
    return samples;
  };
  const started = Date.now() / 1000 - process.uptime();
  const families = [
    gauge("carrel_build_info", "Version of the program", () => [{ labels: { version }, value: 1 }]),
    gauge("nodejs_eventloop_lag_seconds", "Delay of the event loop since the last scrape", lag),
    gauge("process_cpu_seconds_total", "Processor time", () => one(processorSeconds()), "counter"),
    gauge("process_resident_memory_bytes", "Memory of the process", () => one(process.memoryUsage.rss())),
    gauge("process_start_time_seconds", "Start of the process", () => one(started)),
  ];
  return { families, stop: () => delay.disable() };
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

export function serverMetrics(): ServerMetrics {
  const requests = requestFamilies();
  const own = processFamilies();
  let watched: Family[] = [];
  return {
    observe: requests.observe,
    watch(server) {
      watched = serverFamilies(server);
    },
    text: () => metricsText([...requests.families, ...watched, ...jobFamilies(), ...databaseFamilies, ...own.families]),
    stop: own.stop,
  };
}
