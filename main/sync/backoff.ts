/** Waits that double with each failure in a row and reset after a success. Half of each wait is random. */
export class Backoff {
  #failures = 0;
  readonly #random: () => number;
  readonly #firstMs: number;
  readonly #longestMs: number;

  constructor(random: () => number, firstMs = 500, longestMs = 12_000) {
    this.#random = random;
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /** Records a failure. @returns how long to wait, in milliseconds. */
  failed(): number {
    const full = Math.min(this.#firstMs * 2 ** this.#failures++, this.#longestMs);
    return full / 2 + this.#random() * (full / 2);
  }
}

/** Wakes a loop that waits. */
export class Signal {
  #wake: () => void = () => {};
  #isNotified = false;

  notify(): void {
    this.#isNotified = true;
    this.#wake();
  }

  /** Resolves after `notify()`, also if that came before the wait, or after the given time. */
  async wait(ms: number): Promise<void> {
    if (!this.#isNotified) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isNotified = false;
  }
}
