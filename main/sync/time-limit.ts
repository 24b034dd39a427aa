/** A connection that moves fewer bytes a second does not extend the limit enough to finish a large message. */
const slowestBytesPerSecond = 8 * 1024;

/**
 * Time limit of one call. Each transferred byte extends it, so that a slow connection can finish a large message, and a
 * silent one ends soon.
 */
export class TimeLimit {
  readonly #controller = new AbortController();
  #due: number;
  #timer: NodeJS.Timeout;

  constructor(timeoutMs: number) {
    this.#due = performance.now() + timeoutMs;
    this.#timer = this.#wait(timeoutMs);
  }

  /** Aborts with a `TimeoutError`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** This many bytes were transferred, or will be. */
  extend(bytes: number): void {
    this.#due += (bytes / slowestBytesPerSecond) * 1000;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #wait(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      const leftMs = this.#due - performance.now();
      if (leftMs > 0) this.#timer = this.#wait(leftMs);
      else this.#controller.abort(new DOMException("no answer in time", "TimeoutError"));
    }, ms).unref();
  }
}
