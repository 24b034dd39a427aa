import { setTimeout } from "node:timers/promises";
import type { Router } from "express";
import type { Listening } from "../shared/kernel/listen.ts";
import type { Serve } from "../shared/kernel/resource.ts";
import { type ReadinessOptions, readiness } from "./readiness.ts";
import type { LiveDocuments } from "./sync/live/live-documents.ts";

/** Calls under way get this long once no new ones are accepted. */
const graceMs = 10_000;
/** An upload whose connection was closed stores its offset in this time. */
const settlingMs = 5000;

/** The calls of a process that are being answered. */
class CallsUnderWay {
  readonly #calls = new Set<Promise<void>>();
  #isOver = false;

  /** A call that still waits when the database is closed, as after its client left, is not begun. */
  async serve(call: () => Promise<void>): Promise<void> {
    if (this.#isOver) return;
    const begun = call();
    this.#calls.add(begun);
    try {
      await begun;
    } finally {
      this.#calls.delete(begun);
    }
  }

  async #allEnded(): Promise<void> {
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls);
  }

  /** Waits for all calls. Begins no more. */
  async settled(): Promise<void> {
    const late = new AbortController();
    const end = setTimeout(settlingMs, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([this.#allEnded(), end]);
    this.#isOver = true;
    late.abort();
  }
}

interface DepartureOptions extends ReadinessOptions {
  listening: Pick<Listening, "drain" | "refuse" | "close">;
  /** Ends waiting polls and event streams. */
  closing: AbortController;
}

/** How a process stops without a failed call. */
export interface Departure {
  /** `GET /readyz`. */
  routes: Router;
  serve: Serve;
  /** What keeps the process from being ready. */
  missing(): Promise<string | undefined>;
  /** Makes `/readyz` answer 503, and keeps answering calls for `drainMs`. */
  announce(drainMs: number): Promise<void>;
  /**
   * Accepts no more calls, and waits for those under way. The database must still be open: an upload that is cut stores
   * its offset.
   */
  stopAnswering(live: Pick<LiveDocuments, "close">): Promise<void>;
}

export function departure({ listening, closing, ...options }: DepartureOptions): Departure {
  const ready = readiness(options);
  const calls = new CallsUnderWay();
  return {
    routes: ready.routes,
    missing: ready.missing,
    serve: (call) => calls.serve(call),
    async announce(drainMs) {
      ready.leave();
      if (drainMs === 0) return;
      listening.drain();
      await setTimeout(drainMs);
    },
    async stopAnswering(live) {
      listening.refuse();
      closing.abort();
      await live.close();
      await listening.close(graceMs);
      await calls.settled();
    },
  };
}
