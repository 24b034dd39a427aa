import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type SQLite from "better-sqlite3";
import { Failure } from "../kernel/failure.ts";
import { privateFile } from "../kernel/private-files.ts";

/** Files up to this size are checked before they are used; larger ones while they are used. */
const atOnceBytes = 32 * 2 ** 20;

/** The mark beside a file in which damage was found during use. The next start checks the file first. */
const warningOf = (file: string): string => `${file}.damaged`;

/** 0 for a database in memory. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

const damaged = (what: string, consequence: string): Failure =>
  new Failure("unavailable", `The database is damaged (${what}). ${consequence}`);

/**
 * Checks the whole file when it is small, was found damaged before, or `extent` is `whole`. SQLite itself notices a
 * truncated file.
 * @throws Failure `unavailable` when the file is damaged.
 */
export function assertSound(connection: SQLite.Database, file: string, extent: "whole" | "soon"): void {
  const warning = warningOf(file);
  if (extent === "soon" && sizeOf(file) > atOnceBytes && !existsSync(warning)) return;
  const [first] = connection.pragma("quick_check(1)") as { quick_check: string }[];
  if (first?.quick_check !== "ok") throw damaged(String(first?.quick_check), "Nothing was changed.");
  rmSync(warning, { force: true });
}

/** The message of the thread: a description of the damage, or undefined. */
export type Verdict = string | undefined;

/** In the bundle, the worker lies beside this program as `.js`. */
const entry = new URL(`./soundness-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

export interface Examination {
  /** Rejects with a Failure when damage is found; never resolves. */
  damaged: Promise<never>;
  /** Stops after the current table; a large one takes some seconds. */
  stop(): Promise<void>;
}

/** Checks a large file in a thread while it is in use, since that takes seconds to minutes. */
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
    // Without a thread, only `carrel check` finds damage.
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
