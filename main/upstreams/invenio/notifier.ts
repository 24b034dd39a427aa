import type { Machine } from "./machine.ts";

/** Lets loops wait for new work. */
export class Notifier {
  readonly #waiting = new Set<() => void>();
  readonly #sleep: Machine["sleep"];

  constructor(sleep: Machine["sleep"]) {
    this.#sleep = sleep;
  }

  notify(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Resolves at the next `notify`, after the given time, or when the signal aborts. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const notified = new AbortController();
    this.#waiting.add(resolve);
    await Promise.race([promise, this.#sleep(ms, AbortSignal.any([signal, notified.signal]))]);
    notified.abort();
    this.#waiting.delete(resolve);
  }
}
