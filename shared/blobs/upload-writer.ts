import type { FileHandle } from "node:fs/promises";
import { Failure } from "../kernel/failure.ts";
import type { AppendEnd, AppendOptions } from "./blob-store.ts";
import type { Digests } from "./digests.ts";

const batchBytes = 512 * 1024;
const syncBytes = 8 * 1024 * 1024;

/**
 * Writes one append in the background: a batch is written and earlier ones are synced while the next one arrives and is
 * hashed. Two batches alternate, and at most one sync runs, so memory use is constant. Chunks are copied, so the source
 * can reuse its memory at once.
 */
export class UploadWriter {
  /** Bytes on disk, counted from the start of the upload. */
  durable: number;
  #file: FileHandle;
  #digests: Digests;
  #options: AppendOptions;
  #batch: Buffer | undefined;
  #batched = 0;
  /** The batch that is being written, or was written last. */
  #other: Buffer | undefined;
  #position: number;
  #syncStarted: number;
  #writing: Promise<void> = Promise.resolve();
  #syncing: Promise<void> = Promise.resolve();
  #wake: () => void = () => undefined;

  constructor(file: FileHandle, digests: Digests, options: AppendOptions) {
    this.#file = file;
    this.#digests = digests;
    this.#options = options;
    this.durable = digests.offset;
    this.#position = digests.offset;
    this.#syncStarted = digests.offset;
    options.signal?.addEventListener("abort", () => this.#wake(), { once: true });
  }

  /** Reads the source to its end or break-off, and syncs. Write errors and `onLimit` errors are thrown. */
  async run(source: AsyncIterable<Uint8Array>): Promise<AppendEnd> {
    const iterator = source[Symbol.asyncIterator]();
    let ended: AppendEnd | undefined;
    try {
      while (!ended) {
        const step = await this.#next(iterator);
        if (typeof step === "string") ended = step;
        else await this.#take(step);
      }
    } finally {
      // Releases the source. Not awaited, because a silent source answers late, and its end does not concern these
      // bytes.
      iterator.return?.().catch(() => undefined);
    }
    await this.#flush();
    await this.#syncing;
    await this.#sync();
    return ended;
  }

  /** The next chunk, or why there is none. A superseded writer does not wait for a silent source. */
  #next(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array | AppendEnd> {
    if (this.#options.signal?.aborted) return Promise.resolve("superseded");
    return new Promise((resolve, reject) => {
      this.#wake = () => resolve("superseded");
      iterator.next().then(
        (step) => resolve(step.done ? "complete" : step.value),
        // A Failure is thrown; any other error is a broken connection.
        (error: unknown) => (error instanceof Failure ? reject(error) : resolve("cut")),
      );
    });
  }

  async #take(chunk: Uint8Array): Promise<void> {
    for (let start = 0; start < chunk.byteLength; ) {
      const part = chunk.subarray(start, start + batchBytes - this.#batched);
      const { limitBytes, onLimit } = this.#options;
      if (limitBytes !== undefined && onLimit && this.#digests.offset + part.byteLength > limitBytes) throw onLimit();
      this.#digests.update(part);
      this.#batch ??= Buffer.allocUnsafeSlow(batchBytes);
      this.#batch.set(part, this.#batched);
      this.#batched += part.byteLength;
      start += part.byteLength;
      if (this.#batched === batchBytes) await this.#flush();
      if (this.#position - this.#syncStarted >= syncBytes) await this.#startSync();
    }
  }

  /** Writes the batch, after the previous one. */
  async #flush(): Promise<void> {
    await this.#writing;
    if (this.#batched === 0 || !this.#batch) return;
    const bytes = this.#batch.subarray(0, this.#batched);
    const position = this.#position;
    this.#position += this.#batched;
    this.#batched = 0;
    [this.#batch, this.#other] = [this.#other, this.#batch];
    this.#writing = writeAll(this.#file, bytes, position);
    // The next flush or sync handles the error; until then nobody awaits this promise.
    this.#writing.catch(() => undefined);
  }

  async #startSync(): Promise<void> {
    await this.#syncing;
    this.#syncStarted = this.#position;
    this.#syncing = this.#sync();
    this.#syncing.catch(() => undefined);
  }

  async #sync(): Promise<void> {
    const position = this.#position;
    await this.#writing;
    await this.#file.datasync();
    this.durable = position;
    await this.#options.onDurable?.(position);
  }

  /** Waits for pending writes, so that the file can be truncated or closed. */
  async quiet(): Promise<void> {
    await Promise.allSettled([this.#writing, this.#syncing]);
  }
}

/** Writes all bytes: a single write may be short. A full disk fails the next one. */
async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, position + done);
    done += bytesWritten;
  }
}
