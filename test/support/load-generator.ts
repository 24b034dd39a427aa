import { connect } from "node:net";
import { endOfAnswer } from "./answer-end.ts";

/** What the parent asks for (see load.ts). */
export interface LoadOrder {
  host: string;
  port: number;
  request: string;
  seconds: number;
  connections: number;
}

export interface LoadReport {
  answers: number;
  elapsedMs: number;
  /** Answers whose status was not 2xx, and connections that broke. */
  failures: number;
  /** Latency of every answer, sorted, in microseconds; thinned to 10,000. */
  latenciesUs: number[];
}

/** One connection that asks again as soon as it is answered. */
function ask(order: LoadOrder, report: LoadReport, untilMs: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: order.host, port: order.port, noDelay: true });
    let pending: Buffer = Buffer.alloc(0);
    let askedMs = 0;
    const send = () => {
      askedMs = performance.now();
      socket.write(order.request);
    };
    socket.on("connect", send);
    socket.on("data", (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const end = endOfAnswer(pending);
      if (end === undefined) return;
      const now = performance.now();
      // "HTTP/1.1 2…": the first digit of the status tells.
      if (pending[9] !== 0x32) report.failures++;
      report.answers++;
      report.latenciesUs.push(Math.round((now - askedMs) * 1000));
      pending = pending.subarray(end);
      if (now < untilMs) send();
      else socket.destroy();
    });
    socket.on("error", () => {
      report.failures++;
    });
    socket.on("close", () => resolve());
  });
}

async function generate(order: LoadOrder): Promise<LoadReport> {
  const report: LoadReport = { answers: 0, elapsedMs: 0, failures: 0, latenciesUs: [] };
  const started = performance.now();
  const until = started + order.seconds * 1000;
  await Promise.all(Array.from({ length: order.connections }, () => ask(order, report, until)));
  report.elapsedMs = performance.now() - started;
  const sorted = report.latenciesUs.sort((a, b) => a - b);
  const step = Math.max(1, Math.floor(sorted.length / 10_000));
  report.latenciesUs = sorted.filter((_, index) => index % step === 0);
  return report;
}

process.once("message", (order: LoadOrder) => {
  generate(order).then(
    (report) => process.send?.(report, () => process.disconnect()),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
