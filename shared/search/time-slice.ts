const sliceMs = 8;

/** Whether work that began at `start` (`performance.now()`) should give way. */
export const isDue = (start: number): boolean => performance.now() - start > sliceMs;

/** Lets everything else that waits run once (architecture, rule 10). */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Gives way whenever a few milliseconds have passed since it last did. */
export class Slices {
  #start = performance.now();

  async next(): Promise<void> {
    if (!isDue(this.#start)) return;
    await breathe();
    this.#start = performance.now();
  }
}
