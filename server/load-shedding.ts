import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Response } from "express";
import type { Caller } from "../shared/kernel/caller.ts";
import { Failure } from "../shared/kernel/failure.ts";

/** What strangers are refused, cheapest loss first: facets, search, the inside of archives (web 10). */
export const shed = { nothing: 0, facets: 1, search: 2, archives: 3 } as const;

const slowMs = 200;
const steps = 5;

export interface LoadShedding {
  /** 0 to 3, see `shed`. */
  level(): number;
  /** Takes the delay of the last second into account. @param delayMs 99th percentile. */
  sample(delayMs: number): void;
  stop(): void;
}

/**
 * Judges once a second how late the event loop is. Five slow seconds in a row raise the level, five others lower it. Kept
 * pages, sign-in, writes and sync are never refused.
 */
export function loadShedding(): LoadShedding {
  let level = 0;
  let slow = 0;
  let calm = 0;
  const histogram = monitorEventLoopDelay({ resolution: 20 });
  histogram.enable();

  function sample(delayMs: number): void {
    const isSlow = delayMs > slowMs;
    slow = isSlow ? slow + 1 : 0;
    calm = isSlow ? 0 : calm + 1;
    if (slow === steps) [level, slow] = [Math.min(shed.archives, level + 1), 0];
    if (calm === steps) [level, calm] = [Math.max(shed.nothing, level - 1), 0];
  }

  const timer = setInterval(() => {
    sample(histogram.percentile(99) / 1e6);
    histogram.reset();
  }, 1000);
  timer.unref();
  return {
    level: () => level,
    sample,
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}

/** Whether an overloaded server leaves something out for this caller. Users who signed in get everything. */
export const isShed = (res: Response, { userId }: Caller, what: Exclude<keyof typeof shed, "nothing">): boolean =>
  userId === null && Number(res.locals.load ?? 0) >= shed[what];

/** @throws Failure 503 when an overloaded server leaves this out for strangers. */
export function assertNotShed(res: Response, caller: Caller, what: "search" | "archives"): void {
  if (!isShed(res, caller, what)) return;
  throw new Failure("unavailable", "The server has too much to do. Try again in half a minute.", {
    headers: { "Retry-After": "30" },
  });
}
