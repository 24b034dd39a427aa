/** The outcome of an operation, for a call that waits for it. */
export type Outcome = { state: "applied"; result: unknown; seq: number } | { state: "refused"; error: Error };

/** Calls that wait for the outcome of an operation. */
export class OutcomeWaiters {
  /** Several calls may wait for one operation: the user pressed twice. */
  readonly #waiting = new Map<string, Set<(outcome: Outcome | undefined) => void>>();
  readonly #press: (id: string) => (() => void) | undefined;

  /** @param press tells the server's adapter that the user waits for this. @returns ends that */
  constructor(press: (id: string) => (() => void) | undefined) {
    this.#press = press;
  }

  /** Waits for an outcome. @returns undefined if the connection is lost or the time is over. */
  async wait(id: string, ms: number): Promise<Outcome | undefined> {
    const { promise, resolve } = Promise.withResolvers<Outcome | undefined>();
    const timer = setTimeout(() => resolve(undefined), ms);
    const release = this.#press(id);
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(resolve));
    const outcome = await promise;
    clearTimeout(timer);
    release?.();
    waiting.delete(resolve);
    if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
    return outcome;
  }

  /** @returns whether a call was waiting. */
  resolve(id: string, outcome: Outcome): boolean {
    const waiting = this.#waiting.get(id) ?? [];
    for (const waiter of waiting) waiter(outcome);
    return this.#waiting.has(id);
  }

  /** The connection is lost: ends every wait without an outcome. */
  abandon(): void {
    for (const waiting of this.#waiting.values()) for (const waiter of waiting) waiter(undefined);
  }
}
