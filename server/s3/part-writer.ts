import type { AppendEnd, AppendOptions } from "../../shared/blobs/blob-store.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { SavedDigests } from "./saved-digests.ts";

const firstBytes = 256 * 1024;
const growth = 4;

/** Bytes that the store does not have yet, with the digests of the upload up to their end. */
export interface Remainder {
  bytes: Buffer;
  digests: SavedDigests;
}

export interface PartTarget {
  /** All parts are equal, as some stores demand. */
  partBytes: number;
  /** Stores a part and notes it. @param state the digests up to its end */
  store(bytes: Buffer, state: Buffer): Promise<void>;
}

/**
 * Collects one append into parts. A part is stored while the next one arrives and is hashed, so an upload holds two parts
 * in memory at most. Chunks are copied, so the source can reuse its memory at once.
 */
export class PartWriter {
  readonly #target: PartTarget;
  readonly #digests: SavedDigests;
  readonly #options: AppendOptions;
  /** Bytes of the upload up to here. */
  #offset: number;
  #part: Buffer = Buffer.alloc(0);
  #filled = 0;
  #storing: Promise<void> = Promise.resolve();
  #wake: () => void = () => undefined;

  /** @param before the bytes at the end of the upload that are in no part yet, with the digests up to their end */
  constructor(target: PartTarget, before: Remainder, offset: number, options: AppendOptions) {
    this.#target = target;
    this.#digests = before.digests;
    this.#options = options;
    this.#offset = offset;
    this.#part = before.bytes;
    this.#filled = before.bytes.byteLength;
    options.signal?.addEventListener("abort", () => this.#wake(), { once: true });
  }

  /** Reads the source to its end or break-off. @returns what is in no part. Refusals of the store are thrown. */
  async run(source: AsyncIterable<Uint8Array>): Promise<{ ended: AppendEnd; rest: Remainder }> {
    const iterator = source[Symbol.asyncIterator]();
    let ended: AppendEnd | undefined;
    try {
      while (!ended) {
        const step = await this.#next(iterator);
        if (typeof step === "string") ended = step;
        else await this.#take(step);
      }
    } finally {
      // Releases the source. Not awaited, because a silent source answers late.
      iterator.return?.().catch(() => undefined);
      await this.#storing.catch(() => undefined);
    }
    await this.#storing;
    return { ended, rest: { bytes: this.#part.subarray(0, this.#filled), digests: this.#digests } };
  }

  /** The next chunk, or why there is none. A superseded writer does not wait for a silent source. */
  #next(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array | AppendEnd> {
    if (this.#options.signal?.aborted) return Promise.resolve("superseded");
    return new Promise((resolve, reject) => {
      this.#wake = () => resolve("superseded");
      // A store that refuses ends the append, although the source is silent.
      this.#storing.catch(reject);
      iterator.next().then(
        (step) => resolve(step.done ? "complete" : step.value),
        // A Failure is thrown; any other error is a broken connection.
        (error: unknown) => (error instanceof Failure ? reject(error) : resolve("cut")),
      );
    });
  }

  async #take(chunk: Uint8Array): Promise<void> {
    const { limitBytes, onLimit } = this.#options;
    for (let start = 0; start < chunk.byteLength; ) {
      const piece = chunk.subarray(start, start + this.#target.partBytes - this.#filled);
      this.#offset += piece.byteLength;
      if (limitBytes !== undefined && onLimit && this.#offset > limitBytes) throw onLimit();
      this.#digests.update(piece);
      this.#makeRoom(piece.byteLength);
      this.#part.set(piece, this.#filled);
      this.#filled += piece.byteLength;
      start += piece.byteLength;
      if (this.#filled === this.#target.partBytes) await this.#startPart();
    }
  }

  /** Small files take little memory. */
  #makeRoom(bytes: number): void {
    const needed = this.#filled + bytes;
    if (needed <= this.#part.byteLength) return;
    const size = Math.max(needed, firstBytes, Math.min(this.#part.byteLength * growth, this.#target.partBytes));
    const larger = Buffer.allocUnsafeSlow(size);
    larger.set(this.#part.subarray(0, this.#filled));
    this.#part = larger;
  }

  /** Stores the part after the previous one. */
  async #startPart(): Promise<void> {
    await this.#storing;
    const [bytes, state] = [this.#part.subarray(0, this.#filled), this.#digests.save()];
    this.#part = Buffer.alloc(0);
    this.#filled = 0;
    this.#storing = this.#target.store(bytes, state);
    // The next step handles the error; until then nobody awaits this promise.
    this.#storing.catch(() => undefined);
  }
}
