import { connect, type Socket } from "node:net";
import { endOfAnswer } from "../../support/answer-end.ts";
import { Random } from "../../support/random.ts";

/** Calls of one kind: `share` of all arrivals, each one of the requests as it goes over the wire. */
export interface Kind {
  name: string;
  share: number;
  requests: string[];
}

/** The parent's instructions for this process. */
export interface ArrivalsOrder {
  host: string;
  port: number;
  kinds: Kind[];
  /** Arrivals a second. */
  rate: number;
  /** Duration of the warm-up, whose calls are not counted; then of the measurement. */
  warmUpSeconds: number;
  seconds: number;
  /** The most connections at once. */
  connections: number;
}

export interface KindReport {
  name: string;
  calls: number;
  /** Number of answers by status, without 2xx; `0` for broken connections and calls without an answer. */
  failures: Record<number, number>;
  /** From the moment a call was due to the end of its answer. */
  latencyMs: { p50: number; p95: number; p99: number; max: number };
}

export interface ArrivalsReport {
  kinds: KindReport[];
  all: KindReport;
  elapsedMs: number;
  /** The longest delay of this process itself, in milliseconds. */
  latestMs: number;
  /** The most calls that waited for a free connection. */
  longestQueue: number;
  cpuMs: number;
}

interface Call {
  kind: number;
  request: string;
  dueMs: number;
}

/** Measurements of one kind. */
interface Measurements {
  failures: Record<number, number>;
  latenciesMs: number[];
}

function summed(name: string, measurements: Measurements[]): KindReport {
  const latencies = Float64Array.from(measurements.flatMap(({ latenciesMs }) => latenciesMs)).sort();
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  const failures: Record<number, number> = {};
  for (const one of measurements)
    for (const [status, count] of Object.entries(one.failures))
      failures[Number(status)] = (failures[Number(status)] ?? 0) + count;
  const latencyMs = { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
  return { name, calls: latencies.length, failures, latencyMs };
}

const graceMs = 30_000;
const [headerStart, statusLength] = ["HTTP/1.1 ".length, 3];

/**
 * Sends each call when it is due, without waiting for earlier answers (an open-loop load). So a server that stalls is
 * charged for every call that is due meanwhile. Arrivals are a Poisson process with a fixed seed.
 */
class Arrivals {
  readonly #order: ArrivalsOrder;
  readonly #random = new Random(20_261);
  readonly #measurements: Measurements[];
  readonly #waiting: Call[] = [];
  readonly #idle: Connection[] = [];
  readonly #begin = performance.now();
  #open = 0;
  #latestMs = 0;
  #longestQueue = 0;
  #unanswered = 0;

  constructor(order: ArrivalsOrder) {
    this.#order = order;
    this.#measurements = order.kinds.map(() => ({ failures: {}, latenciesMs: [] }));
  }

  async run(): Promise<ArrivalsReport> {
    const { rate, warmUpSeconds, seconds } = this.#order;
    const endMs = this.#begin + (warmUpSeconds + seconds) * 1000;
    let dueMs = this.#begin;
    for (;;) {
      dueMs += (-Math.log(1 - this.#random.next()) / rate) * 1000;
      if (dueMs >= endMs) break;
      while (performance.now() < dueMs) await new Promise((resolve) => setTimeout(resolve, 1));
      this.#latestMs = Math.max(this.#latestMs, performance.now() - dueMs);
      this.#arrive(this.#next(dueMs));
    }
    const lastMs = performance.now() + graceMs;
    while (this.#unanswered > 0 && performance.now() < lastMs) await new Promise((resolve) => setTimeout(resolve, 10));
    for (const call of this.#waiting) this.finish(call, 0);
    const { user, system } = process.cpuUsage();
    return {
      kinds: this.#order.kinds.map(({ name }, at) => summed(name, this.#measurements.slice(at, at + 1))),
      all: summed("all", this.#measurements),
      elapsedMs: performance.now() - this.#begin,
      latestMs: this.#latestMs,
      longestQueue: this.#longestQueue,
      cpuMs: (user + system) / 1000,
    };
  }

  /** Frees a connection for the next call that waits. */
  free(connection: Connection): void {
    const call = this.#waiting.shift();
    if (call) connection.send(call);
    else this.#idle.push(connection);
  }

  lost(connection: Connection): void {
    this.#open -= 1;
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    const call = this.#waiting.shift();
    if (call) this.#connect(call);
  }

  finish({ kind, dueMs }: Call, status: number): void {
    this.#unanswered -= 1;
    const measurements = this.#measurements[kind];
    if (!measurements || dueMs < this.#begin + this.#order.warmUpSeconds * 1000) return;
    measurements.latenciesMs.push(performance.now() - dueMs);
    if (status < 200 || status > 299) measurements.failures[status] = (measurements.failures[status] ?? 0) + 1;
  }

  #next(dueMs: number): Call {
    let place = this.#random.next() * this.#order.kinds.reduce((sum, { share }) => sum + share, 0);
    const kind = this.#order.kinds.findIndex(({ share }) => {
      place -= share;
      return place < 0;
    });
    return { kind, request: this.#random.of(this.#order.kinds[kind]?.requests ?? []), dueMs };
  }

  #arrive(call: Call): void {
    this.#unanswered += 1;
    const connection = this.#idle.pop();
    if (connection) connection.send(call);
    else if (this.#open < this.#order.connections) this.#connect(call);
    else this.#waiting.push(call);
    this.#longestQueue = Math.max(this.#longestQueue, this.#waiting.length);
  }

  #connect(call: Call): void {
    this.#open += 1;
    new Connection(this, this.#order).send(call);
  }
}

/** A persistent connection, which carries one call at a time. */
class Connection {
  readonly #arrivals: Arrivals;
  readonly #socket: Socket;
  #call: Call | undefined;
  #pending: Buffer = Buffer.alloc(0);

  constructor(arrivals: Arrivals, { host, port }: ArrivalsOrder) {
    this.#arrivals = arrivals;
    this.#socket = connect({ host, port, noDelay: true });
    this.#socket.on("data", (chunk) => this.#read(chunk));
    this.#socket.on("error", () => this.#socket.destroy());
    this.#socket.on("close", () => {
      const call = this.#call;
      this.#call = undefined;
      if (call) this.#arrivals.finish(call, 0);
      this.#arrivals.lost(this);
    });
  }

  send(call: Call): void {
    this.#call = call;
    this.#socket.write(call.request, "latin1");
  }

  #read(chunk: Buffer): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const end = endOfAnswer(this.#pending);
    const call = this.#call;
    if (end === undefined || !call) return;
    const status = Number(this.#pending.toString("latin1", headerStart, headerStart + statusLength));
    const isLast = /\r\nconnection: close/i.test(this.#pending.toString("latin1", 0, Math.min(end, 2000)));
    this.#pending = this.#pending.subarray(end);
    this.#call = undefined;
    this.#arrivals.finish(call, status);
    if (!isLast) this.#arrivals.free(this);
  }
}

process.once("message", (order: ArrivalsOrder) => {
  new Arrivals(order).run().then(
    (report) => process.send?.(report, () => process.disconnect()),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
