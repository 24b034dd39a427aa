const sliceMs = 8;

/** The time slice within one write. Only writes of very large drafts take that long. */
export const longSliceMs = 20;

/** Whether work that started at `start` (`performance.now()`) should yield to the event loop. */
export const isDue = (start: number): boolean => performance.now() - start > sliceMs;

/** Lets all other waiting work run once (architecture, rule 10). */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Yields to the event loop when a time slice of a few milliseconds is used up. */
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
