const sliceMs = 8;

/** For the steps of one write, of which only those of very large drafts take so long. */
export const longSliceMs = 20;

/** Whether work that began at `start` (`performance.now()`) should give way. */
export const isDue = (start: number): boolean => performance.now() - start > sliceMs;

/** Lets everything else that waits run once (architecture, rule 10). */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Gives way whenever so many milliseconds, a few, have passed since it last did. */
export class Slices {
  #start = performance.now();
  readonly #ms: number;

  constructor(ms = sliceMs) {
    this.#ms = ms;
  }

  async next(): Promise<void> {
    if (performance.now() - this.#start <= this.#ms) return;
    await yieldToEventLoop();
    this.#start = performance.now();
  }
}
