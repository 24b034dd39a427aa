import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { PictureOutcome, PictureTask } from "./picture-work.ts";

/** An idle worker ends after this time, since it takes some 60 MB. */
const idleMs = 10_000;
/** A worker that needs longer is stopped. Its own time limit is shorter. */
const maxMs = 20_000;

/** What the worker may know of the environment: it reads files of strangers, so no secrets. */
const passedNames = ["PATH", "SystemRoot", "LD_LIBRARY_PATH", "TMPDIR", "TEMP", "TMP"];

/** In the bundle, the worker lies beside this program as `.js`. */
const entry = new URL(`./picture-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

interface Line {
  send(task: PictureTask): void;
  end(): void;
}

interface Listeners {
  onMessage(outcome: PictureOutcome): void;
  onEnd(reason: Error): void;
}

function asProcess({ onMessage, onEnd }: Listeners): Line {
  const passed = passedNames.flatMap((name) => (process.env[name] ? [[name, process.env[name]] as const] : []));
  const child: ChildProcess = fork(fileURLToPath(entry), [], {
    ...{ execArgv: [], env: Object.fromEntries(passed), serialization: "advanced" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.on("message", (outcome: PictureOutcome) => onMessage(outcome));
  child.once("error", onEnd);
  child.once("exit", (code, signal) => onEnd(new Error(`the decoder of pictures ended (${signal ?? code})`)));
  return { send: (task) => child.send(task, (error) => error && onEnd(error)), end: () => child.kill("SIGKILL") };
}

function asThread({ onMessage, onEnd }: Listeners): Line {
  const worker = new Worker(entry);
  worker.on("message", onMessage);
  worker.once("error", onEnd);
  worker.once("exit", () => onEnd(new Error("the decoder of pictures ended")));
  return { send: (task) => worker.postMessage(task), end: () => void worker.terminate() };
}

/**
 * The worker that draws pictures, one at a time. It is a process, so that a file that crashes the decoder ends nothing
 * else. Electron's programs cannot start one: there it is a thread. It starts with the first task and ends when idle.
 */
export class PictureProcess {
  #line: Line | undefined;
  #task: { resolve(bytes: Uint8Array): void; reject(error: Error): void; late: NodeJS.Timeout } | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** @throws Error with the decoder's reason; also when the worker ended or took too long. */
  draw(task: PictureTask): Promise<Uint8Array> {
    clearTimeout(this.#idle);
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => this.#fail(new Error("the picture took too long")), maxMs);
      this.#task = { resolve, reject, late };
      this.#line ??= this.#start();
      this.#line.send(task);
    });
  }

  close(): void {
    this.#fail(new Error("the program ends"));
  }

  #start(): Line {
    // An ended worker may report more than once, and after its successor has started.
    const isPresent = () => this.#line === line;
    const line: Line = (process.versions.electron === undefined ? asProcess : asThread)({
      onMessage: (outcome) => void (isPresent() && this.#take(outcome)),
      onEnd: (error) => void (isPresent() && this.#fail(error)),
    });
    return line;
  }

  #take(outcome: PictureOutcome): void {
    if (outcome === "ready" || !this.#task) return;
    const { resolve, reject, late } = this.#task;
    this.#task = undefined;
    clearTimeout(late);
    this.#idle = setTimeout(() => this.close(), idleMs).unref();
    if ("failed" in outcome) reject(new Error(outcome.failed));
    else resolve(outcome.bytes);
  }

  #fail(error: Error): void {
    clearTimeout(this.#idle);
    const [line, task] = [this.#line, this.#task];
    this.#line = undefined;
    this.#task = undefined;
    line?.end();
    if (!task) return;
    clearTimeout(task.late);
    task.reject(error);
  }
}
