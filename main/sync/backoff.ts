/** Waits that grow with each failure in a row and begin anew with each success; half of each is left to chance. */
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

  /** How long to wait after another failure, in milliseconds. */
  failed(): number {
    const full = Math.min(this.#firstMs * 2 ** this.#failures++, this.#longestMs);
    return full / 2 + this.#random() * (full / 2);
  }
}

/** Something to wait for that can be rung. */
export class Bell {
  #ring: () => void = () => {};
  #isRung = false;

  ring(): void {
    this.#isRung = true;
    this.#ring();
  }

  /** Resolves when rung (also before the wait began) or when the time is over. */
  async wait(ms: number): Promise<void> {
    if (!this.#isRung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#ring = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isRung = false;
  }
}
