import { Worker } from "node:worker_threads";
import { Failure } from "../../kernel/failure.ts";
import type { FoundDocuments, RecordQuery, SearchSettings } from "../search-index.ts";
import type { GrantedLevels } from "./visibility.ts";

export interface ThreadOptions {
  databaseFile: string;
  /** Whether the thread loads the accelerator. The answers are the same. */
  isAccelerated: boolean;
}

/** What goes to the thread. */
export interface Question {
  number: number;
  settings: SearchSettings;
  search: RecordQuery;
  granted?: GrantedLevels | undefined;
}

/** `ready` once, then an answer to each question. */
export type Reply =
  | "ready"
  | { number: number; found: FoundDocuments }
  | { number: number; refused: Pick<Failure, "kind" | "message" | "headers"> }
  | { number: number; failed: string };

interface Waiting {
  resolve(found: FoundDocuments): void;
  reject(error: Error): void;
}

/** The bundler puts it beside the program under the same name. */
const entry = new URL(`./search-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/** A thread with a read-only connection of its own that answers searches. */
export class SearchThread {
  /** Whether the thread could start, decided once. Without it, the calling thread searches. */
  readonly started: Promise<boolean>;
  isUsable = true;
  hasStarted = false;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(options: ThreadOptions) {
    this.#worker = new Worker(entry, { workerData: options, resourceLimits: { maxYoungGenerationSizeMb: 12 } });
    this.started = new Promise((resolve) => {
      this.#worker.once("message", () => {
        this.hasStarted = true;
        resolve(true);
      });
      this.#worker.once("exit", () => resolve(false));
    });
    this.#worker.on("message", (reply: Reply) => this.#take(reply));
    this.#worker.on("error", (error) => this.#end(error));
    this.#worker.on("exit", () => this.#end(new Error("the search thread has ended")));
  }

  /** @throws Failure as `findDocuments` does. */
  find(settings: SearchSettings, search: RecordQuery, granted?: GrantedLevels): Promise<FoundDocuments> {
    this.#last += 1;
    const number = this.#last;
    const found = new Promise<FoundDocuments>((resolve, reject) => this.#waiting.set(number, { resolve, reject }));
    this.#worker.ref();
    this.#worker.postMessage({ number, settings, search, granted } satisfies Question);
    return found;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #take(reply: Reply): void {
    // The thread keeps the process alive only while a search waits for it.
    if (this.#waiting.size <= 1) this.#worker.unref();
    if (reply === "ready") return;
    const waiting = this.#waiting.get(reply.number);
    this.#waiting.delete(reply.number);
    if ("found" in reply) waiting?.resolve(reply.found);
    else if ("refused" in reply) waiting?.reject(new Failure(reply.refused.kind, reply.refused.message, reply.refused));
    else waiting?.reject(new Error(reply.failed));
  }

  #end(error: Error): void {
    this.isUsable = false;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
