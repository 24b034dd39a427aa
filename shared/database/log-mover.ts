import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { CompiledQuery, sql } from "kysely";
import type { Db } from "./open.ts";
import { cacheKib, logPages } from "./sqlite-driver.ts";

/** The number of large transactions after which the thread starts. */
const firstAfter = 20;
const commitsBetween = 60;
/** If the thread falls behind, a commit does the checkpoint itself at this many pages. */
const maxPages = 16 * logPages;
/** The page cache during bulk writes: their pages are not read again soon. */
const bulkCacheKib = 16_000;

/** The program of the thread. It is a string, since a TypeScript file would need twice the memory. */
const program = `
  const { parentPort, workerData } = require("node:worker_threads");
  const connection = new (require(workerData.library))(workerData.file, { fileMustExist: true, timeout: 10000 });
  parentPort.on("message", () => {
    connection.pragma("wal_checkpoint(PASSIVE)");
    parentPort.postMessage("moved");
  });
  parentPort.postMessage("ready");
`;
const library = createRequire(import.meta.url).resolve("better-sqlite3");

const moveHere = CompiledQuery.raw("pragma wal_checkpoint(passive)");

/**
 * Runs checkpoints in a thread while many large transactions follow one another. A checkpoint waits for the disk, which
 * would otherwise delay some of the commits. The page cache is smaller meanwhile.
 */
export class LogMover {
  readonly #db: Db;
  #worker: Worker | undefined;
  #state: "starting" | "ready" | "idle" | "moving" | "moved" = "starting";
  #commits = 0;
  #isBulk = false;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Call after a large transaction when others will follow. */
  async committed(): Promise<void> {
    this.#commits += 1;
    // At once: SQLite does not give back memory of the cache.
    if (!this.#isBulk) await this.#limitCache(bulkCacheKib);
    this.#isBulk = true;
    if (!this.#worker && this.#commits === firstAfter) await this.#start();
    if (this.#state === "ready") {
      await this.#limitLog(maxPages);
      this.#state = "idle";
    }
    if (this.#state === "moved") {
      // Moves the small rest of the log into the file, so that the log starts again from its beginning.
      await this.#db.executeQuery(moveHere);
      this.#state = "idle";
    }
    if (!this.#worker || this.#state !== "idle" || this.#commits < commitsBetween) return;
    this.#commits = 0;
    this.#state = "moving";
    this.#worker.postMessage("move");
  }

  /** Call when no more large transactions follow. */
  async end(): Promise<void> {
    this.#commits = 0;
    const worker = this.#worker;
    this.#worker = undefined;
    this.#state = "starting";
    if (this.#isBulk) await this.#limitCache(cacheKib);
    this.#isBulk = false;
    if (!worker) return;
    await this.#limitLog(logPages);
    await worker.terminate();
  }

  async #limitLog(pages: number): Promise<void> {
    await this.#db.executeQuery(CompiledQuery.raw(`pragma wal_autocheckpoint = ${pages}`));
  }

  async #limitCache(kib: number): Promise<void> {
    await this.#db.executeQuery(CompiledQuery.raw(`pragma cache_size = -${kib}`));
  }

  async #start(): Promise<void> {
    const { rows } = await sql<{ name: string; file: string }>`pragma database_list`.execute(this.#db);
    const file = rows.find(({ name }) => name === "main")?.file;
    if (!file) return;
    const resourceLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 16 };
    const worker = new Worker(program, { eval: true, workerData: { file, library }, execArgv: [], resourceLimits });
    this.#worker = worker;
    worker.unref();
    worker.on("message", (state: "ready" | "moved") => {
      if (this.#worker === worker) this.#state = state;
    });
    // Without a thread, commits do their own checkpoints.
    worker.on("error", () => {});
  }
}
