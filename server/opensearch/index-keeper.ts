import type { Logger } from "pino";
import { deleteLock, takeLock } from "../../shared/database/lock.repository.ts";
import type { Db } from "../../shared/database/open.ts";
import { type Job, startJob } from "../../shared/kernel/job.ts";
import type { EngineIndex, RowPosition } from "./engine-index.ts";
import { prepareFeed } from "./family-change.repository.ts";
import type { IndexBuilder } from "./index-builder.ts";
import { followRows, readNewest } from "./index-follower.ts";
import { isMissing, SearchAway } from "./opensearch-client.ts";

export interface KeeperOptions {
  db: Db;
  builder: IndexBuilder;
  log: Logger;
  /** Microseconds UTC. */
  now(): number;
  newUuid(): string;
  /** Whether other processes follow the same rows: one at a time is enough. */
  isShared: boolean;
}

const everyMs = 500;
/** Another process may have swapped the index. */
const lookAgainMs = 1000;
const lockName = "job:search-index";
const leaseMicros = 20_000_000;
const nowhere: RowPosition = { seq: -1, counted: -1 };

const being = "The search index is being built. Everything else works. Please try again soon.";

/** Keeps the index of this library up to date with the rows, and builds it when it is missing. */
export class IndexKeeper {
  readonly #options: KeeperOptions;
  readonly #job: Job;
  #live: EngineIndex | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #reached = nowhere;
  #failure: SearchAway | undefined;

  constructor(options: KeeperOptions) {
    this.#options = options;
    const work = (stopping: AbortSignal) => this.#attempt(stopping);
    this.#job = startJob({ name: "indexing for the search", everyMs, work, log: options.log });
  }

  /** Looks for changes now. Resolves once those of this moment are indexed, unless that fails. */
  run(): Promise<void> {
    return this.#job.run();
  }

  stop(): Promise<void> {
    return this.#job.stop();
  }

  /** The index to search. @throws SearchAway */
  async current(): Promise<EngineIndex> {
    if (!this.#live) await this.run();
    if (this.#live) return this.#live;
    throw this.#failure ?? new SearchAway(undefined, being);
  }

  /** The index is gone: an operator has deleted it, or another process has replaced it. */
  forget(): void {
    this.#live = undefined;
  }

  hasReached = (seq: number): boolean => this.#reached.seq >= seq;

  /** Says once that the engine is away, and once that it is back. */
  async #attempt(stopping: AbortSignal): Promise<void> {
    const { log } = this.#options;
    try {
      await this.#step(stopping);
      if (this.#failure) log.info("the search engine answers again");
      this.#failure = undefined;
    } catch (error) {
      if (isMissing(error)) return this.forget();
      if (!(error instanceof SearchAway)) throw error;
      if (!this.#failure) log.error({ err: error.cause }, "the search engine is away; changes wait in the feed");
      this.#failure = error;
    }
  }

  async #step(stopping: AbortSignal): Promise<void> {
    const live = await this.#find(stopping);
    if (!live) return;
    const newest = await readNewest(this.#options.db);
    if (!this.#isBehind(newest)) return;
    const at = await live.readPosition();
    if (!at) return this.forget();
    this.#reached = at;
    if (this.#isBehind(newest)) await this.#follow(live, newest);
  }

  #isBehind({ seq, counted }: RowPosition): boolean {
    return this.#reached.seq < seq || this.#reached.counted < counted;
  }

  async #find(stopping: AbortSignal): Promise<EngineIndex | undefined> {
    if (this.#live && performance.now() - this.#lookedAt < lookAgainMs) return this.#live;
    const { db, builder } = this.#options;
    let live = await builder.findLive(db);
    if (!live) {
      await prepareFeed(db);
      await this.#underLock(() => builder.build(db, stopping));
      live = await builder.findLive(db);
    }
    if (live?.name !== this.#live?.name) this.#reached = nowhere;
    this.#lookedAt = performance.now();
    this.#live = live;
    return live;
  }

  /** Follows the rows, or waits for another process that does. */
  async #follow(live: EngineIndex, newest: RowPosition): Promise<void> {
    const { db } = this.#options;
    const follow = () =>
      followRows(live, db, this.#reached, newest, async (reached) => {
        await live.storePosition(reached);
        this.#reached = reached;
      });
    for (;;) {
      if (await this.#underLock(follow)) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
      this.#reached = (await live.readPosition()) ?? nowhere;
      if (!this.#isBehind(newest)) return;
    }
  }

  /** @returns false while another process has the lock. */
  async #underLock(work: () => Promise<void>): Promise<boolean> {
    const { db, now, newUuid, isShared } = this.#options;
    if (!isShared) {
      await work();
      return true;
    }
    const holder = newUuid();
    if (!(await takeLock(db, { name: lockName, holder, now: now(), until: now() + leaseMicros }))) return false;
    try {
      await work();
    } finally {
      await deleteLock(db, lockName, holder);
    }
    return true;
  }
}
