/** Time of the site: the machine's, moved by what a test adds, or virtual time of a simulator. */
export class SiteClock {
  #aheadMs = 0;
  readonly #source: () => number;

  constructor(source: () => number = Date.now) {
    this.#source = source;
  }

  now(): number {
    return this.#source() + this.#aheadMs;
  }

  advance(ms: number): void {
    this.#aheadMs += ms;
  }

  /** As the interface writes it: UTC with microseconds and offset. */
  iso(ms = this.now()): string {
    return `${new Date(ms).toISOString().slice(0, -1)}000+00:00`;
  }
}
