import { Worker } from "node:worker_threads";
import { isWithinTransaction } from "../database/transaction-guard.ts";
import { documentWork } from "./document-work.ts";

type Work = typeof documentWork;

/** What goes to the thread. */
export interface Task {
  name: keyof Work;
  given: readonly unknown[];
}

/** What comes back: `ready` once, then an outcome of each task. */
export type Outcome = "ready" | { result: unknown } | { failed: string };

interface Asked {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface Waiting extends Task, Asked {
  isUrgent: boolean;
}

/** From here on Yjs takes longer than the thread may be held (architecture, rule 10): some tens of milliseconds. */
const largeBytes = 128 * 1024;
/** A thread that nobody needed for so long ends: it takes some 30 MB. */
const idleMs = 60_000;

/** Bundled, it stands beside the program under the same name. */
const entry = new URL(`./document-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/** What each member of an object or list takes in a document beside its content. */
const memberBytes = 16;

/** Counts about how many bytes a value holds, `most` at most. */
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

/** Does one task after the other. */
class DocumentThread {
  isUsable = true;
  hasStarted = false;
  readonly #worker: Worker;
  #asked: Asked | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(entryUrl: URL) {
    this.#worker = new Worker(entryUrl);
    this.#worker.on("message", (outcome: Outcome) => this.#take(outcome));
    this.#worker.on("error", (error) => this.#end(error));
    this.#worker.on("exit", () => this.#end(new Error("the thread for documents has ended")));
  }

  run({ name, given }: Task): Promise<unknown> {
    clearTimeout(this.#idle);
    // It holds the program up only while somebody waits for it.
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#asked = { resolve, reject };
      this.#worker.postMessage({ name, given } satisfies Task);
    });
  }

  #take(outcome: Outcome): void {
    this.hasStarted = true;
    if (outcome === "ready") return;
    const asked = this.#asked;
    this.#asked = undefined;
    this.#rest();
    if ("failed" in outcome) asked?.reject(new Error(outcome.failed));
    else asked?.resolve(outcome.result);
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
    this.#asked?.reject(error);
    this.#asked = undefined;
  }
}

const here: { [N in keyof Work]: (...given: Parameters<Work[N]>) => ReturnType<Work[N]> } = documentWork;
const doHere = ({ name, given }: Task): unknown => (here[name] as (...given: readonly unknown[]) => unknown)(...given);

/**
 * What waits for the thread: nothing of it is copied before its turn, a task that ends the thread takes no other with it, and
 * what a transaction waits for goes first, since everybody waits for that. Where no thread can begin it is done here.
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

/** Does one of `documentWork`: here when it is small, which is quicker, else in a thread of its own. */
export async function inDocuments<N extends keyof Work>(
  name: N,
  ...given: Parameters<Work[N]>
): Promise<ReturnType<Work[N]>> {
  // What else there may be is as large as these, or only looked at now and then.
  if (weigh(given.slice(0, 2), largeBytes) < largeBytes) return here[name](...given);
  return (await queue.do({ name, given })) as ReturnType<Work[N]>;
}
