const windowMicros = 3_600 * 1_000_000;
const maxOfSource = 100;
const maxOfAll = 2000;

/**
 * Limits the refusals that are recorded in an hour, per source and in total, so that a flood does not fill the disk.
 * The omitted ones are counted.
 */
export class RefusalLimit {
  #windowEnd = 0;
  #all = 0;
  #bySource = new Map<string, number>();
  #leftOut = 0;

  /** How many refusals were omitted in past hours; resets the count. */
  takeLeftOut(now: number): number {
    if (now < this.#windowEnd && this.#windowEnd - now <= windowMicros) return 0;
    const leftOut = this.#leftOut;
    this.#windowEnd = now + windowMicros;
    this.#all = 0;
    this.#bySource = new Map();
    this.#leftOut = 0;
    return leftOut;
  }

  /** Whether another refusal of the source is recorded. */
  allows(source: string): boolean {
    const ofSource = this.#bySource.get(source) ?? 0;
    if (ofSource >= maxOfSource || this.#all >= maxOfAll) {
      this.#leftOut += 1;
      return false;
    }
    this.#bySource.set(source, ofSource + 1);
    this.#all += 1;
    return true;
  }
}
