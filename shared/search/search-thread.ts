import { Worker } from "node:worker_threads";
import { Failure } from "../kernel/failure.ts";
import type { FinderSettings, FoundDocuments, RecordSearch } from "./record-finder.ts";

/** What goes to the thread. */
export interface Question {
  number: number;
  settings: FinderSettings;
  search: RecordSearch;
}

/** What comes back: `ready` once, then an answer to each question. */
export type Reply =
  | "ready"
  | { number: number; found: FoundDocuments }
  | { number: number; refused: Pick<Failure, "kind" | "message" | "headers"> }
  | { number: number; failed: string };

interface Waiting {
  resolve(found: FoundDocuments): void;
  reject(error: Error): void;
}

/** Bundled, it stands beside the program under the same name. */
const entry = new URL(`./search-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/** A thread with a read-only connection of its own that answers searches. */
export class SearchThread {
  /** Whether it came to life, decided once: where it cannot, searches are answered without it. */
  readonly started: Promise<boolean>;
  isUsable = true;
  hasStarted = false;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(databaseFile: string) {
    this.#worker = new Worker(entry, { workerData: databaseFile, resourceLimits: { maxYoungGenerationSizeMb: 12 } });
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

  /** @throws Failure as the search in this thread would. */
  find(settings: FinderSettings, search: RecordSearch): Promise<FoundDocuments> {
    this.#last += 1;
    const number = this.#last;
    const found = new Promise<FoundDocuments>((resolve, reject) => this.#waiting.set(number, { resolve, reject }));
    this.#worker.ref();
    this.#worker.postMessage({ number, settings, search } satisfies Question);
    return found;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #take(reply: Reply): void {
    // It holds the program up only while somebody waits for it.
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
