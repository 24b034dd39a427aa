import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { LoadOrder, LoadReport } from "./load-generator.ts";

export interface LoadOptions {
  headers?: Record<string, string>;
  method?: string;
  /** JSON, sent with each call. */
  body?: string;
  seconds?: number;
  connections?: number;
}

export interface Throughput {
  perSecond: number;
  latencyMs: { p50: number; p95: number; p99: number };
  answers: number;
  failures: number;
}

function requestText(url: URL, { headers = {}, method = "GET", body }: LoadOptions): string {
  const all = {
    Host: url.host,
    Accept: "application/json",
    Connection: "keep-alive",
    ...(body === undefined ? {} : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/**
 * How many calls a loopback server answers: keep-alive connections that each wait for an answer before asking again,
 * in a process of their own so that they do not share the server's thread.
 */
export async function measureThroughput(address: string, options: LoadOptions = {}): Promise<Throughput> {
  const url = new URL(address);
  const { seconds = 3, connections = 16 } = options;
  const order: LoadOrder = {
    host: url.hostname,
    port: Number(url.port),
    request: requestText(url, options),
    seconds,
    connections,
  };
  const child = fork(fileURLToPath(new URL("load-generator.ts", import.meta.url)), { execArgv: [] });
  const report = await new Promise<LoadReport>((resolve, reject) => {
    child.once("message", (message) => resolve(message as LoadReport));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The load generator ended with ${code} and no report.`)));
    child.send(order);
  });
  const at = (share: number) => {
    const index = Math.min(report.latenciesUs.length - 1, Math.floor(report.latenciesUs.length * share));
    return (report.latenciesUs[index] ?? 0) / 1000;
  };
  return {
    perSecond: (report.answers / report.elapsedMs) * 1000,
    latencyMs: { p50: at(0.5), p95: at(0.95), p99: at(0.99) },
    answers: report.answers,
    failures: report.failures,
  };
}
