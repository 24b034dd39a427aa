import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { AppendOptions, AppendResult, BlobFacts, BlobStore } from "../../shared/blobs/blob-store.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { ByteRange } from "../../shared/kernel/ranges.ts";

/** The folder of drawn pictures where no file exists, so that none is drawn. */
export const noPictures = "/nonexistent";

/** The simulator's blob store: no disk, no timers, immediately durable. */
export class MemoryBlobStore implements BlobStore {
  #uploads = new Map<string, Buffer>();
  #blobs = new Map<string, Buffer>();

  async create(uploadId: string): Promise<void> {
    this.#uploads.set(uploadId, Buffer.alloc(0));
  }

  async confirmOffset(uploadId: string, storedOffset: number): Promise<number> {
    return Math.min(storedOffset, this.#uploads.get(uploadId)?.byteLength ?? 0);
  }

  async append(
    uploadId: string,
    from: number,
    source: AsyncIterable<Uint8Array>,
    options: AppendOptions = {},
  ): Promise<AppendResult> {
    let bytes = (this.#uploads.get(uploadId) ?? Buffer.alloc(0)).subarray(0, from);
    let ended: AppendResult["ended"] = "complete";
    try {
      for await (const chunk of source) {
        if (options.signal?.aborted) return { offset: bytes.byteLength, ended: "superseded" };
        const { limitBytes, onLimit } = options;
        if (limitBytes !== undefined && onLimit && bytes.byteLength + chunk.byteLength > limitBytes) throw onLimit();
        bytes = Buffer.concat([bytes, chunk]);
        this.#uploads.set(uploadId, bytes);
      }
    } catch (error) {
      if (error instanceof Failure) throw error;
      ended = "cut";
    }
    await options.onDurable?.(bytes.byteLength);
    return { offset: bytes.byteLength, ended };
  }

  async seal(uploadId: string, sizeBytes: number, check?: (facts: BlobFacts) => void): Promise<BlobFacts> {
    const bytes = (this.#uploads.get(uploadId) ?? Buffer.alloc(0)).subarray(0, sizeBytes);
    this.#uploads.delete(uploadId);
    const hex = (name: string) => createHash(name).update(bytes).digest("hex");
    const facts = { sha256: hex("sha256"), md5: hex("md5"), sizeBytes: bytes.byteLength };
    check?.(facts);
    this.#blobs.set(facts.sha256, bytes);
    return facts;
  }

  async detach(uploadId: string, newId: string): Promise<void> {
    const bytes = this.#uploads.get(uploadId);
    this.#uploads.delete(uploadId);
    if (bytes) this.#uploads.set(newId, bytes);
  }

  async drop(uploadId: string): Promise<void> {
    this.#uploads.delete(uploadId);
  }

  async listUploads(): Promise<string[]> {
    return [...this.#uploads.keys()];
  }

  async has(sha256: string): Promise<boolean> {
    return this.hasNow(sha256);
  }

  /** Like `has`, synchronous. */
  hasNow(sha256: string): boolean {
    return this.#blobs.has(sha256);
  }

  async read(sha256: string, range?: ByteRange): Promise<Readable> {
    const bytes = await this.readBytes(sha256, range ?? { start: 0, end: Number.MAX_SAFE_INTEGER });
    return Readable.from([bytes]);
  }

  async readBytes(sha256: string, range: ByteRange): Promise<Buffer> {
    const bytes = this.#blobs.get(sha256);
    if (!bytes) throw new Failure("unavailable", "The bytes of this file are not on this computer.");
    return bytes.subarray(range.start, range.end);
  }

  async fileOf(): Promise<string> {
    throw new Failure("unavailable", "The bytes of this file are not in a file.");
  }

  async remove(sha256: string): Promise<void> {
    this.#blobs.delete(sha256);
  }

  /** All present blobs, for a backup. */
  copy(): ReadonlyMap<string, Buffer> {
    return new Map(this.#blobs);
  }

  /** Restores the blobs of a backup; newer ones stay. */
  bringBack(blobs: ReadonlyMap<string, Buffer>): void {
    for (const [sha256, bytes] of blobs) this.#blobs.set(sha256, bytes);
  }
}
