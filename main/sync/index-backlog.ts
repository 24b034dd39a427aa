import type { Logger } from "pino";
import type { Db } from "../../shared/database/open.ts";
import { isDiskFull } from "../../shared/kernel/disk-full.ts";
import { indexMissing } from "../../shared/search/sqlite/index-job.ts";
import { Signal } from "./backoff.ts";
import { localFailure } from "./local-failure.ts";
import { forget, recall } from "./person.repository.ts";

export interface IndexBacklogOptions {
  db: Db;
  log: Logger;
  /** Whether the first copy is complete. Until then copying comes before indexing. */
  isDue(): boolean;
  onStatus(): void;
}

/** Indexes the objects of a first copy after all were copied, because copying is many times faster. */
export class IndexBacklog {
  readonly #options: IndexBacklogOptions;
  readonly #signal = new Signal();
  readonly #stopping = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  /** Whether objects wait to be indexed. */
  isBusy = false;
  /** Why the last attempt failed, for the user. */
  lastError: string | null = null;
  /** The last attempt failed because the disk of this computer is full. */
  lacksSpace = false;

  constructor(options: IndexBacklogOptions) {
    this.#options = options;
  }

  /** Resumes the indexing of an earlier run. */
  async start(): Promise<void> {
    this.isBusy = (await recall(this.#options.db, "unindexed")) ?? false;
    this.#loop = this.#run();
  }

  /** An object was stored without being indexed. */
  markPending(): void {
    this.isBusy = true;
  }

  notify(): void {
    this.#signal.notify();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#signal.notify();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { db, log, isDue, onStatus } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      if (this.isBusy && isDue()) {
        try {
          await indexMissing(db, signal);
          if (signal.aborted) return;
          await forget(db, ["unindexed"]);
          this.isBusy = false;
          this.#ended(undefined);
        } catch (error) {
          log.error({ err: error }, "the copied objects could not be indexed");
          this.#ended(error);
        }
        onStatus();
      }
      await this.#signal.wait(60_000);
    }
  }

  /** @param error undefined when an attempt succeeded */
  #ended(error: unknown): void {
    this.lastError = error === undefined ? null : localFailure(error);
    this.lacksSpace = isDiskFull(error);
  }
}
