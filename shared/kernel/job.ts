import type { Logger } from "pino";

export interface JobOptions {
  /** Name of the work for the log, such as `sending mail`. */
  name: string;
  everyMs: number;
  /** @param stopping is aborted by `stop`; long work checks it between its steps. */
  work(stopping: AbortSignal): Promise<unknown>;
  log: Pick<Logger, "error">;
}

export interface Job {
  /**
   * Runs the work now, or again after the current run. Calls in the meantime share that run. Resolves at its end and
   * never rejects: failures are logged.
   */
  run(): Promise<void>;
  /** Starts no further run. Resolves at the end of the current run. */
  stop(): Promise<void>;
}

/** Runs of each job of this process, by its name; `succeeded` in seconds since 1970, 0 for never. */
export const jobRuns = new Map<string, { runs: number; failures: number; succeeded: number }>();

function noteRun(name: string, hasFailed: boolean): void {
  const { runs, failures, succeeded } = jobRuns.get(name) ?? { runs: 0, failures: 0, succeeded: 0 };
  const last = hasFailed ? succeeded : Math.floor(Date.now() / 1000);
  jobRuns.set(name, { runs: runs + 1, failures: failures + (hasFailed ? 1 : 0), succeeded: last });
}

/** Repeats work in the background. A job never overlaps itself. */
export function startJob({ name, everyMs, work, log }: JobOptions): Job {
  const stopping = new AbortController();
  const { signal } = stopping;
  let underWay: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function attempt(): Promise<void> {
    try {
      await work(signal);
      noteRun(name, false);
    } catch (error) {
      noteRun(name, true);
      log.error({ err: error }, `${name} failed and will be tried again`);
    }
  }

  async function afterwards(earlier: Promise<void>): Promise<void> {
    await earlier;
    next = undefined;
    if (!signal.aborted) await begin();
  }

  function begin(): Promise<void> {
    underWay = attempt().finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  function run(): Promise<void> {
    if (next !== undefined) return next;
    if (signal.aborted) return underWay ?? Promise.resolve();
    if (underWay === undefined) return begin();
    next = afterwards(underWay);
    return next;
  }

  const timer = setInterval(() => {
    if (underWay === undefined) void run();
  }, everyMs);
  timer.unref();
  return {
    run,
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await underWay;
    },
  };
}
