import { Worker } from "node:worker_threads";
import { isWithinTransaction } from "../database/transaction-guard.ts";
import { documentWork } from "./document-work.ts";

type Work = typeof documentWork;

/** A message to the thread. */
export interface Task {
  name: keyof Work;
  given: readonly unknown[];
}

/** A message from the thread: `ready` once, then the outcome of each task. */
export type Outcome = "ready" | { result: unknown } | { failed: string };

interface PendingCall {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface Waiting extends Task, PendingCall {
  isUrgent: boolean;
}

/** Documents from this size on block the main thread for too long (architecture, rule 10): tens of milliseconds. */
const largeBytes = 128 * 1024;
/** An idle thread ends after this time, since it takes some 30 MB. */
const idleMs = 60_000;

/** In the bundle, the worker lies beside this program as `.js`. */
const entry = new URL(`./document-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/** Bytes of a document for each member of an object or list, besides its content. */
const memberBytes = 16;

/** Estimates the bytes of a value; stops counting at `most`. */
function weigh(value: unknown, most: number): number {
  if (typeof value === "string") return value.length;
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== "object" || value === null) return 1;
  let sum = 1;
  for (const member of Object.values(value)) {
    if (sum > most) break;
    sum += memberBytes + weigh(member, most - sum);
  }
  return sum;
}

/** A worker thread that runs one task after the other. */
class DocumentThread {
  isUsable = true;
  hasStarted = false;
  readonly #worker: Worker;
  #call: PendingCall | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(entryUrl: URL) {
    this.#worker = new Worker(entryUrl);
    this.#worker.on("message", (outcome: Outcome) => this.#take(outcome));
    this.#worker.on("error", (error) => this.#end(error));
    this.#worker.on("exit", () => this.#end(new Error("the thread for documents has ended")));
  }

  run({ name, given }: Task): Promise<unknown> {
    clearTimeout(this.#idle);
    // The thread keeps the process alive only while a task runs.
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#call = { resolve, reject };
      this.#worker.postMessage({ name, given } satisfies Task);
    });
  }

  #take(outcome: Outcome): void {
    this.hasStarted = true;
    if (outcome === "ready") return;
    const call = this.#call;
    this.#call = undefined;
    this.#rest();
    if ("failed" in outcome) call?.reject(new Error(outcome.failed));
    else call?.resolve(outcome.result);
  }

  #rest(): void {
    this.#worker.unref();
    this.#idle = setTimeout(() => {
      this.isUsable = false;
      void this.#worker.terminate();
    }, idleMs);
    this.#idle.unref();
  }

  #end(error: Error): void {
    this.isUsable = false;
    clearTimeout(this.#idle);
    this.#call?.reject(error);
    this.#call = undefined;
  }
}

const here: { [N in keyof Work]: (...given: Parameters<Work[N]>) => ReturnType<Work[N]> } = documentWork;
const doHere = ({ name, given }: Task): unknown => (here[name] as (...given: readonly unknown[]) => unknown)(...given);

/**
 * The tasks that wait for the thread. A task is copied only when it starts, and a task that crashes the thread fails
 * alone. Tasks of a transaction go first, since all writes wait for it. Without a thread, tasks run on the main thread.
 */
export class DocumentQueue {
  readonly #entry: URL;
  readonly #waiting: Waiting[] = [];
  #thread: DocumentThread | undefined;
  #isBusy = false;

  constructor(entryUrl: URL) {
    this.#entry = entryUrl;
  }

  do(task: Task): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...task, resolve, reject, isUrgent: isWithinTransaction() });
      if (!this.#isBusy) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let one = this.#next(); one; one = this.#next()) await this.#run(one).then(one.resolve, one.reject);
    this.#isBusy = false;
  }

  #next(): Waiting | undefined {
    const urgent = this.#waiting.findIndex(({ isUrgent }) => isUrgent);
    return this.#waiting.splice(Math.max(urgent, 0), 1)[0];
  }

  async #run(task: Task): Promise<unknown> {
    const thread = this.#thread?.isUsable ? this.#thread : new DocumentThread(this.#entry);
    this.#thread = thread;
    try {
      return await thread.run(task);
    } catch (error) {
      if (thread.hasStarted) throw error;
      process.emitWarning(`documents are worked on without a thread of their own: ${error}`);
      return doHere(task);
    }
  }
}

const queue = new DocumentQueue(entry);

/**
 * Runs a function of `documentWork`: on the main thread for small documents, which is faster, else in a worker thread.
 */
export async function inDocuments<N extends keyof Work>(
  name: N,
  ...given: Parameters<Work[N]>
): Promise<ReturnType<Work[N]>> {
  // The other arguments are about as large, or rarely read.
  if (weigh(given.slice(0, 2), largeBytes) < largeBytes) return here[name](...given);
  return (await queue.do({ name, given })) as ReturnType<Work[N]>;
}
