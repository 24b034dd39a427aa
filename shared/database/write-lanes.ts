/** The pool has ten connections. One is left for reading. */
const widest = 9;
/** Writes without a conflict that open one more lane. */
const writesForOneMore = 20;

/**
 * Limits how many writes of a process run at once. A conflict halves the number; writes without one raise it slowly. So a
 * small library, in which all writes meet, works like one with a single writer, and a large one uses its connections.
 */
export class WriteLanes {
  #lanes: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(lanes = widest) {
    this.#lanes = lanes;
  }

  /** Runs the work when there is room. Work that was started first goes first. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= Math.floor(this.#lanes)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#lanes = Math.min(widest, this.#lanes + 1 / writesForOneMore);
      this.#running -= 1;
      this.#admit();
    }
  }

  /** Halves the number of lanes, after a conflict. */
  narrow(): void {
    this.#lanes = Math.max(1, this.#lanes / 2);
  }

  #admit(): void {
    while (this.#running < Math.floor(this.#lanes)) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running += 1;
      next();
    }
  }
}
