import type { BlobStore } from "../../shared/blobs/blob-store.ts";
import type { Db } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Transfer } from "../../shared/sync-protocol/sync-status.schema.ts";
import { Signal } from "./backoff.ts";
import type { Operation } from "./operation.repository.ts";
import type { PutAside } from "./put-aside.ts";
import { blobsOf } from "./refusal.ts";
import { findKey } from "./storage.repository.ts";
import { Throttle } from "./throttle.ts";
import { UnclearAnswer, Unreachable } from "./transport.ts";
import { Tries, triedInVain } from "./tries.ts";
import type { UpstreamBytes, WantedBytes } from "./upstream.ts";

/** Nothing is tried again sooner. */
const leastWaitMs = 1000;

export interface UploaderOptions {
  db: Db;
  blobs: BlobStore;
  /** Undefined without a server. */
  bytes(): UpstreamBytes | undefined;
  /** An upload ended, so that operations that waited for it can go. */
  onEnded(): void;
  onProgress(): void;
  /** The server will never take these bytes: reject the operations that need them. */
  onRefused(sha256: string, failure: Failure): Promise<void>;
  /** Microseconds UTC. */
  now(): number;
  /** Files that the server, or a proxy, does not accept now, by digest. Others are sent. */
  putAside: PutAside;
}

/** The local copy was dropped because the server had the bytes, and then the server lost them. */
export const missingBytes = (): Failure =>
  new Failure(
    "gone",
    "The content of this file is no longer on this computer or on the server. Add the same file again and retry, or discard this change.",
  );

interface Wanted extends WantedBytes {
  record: string;
  /** Title of the operation: names a file that was removed from its draft meanwhile. */
  title: string;
}

/** Uploads the blobs of unsent operations, one at a time, smallest first. */
export class Uploader {
  readonly signal = new Signal();
  readonly #options: UploaderOptions;
  readonly #onServer = new Set<string>();
  readonly #transfers = new Map<string, Transfer>();
  readonly #tries = new Tries();
  /** The user holds file transfers back, on a metered connection. */
  isPaused = false;
  /** Maximum rate; null: no limit. */
  bytesPerSecond: number | null = null;

  constructor(options: UploaderOptions) {
    this.#options = options;
  }

  isOnServer(sha256: string): boolean {
    return this.#onServer.has(sha256);
  }

  /** The server turned out not to have these bytes. */
  markMissing(sha256: string): void {
    this.#onServer.delete(sha256);
    this.signal.notify();
  }

  /** The server was restored: assume that it has no bytes. */
  markAllMissing(): void {
    this.#onServer.clear();
    this.signal.notify();
  }

  transfers(): Transfer[] {
    return [...this.#transfers.values()];
  }

  /** @throws Unreachable if the connection was lost; Failure if the server will never take the bytes. */
  async #upload(upstream: UpstreamBytes, { sha256, size, record, title }: Wanted): Promise<void> {
    if (!(await this.#options.blobs.has(sha256)) && !(await upstream.has(sha256))) throw missingBytes();
    const key = (await findKey(this.#options.db, record, sha256)) ?? title;
    const transfer: Transfer = { key, record, direction: "up", bytes: 0, size };
    this.#transfers.set(sha256, transfer);
    const throttle = new Throttle(this.bytesPerSecond);
    try {
      await upstream.send(
        this.#options.blobs,
        { sha256, size },
        {
          onArrived: (bytes) => {
            transfer.bytes = bytes;
            this.#options.onProgress();
          },
          onSent: (bytes) => throttle.wait(bytes),
        },
      );
    } finally {
      this.#transfers.delete(sha256);
    }
  }

  /** @returns when to call again, in milliseconds. @throws Unreachable if the connection was lost. */
  async uploadAll(operations: Operation[]): Promise<number> {
    const bytes = this.#options.bytes();
    if (!bytes) return Number.POSITIVE_INFINITY;
    const { putAside, now } = this.#options;
    const all = this.#wanted(operations);
    putAside.keepOnly(new Set(all.map(({ sha256 }) => sha256)));
    for (const wanted of all) {
      const { sha256 } = wanted;
      if (this.isPaused) break;
      if (putAside.isWaiting(sha256) || this.#tries.waitOf(sha256, now()) > 0) continue;
      try {
        await this.#upload(bytes, wanted);
        this.#onServer.add(sha256);
        this.#tries.ended(sha256);
        putAside.delete(sha256);
      } catch (thrown) {
        const error = thrown instanceof UnclearAnswer ? this.#notTaken(sha256, thrown) : thrown;
        if (error === "later") continue;
        // A dead token says nothing about the bytes.
        if (!(error instanceof Failure) || error.kind === "unauthorized") {
          bytes.onSendFailed();
          if (!(error instanceof Unreachable) || error.status === undefined) throw error;
          putAside.add(sha256, error.message);
          continue;
        }
        await this.#options.onRefused(sha256, error);
      }
      this.#options.onEnded();
    }
    return this.#againInMs(all);
  }

  /** Other bytes go first, before these are tried again. @returns the refusal after the last try */
  #notTaken(sha256: string, { message }: UnclearAnswer): Failure | "later" {
    if (this.#tries.failed(sha256, this.#options.now()) === undefined)
      return new Failure("unprocessable", triedInVain(message));
    return "later";
  }

  /** How long until the first of these that wait may be tried, in milliseconds. */
  #againInMs(wanted: readonly Wanted[]): number {
    const { putAside, now } = this.#options;
    const waits = wanted.map(({ sha256 }) => this.#tries.waitOf(sha256, now()) / 1000).filter((ms) => ms > 0);
    const asideMs = putAside.isEmpty ? Number.POSITIVE_INFINITY : (putAside.waitMs() ?? 0);
    return Math.max(leastWaitMs, Math.min(asideMs, ...waits));
  }

  #wanted(operations: Operation[]): Wanted[] {
    const wanted = new Map<string, Wanted>();
    for (const operation of operations) {
      if (operation.state === "rejected") continue;
      for (const blob of blobsOf(operation)) {
        if (this.#onServer.has(blob.sha256)) continue;
        wanted.set(blob.sha256, { ...blob, record: operation.object_id, title: operation.title });
      }
    }
    return [...wanted.values()].sort((a, b) => a.size - b.size);
  }
}
