import { Worker } from "node:worker_threads";
import { documentWork } from "./document-work.ts";

type Work = typeof documentWork;

/** What goes to the thread. */
export interface Task {
  number: number;
  name: keyof Work;
  given: readonly unknown[];
}

/** What comes back. */
export type Outcome = { number: number; result: unknown } | { number: number; failed: string };

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
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

class DocumentThread {
  isUsable = true;
  readonly #worker = new Worker(entry);
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor() {
    this.#worker.on("message", (outcome: Outcome) => this.#take(outcome));
    this.#worker.on("error", (error) => this.#end(error));
    this.#worker.on("exit", () => this.#end(new Error("the thread for documents has ended")));
  }

  run(name: keyof Work, given: readonly unknown[]): Promise<unknown> {
    clearTimeout(this.#idle);
    this.#last += 1;
    const number = this.#last;
    const result = new Promise((resolve, reject) => this.#waiting.set(number, { resolve, reject }));
    // It holds the program up only while somebody waits for it.
    this.#worker.ref();
    this.#worker.postMessage({ number, name, given } satisfies Task);
    return result;
  }

  #take(outcome: Outcome): void {
    const waiting = this.#waiting.get(outcome.number);
    this.#waiting.delete(outcome.number);
    if (this.#waiting.size === 0) this.#rest();
    if ("failed" in outcome) waiting?.reject(new Error(outcome.failed));
    else waiting?.resolve(outcome.result);
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
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

const here: { [N in keyof Work]: (...given: Parameters<Work[N]>) => ReturnType<Work[N]> } = documentWork;
let thread: DocumentThread | undefined;

/** Does one of `documentWork`: here when it is small, which is quicker, else in a thread of its own. */
export async function inDocuments<N extends keyof Work>(
  name: N,
  ...given: Parameters<Work[N]>
): Promise<ReturnType<Work[N]>> {
  // What else there may be is as large as these, or only looked at now and then.
  if (weigh(given.slice(0, 2), largeBytes) < largeBytes) return here[name](...given);
  if (!thread?.isUsable) thread = new DocumentThread();
  return (await thread.run(name, given)) as ReturnType<Work[N]>;
}
