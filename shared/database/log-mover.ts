import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { CompiledQuery, sql } from "kysely";
import type { Db } from "./open.ts";
import { cacheKib, logPages } from "./sqlite-driver.ts";

/** Less than this is not worth a thread. */
const firstAfter = 20;
const commitsBetween = 60;
/** Should the thread fall behind, a commit moves the log itself at this many pages, as it does otherwise. */
const mostPages = 16 * logPages;
/** What is written in bulk is not read again soon. */
const bulkCacheKib = 16_000;

/** What the thread does; a text, since a file of ours would bring a reader of TypeScript along, twice the memory of this. */
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
 * While many large transactions follow one another, a thread moves what they wrote from the write-ahead log into the
 * database file, which waits for the disk: otherwise every so many of them would. Less memory is taken for pages then.
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

  /** A large transaction was committed, and others are to follow. */
  async committed(): Promise<void> {
    this.#commits += 1;
    // At once: what the first ones fill is not given back.
    if (!this.#isBulk) await this.#limitCache(bulkCacheKib);
    this.#isBulk = true;
    if (!this.#worker && this.#commits === firstAfter) await this.#start();
    if (this.#state === "ready") {
      await this.#limitLog(mostPages);
      this.#state = "idle";
    }
    if (this.#state === "moved") {
      // What is left is little. Now all of the log is in the file, and it begins anew.
      await this.#db.executeQuery(moveHere);
      this.#state = "idle";
    }
    if (!this.#worker || this.#state !== "idle" || this.#commits < commitsBetween) return;
    this.#commits = 0;
    this.#state = "moving";
    this.#worker.postMessage("move");
  }

  /** No more will follow for now. */
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
    // Where no thread can be had, commits go on moving the log themselves.
    worker.on("error", () => {});
  }
}
