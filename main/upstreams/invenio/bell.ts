import type { Machine } from "./machine.ts";

/** Wakes all who wait. */
export class Bell {
  readonly #waiting = new Set<() => void>();
  readonly #sleep: Machine["sleep"];

  constructor(sleep: Machine["sleep"]) {
    this.#sleep = sleep;
  }

  ring(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Resolves at the next ring, after the given time, or when the signal aborts. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const rung = new AbortController();
    this.#waiting.add(resolve);
    await Promise.race([promise, this.#sleep(ms, AbortSignal.any([signal, rung.signal]))]);
    rung.abort();
    this.#waiting.delete(resolve);
  }
}
