import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type SQLite from "better-sqlite3";
import { Failure } from "../kernel/failure.ts";
import { privateFile } from "../kernel/private-files.ts";

/** Files up to this size are looked through before they are used; larger ones beside the work. */
const atOnceBytes = 32 * 2 ** 20;

/** Left beside a file in which damage was found while it was in use: the next opening looks through it first. */
const warningOf = (file: string): string => `${file}.damaged`;

/** 0 for a database in memory. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

const damaged = (what: string, consequence: string): Failure =>
  new Failure("unavailable", `The database is damaged (${what}). ${consequence}`);

/**
 * Looks through the whole file when it is small, was found damaged before, or `extent` says so. That a file was cut short
 * SQLite itself notices.
 * @throws Failure `unavailable` in words.
 */
export function assertSound(connection: SQLite.Database, file: string, extent: "whole" | "soon"): void {
  const warning = warningOf(file);
  if (extent === "soon" && sizeOf(file) > atOnceBytes && !existsSync(warning)) return;
  const [first] = connection.pragma("quick_check(1)") as { quick_check: string }[];
  if (first?.quick_check !== "ok") throw damaged(String(first?.quick_check), "Nothing was changed.");
  rmSync(warning, { force: true });
}

/** What comes from the thread: what is wrong, or nothing. */
export type Verdict = string | undefined;

/** Bundled, it stands beside the program under the same name. */
const entry = new URL(`./soundness-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

export interface Examination {
  /** Rejects with a Failure in words once damage is found; never resolves. */
  damaged: Promise<never>;
  /** Ends it after the table at hand, of which a large one takes some seconds. */
  stop(): Promise<void>;
}

/** Looks through a large file in a thread of its own while it is in use: reading it takes seconds to minutes. */
export function examineBeside(file: string): Examination {
  if (sizeOf(file) <= atOnceBytes) return { damaged: new Promise(() => undefined), stop: async () => undefined };
  const stopping = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(entry, { workerData: { file, stopping }, resourceLimits: { maxYoungGenerationSizeMb: 4 } });
  worker.unref();
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  const found = new Promise<never>((_resolve, reject) => {
    worker.once("message", (verdict: Verdict) => {
      if (verdict === undefined) return;
      writeFileSync(warningOf(file), `${verdict}\n`, { mode: privateFile });
      reject(damaged(verdict, "Nothing more is written to it."));
    });
    // Where no thread starts, `carrel check` is left.
    worker.once("error", () => undefined);
  });
  found.catch(() => undefined);
  return {
    damaged: found,
    async stop() {
      Atomics.store(stopping, 0, 1);
      worker.ref();
      await ended;
    },
  };
}
