import type { Readable } from "node:stream";
import type { ByteRange } from "../kernel/ranges.ts";

/** What is known of sealed bytes; digests are lower-case hex. */
export interface BlobFacts {
  sha256: string;
  md5: string;
  sizeBytes: number;
}

/** How an append ended: all of the source was taken, the source broke off, or `signal` was aborted. */
export type AppendEnd = "complete" | "cut" | "superseded";

export interface AppendResult {
  /** Bytes of the upload that are on disk; where the next append goes on. */
  offset: number;
  ended: AppendEnd;
}

export interface AppendOptions {
  /** Called whenever more bytes are safely on disk, and awaited before the append reports them. */
  onDurable?: (offset: number) => Promise<void> | void;
  /** Refuses (by what `onLimit` returns) once the upload would grow beyond this. */
  limitBytes?: number;
  onLimit?: () => Error;
  /** Ends the append; what has arrived is still written and synced. */
  signal?: AbortSignal;
}

/**
 * Where bytes live (architecture, rule 8): immutable blobs named by their sha256, and partial uploads that become
 * blobs. An upload's id is chosen by the caller (a UUID); its durable offset is the caller's to keep, through
 * `onDurable`, so that it stands in the same row as everything else that is known of the upload.
 *
 * A full disk raises Failure `disk_full`; the bytes already synced stay and the upload may go on later.
 */
export interface BlobStore {
  /** Begins an empty upload; one of the same id is replaced. */
  create(uploadId: string): Promise<void>;
  /** The offset from which the upload can go on: the smaller of `storedOffset` and the bytes present (records 6.4.1). */
  confirmOffset(uploadId: string, storedOffset: number): Promise<number>;
  /**
   * Cuts the upload back to `from` bytes and appends the source, of which a chunk is done with before the next one is asked
   * for. The caller sees to it that an upload has one writer at a time (`upload-lock.ts`).
   */
  append(
    uploadId: string,
    from: number,
    source: AsyncIterable<Uint8Array>,
    options?: AppendOptions,
  ): Promise<AppendResult>;
  /**
   * Turns the first `sizeBytes` bytes of an upload into a blob. `check` sees the digests first: when it throws, the
   * upload is dropped and no blob appears.
   */
  seal(uploadId: string, sizeBytes: number, check?: (facts: BlobFacts) => void): Promise<BlobFacts>;
  /** Forgets an upload and its bytes; unknown ids are fine. */
  drop(uploadId: string): Promise<void>;
  /** Ids of the uploads that hold bytes, for sweeping. */
  listUploads(): Promise<string[]>;
  has(sha256: string): Promise<boolean>;
  /** A stream of the blob, or of a part of it. Raises Failure `unavailable` when the bytes are not here. */
  read(sha256: string, range?: ByteRange): Promise<Readable>;
  /** A part of the blob as one buffer, shorter when the blob ends before. Same failure. */
  readBytes(sha256: string, range: ByteRange): Promise<Buffer>;
  remove(sha256: string): Promise<void>;
}
