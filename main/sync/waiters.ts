/** How an operation ended, for a call that waits for it. */
export type Settled = { state: "applied"; result: unknown; seq: number } | { state: "refused"; error: Error };

/** Calls that wait for the outcome of an operation. */
export class Waiters {
  readonly #waiting = new Map<string, (settled: Settled | undefined) => void>();

  /** The outcome; undefined when the server is lost or takes too long. */
  async wait(id: string, ms: number): Promise<Settled | undefined> {
    const { promise, resolve } = Promise.withResolvers<Settled | undefined>();
    const timer = setTimeout(() => resolve(undefined), ms);
    this.#waiting.set(id, resolve);
    const settled = await promise;
    clearTimeout(timer);
    this.#waiting.delete(id);
    return settled;
  }

  /** @returns whether a call was waiting for it. */
  settle(id: string, settled: Settled): boolean {
    const waiter = this.#waiting.get(id);
    waiter?.(settled);
    return waiter !== undefined;
  }

  /** Nobody will hear of an outcome now: every waiting call goes on without. */
  giveUp(): void {
    for (const waiter of this.#waiting.values()) waiter(undefined);
  }
}
