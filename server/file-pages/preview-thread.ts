import { Worker } from "node:worker_threads";
import { drawPreview, type PreviewTask } from "./preview-work.ts";

/** A message of the thread. */
export interface PreviewOutcome {
  html: string | undefined;
}

/** Shorter texts are drawn at once: even the worst takes a few milliseconds. */
const smallLength = 8 * 1024;
/** A text that takes longer is shown as it is; the thread is ended. */
const maxMs = 3000;
/** With more tasks before it, a text is shown as it is. */
const maxWaiting = 20;
/** An idle thread ends after this time. */
const idleMs = 30_000;

/** In the bundle, the worker lies beside this program as `.js`. */
const entry = new URL(`./file-preview-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

let worker: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

function started(): Worker {
  const thread = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: 256 } });
  // The thread's `exit` follows, which the task handles.
  return thread.on("error", () => undefined);
}

function end(): void {
  void worker?.terminate();
  worker = undefined;
}

/** Runs one task in the thread, which keeps the process alive only meanwhile. */
async function runInThread(task: PreviewTask): Promise<string | undefined> {
  clearTimeout(idle);
  worker ??= started();
  const thread = worker;
  thread.ref();
  return new Promise<string | undefined>((resolve) => {
    const late = setTimeout(() => finish(undefined, false), maxMs);
    const onMessage = ({ html }: PreviewOutcome) => finish(html, true);
    const onEnd = () => finish(undefined, false);
    function finish(html: string | undefined, isUsable: boolean): void {
      clearTimeout(late);
      thread.off("message", onMessage).off("exit", onEnd);
      if (isUsable) idle = setTimeout(end, idleMs).unref();
      else end();
      thread.unref();
      resolve(html);
    }
    thread.once("message", onMessage).once("exit", onEnd);
    thread.postMessage(task);
  });
}

/** Draws a preview without stopping other calls. Undefined: the text is shown as it is. */
export async function draw(task: PreviewTask): Promise<string | undefined> {
  if (task.text.length <= smallLength) return drawPreview(task).catch(() => undefined);
  if (waiting >= maxWaiting) return undefined;
  waiting += 1;
  const mine = last.then(() => runInThread(task)).catch(() => undefined);
  last = mine;
  const html = await mine;
  waiting -= 1;
  return html;
}
