import type { Logger } from "pino";
import type { Db } from "../../shared/database/open.ts";
import { indexMissing } from "../../shared/search/index-job.ts";
import { Bell } from "./backoff.ts";
import { forget, recall } from "./person.repository.ts";

export interface IndexBacklogOptions {
  db: Db;
  log: Logger;
  /** Whether what the server has is all here: before that, copying comes first. */
  isDue(): boolean;
  onDone(): void;
}

/** Makes searchable what a first copy brought: copying is many times faster than indexing. */
export class IndexBacklog {
  readonly #options: IndexBacklogOptions;
  readonly #bell = new Bell();
  readonly #stopping = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  /** Whether something waits to be indexed. */
  isBusy = false;

  constructor(options: IndexBacklogOptions) {
    this.#options = options;
  }

  /** Goes on where the last run of this replica ended. */
  async start(): Promise<void> {
    this.isBusy = (await recall(this.#options.db, "unindexed")) ?? false;
    this.#loop = this.#run();
  }

  /** Something was stored that is not indexed. */
  look(): void {
    this.isBusy = true;
  }

  poke(): void {
    this.#bell.ring();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#bell.ring();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { db, log, isDue, onDone } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      if (this.isBusy && isDue()) {
        try {
          await indexMissing(db, signal);
          if (signal.aborted) return;
          await forget(db, ["unindexed"]);
          this.isBusy = false;
          onDone();
        } catch (error) {
          log.error({ err: error }, "what was copied could not be indexed");
        }
      }
      await this.#bell.wait(60_000);
    }
  }
}
