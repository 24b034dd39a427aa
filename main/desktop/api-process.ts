import { z } from "zod";
import type { ApiAddress } from "./header-rule.ts";
import type { ApiChild, SpawnApi } from "./spawn-api.ts";

/** The line that the process prints once it answers (hosts-and-sync 1, 2). */
const readyLine = z.object({ event: z.literal("ready"), url: z.url(), pid: z.number(), token: z.string().min(16) });

/** Timers, replaced in tests. */
export interface Timers {
  after(ms: number, work: () => void): { cancel(): void };
  nowMs(): number;
}

export interface ApiListeners {
  /** The process answers, with a new address and secret after each start. */
  onReady(api: ApiAddress): void;
  /** The process ended and is being restarted. */
  onRestart(reason: string): void;
  /** The process ended and will not be restarted. */
  onFailed(reason: string): void;
}

export interface ApiProcess {
  start(): void;
  /** Resolves when the process has ended. It is not restarted. */
  stop(): Promise<void>;
}

const maxRestarts = 3;
const firstDelayMs = 500;
const readyWithinMs = 60_000;
const steadyAfterMs = 60_000;
const stopWithinMs = 12_000;
const keptLogLines = 20;

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Not JSON, but text for the user.
    return undefined;
  }
}

/** The last log message: pino's `msg`, or the line itself. */
function messageOf(line: string | undefined): string | undefined {
  if (line === undefined) return undefined;
  return z.object({ msg: z.string() }).safeParse(parseJson(line)).data?.msg ?? line;
}

/**
 * Keeps one API process running: restarts it after 0.5, 1 and 2 seconds, then gives up and reports its last message.
 */
export function superviseApi(spawn: SpawnApi, args: string[], timers: Timers, listeners: ApiListeners): ApiProcess {
  let child: ApiChild | undefined;
  let restarts = 0;
  let isStopping = false;
  let onStopped = (): void => undefined;

  function handleExit(reason: string, log: string[], readyAtMs: number | undefined): void {
    child = undefined;
    if (isStopping) {
      onStopped();
      return;
    }
    if (readyAtMs !== undefined && timers.nowMs() - readyAtMs > steadyAfterMs) restarts = 0;
    const why = messageOf(log.at(-1)) ?? reason;
    if (restarts >= maxRestarts) {
      listeners.onFailed(why);
      return;
    }
    const delayMs = firstDelayMs * 2 ** restarts;
    restarts += 1;
    listeners.onRestart(why);
    timers.after(delayMs, start);
  }

  function start(): void {
    if (isStopping || child) return;
    const log: string[] = [];
    let readyAtMs: number | undefined;
    const mine = spawn(args);
    child = mine;
    const late = timers.after(readyWithinMs, () => {
      log.push(`It was not ready after ${readyWithinMs / 1000} seconds.`);
      mine.kill();
    });
    mine.onLog((line) => {
      log.push(line);
      if (log.length > keptLogLines) log.shift();
    });
    mine.onLine((line) => {
      const { data: ready } = readyLine.safeParse(parseJson(line));
      if (!ready || readyAtMs !== undefined || isStopping) return;
      late.cancel();
      readyAtMs = timers.nowMs();
      listeners.onReady({ url: ready.url, token: ready.token });
    });
    mine.onExit((reason) => {
      if (child !== mine) return;
      late.cancel();
      handleExit(reason, log, readyAtMs);
    });
  }

  function stop(): Promise<void> {
    isStopping = true;
    const running = child;
    if (!running) return Promise.resolve();
    return new Promise((resolve) => {
      const late = timers.after(stopWithinMs, () => running.kill());
      onStopped = () => {
        late.cancel();
        resolve();
      };
      running.stop();
    });
  }

  return { start, stop };
}
