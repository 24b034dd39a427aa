import { setTimeout as sleep } from "node:timers/promises";

/** Holds a stream of bytes to a rate. */
export class Pace {
  readonly #begin = performance.now();
  readonly #rate: number | null;

  /** @param rate most bytes a second; null: no limit. */
  constructor(rate: number | null) {
    this.#rate = rate;
  }

  /** Resolves when so many bytes may have passed since the beginning. */
  async passed(bytes: number): Promise<void> {
    if (this.#rate === null) return;
    const aheadMs = (bytes / this.#rate) * 1000 - (performance.now() - this.#begin);
    if (aheadMs > 0) await sleep(aheadMs);
  }

  async *over(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const chunk of source) {
      yield chunk;
      bytes += chunk.length;
      await this.passed(bytes);
    }
  }
}
