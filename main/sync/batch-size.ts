/**
 * How much goes into one message. After a failure it is small, then doubles with each success, and grows slowly near the
 * size that failed last.
 */
export class BatchSize {
  readonly #most: number;
  #size: number;
  #fast: number;

  constructor(most: number) {
    this.#most = most;
    this.#size = most;
    this.#fast = most;
  }

  get size(): number {
    return Math.floor(this.#size);
  }

  succeeded(): void {
    const next = this.#size < this.#fast ? Math.min(this.#size * 2, this.#fast) : this.#size * 1.1;
    this.#size = Math.min(next, this.#most);
  }

  /**
   * @param used size of the message that failed
   * @param next size of the next message
   */
  failed(used: number, next: number): void {
    this.#fast = Math.max(1, used / 2);
    this.#size = Math.max(1, next);
  }
}
