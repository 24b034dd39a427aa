import type { BlobStore } from "../../shared/blobs/blob-store.ts";
import type { Db } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Transfer } from "../../shared/sync-protocol/sync-status.schema.ts";
import { Bell } from "./backoff.ts";
import type { Operation } from "./operation.repository.ts";
import { Pace } from "./pace.ts";
import { blobsOf } from "./refusal.ts";
import { hasBlob, RequestSize, type UploadLine, uploadBlob } from "./uploads.ts";

export interface UploaderOptions {
  db: Db;
  blobs: BlobStore;
  /** Where to; undefined without a server. */
  line(): UploadLine | undefined;
  /** Bytes have arrived, or never will: what waited for them may go. */
  onEnded(): void;
  onProgress(): void;
  /** These bytes will never arrive: what needs them is refused. */
  onRefused(sha256: string, failure: Failure): Promise<void>;
}

/** The bytes were given up here because the server had them, and then it lost them. */
export const lostBytes = (): Failure =>
  new Failure(
    "gone",
    "The bytes of this file are neither on this computer nor on the server any more. Add the same file again and retry, or discard this.",
  );

interface Wanted {
  sha256: string;
  size: number;
  record: string;
  title: string;
}

/** Brings the bytes that unsent operations need to the server, one blob after the other, smallest first. */
export class Uploader {
  readonly bell = new Bell();
  readonly #options: UploaderOptions;
  readonly #arrived = new Set<string>();
  readonly #transfers = new Map<string, Transfer>();
  readonly #requestSize = new RequestSize();
  /** On a costly line files wait. */
  isHeld = false;
  /** Most bytes a second; null: no limit. */
  rate: number | null = null;

  constructor(options: UploaderOptions) {
    this.#options = options;
  }

  hasServer(sha256: string): boolean {
    return this.#arrived.has(sha256);
  }

  /** The server turned out not to have them after all. */
  forget(sha256: string): void {
    this.#arrived.delete(sha256);
    this.bell.ring();
  }

  /** Nothing is known any more of what the server has. */
  forgetAll(): void {
    this.#arrived.clear();
    this.bell.ring();
  }

  transfers(): Transfer[] {
    return [...this.#transfers.values()];
  }

  /** @throws Unreachable when the line broke; Failure when the bytes will never arrive. */
  async #upload(line: UploadLine, { sha256, size, record, title }: Wanted): Promise<void> {
    if (!(await this.#options.blobs.has(sha256)) && !(await hasBlob(line, sha256))) throw lostBytes();
    const transfer: Transfer = { key: title, record, direction: "up", bytes: 0, size };
    this.#transfers.set(sha256, transfer);
    const pace = new Pace(this.rate);
    let begin: number | undefined;
    try {
      await uploadBlob(line, this.#options.blobs, { sha256, size }, this.#requestSize, (bytes) => {
        transfer.bytes = bytes;
        this.#options.onProgress();
        begin ??= bytes;
        return pace.passed(bytes - begin);
      });
    } finally {
      this.#transfers.delete(sha256);
    }
  }

  /** @throws Unreachable when the line broke. */
  async uploadAll(operations: Operation[]): Promise<void> {
    const line = this.#options.line();
    if (!line) return;
    for (const wanted of this.#wanted(operations)) {
      if (this.isHeld) return;
      try {
        await this.#upload(line, wanted);
        this.#arrived.add(wanted.sha256);
      } catch (error) {
        if (!(error instanceof Failure)) {
          this.#requestSize.broke();
          throw error;
        }
        await this.#options.onRefused(wanted.sha256, error);
      }
      this.#options.onEnded();
    }
  }

  #wanted(operations: Operation[]): Wanted[] {
    const wanted = new Map<string, Wanted>();
    for (const operation of operations) {
      if (operation.state === "rejected") continue;
      for (const blob of blobsOf(operation)) {
        if (this.#arrived.has(blob.sha256)) continue;
        wanted.set(blob.sha256, { ...blob, record: operation.object_id, title: operation.title });
      }
    }
    return [...wanted.values()].sort((a, b) => a.size - b.size);
  }
}
