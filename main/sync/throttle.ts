import { setTimeout as sleep } from "node:timers/promises";

/** Limits the rate of a stream. */
export class Throttle {
  readonly #begin = performance.now();
  readonly #rate: number | null;

  /** @param rate bytes a second; null: no limit. */
  constructor(rate: number | null) {
    this.#rate = rate;
  }

  /** Resolves when this many bytes in total are within the rate. */
  async wait(bytes: number): Promise<void> {
    if (this.#rate === null) return;
    const aheadMs = (bytes / this.#rate) * 1000 - (performance.now() - this.#begin);
    if (aheadMs > 0) await sleep(aheadMs);
  }

  async *throttle(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const chunk of source) {
      yield chunk;
      bytes += chunk.length;
      await this.wait(bytes);
    }
  }
}
