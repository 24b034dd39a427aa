import { parentPort } from "node:worker_threads";
import type { Outcome, Task } from "./document-thread.ts";
import { documentWork } from "./document-work.ts";

/** Runs a task in the worker thread for large documents. */
function done({ name, given }: Task): Outcome {
  try {
    return { result: (documentWork[name] as (...given: readonly unknown[]) => unknown)(...given) };
  } catch (error) {
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on("message", (task: Task) => parentPort?.postMessage(done(task)));
parentPort?.postMessage("ready" satisfies Outcome);
