import type { Readable } from "node:stream";
import type { ByteRange } from "../kernel/ranges.ts";

/** Size and digests of a blob; digests are lower-case hex. */
export interface BlobFacts {
  sha256: string;
  md5: string;
  sizeBytes: number;
}

/** How an append ended: the source ended, the source broke off, or `signal` was aborted. */
export type AppendEnd = "complete" | "cut" | "superseded";

export interface AppendResult {
  /** Bytes of the upload on disk: the offset of the next append. */
  offset: number;
  ended: AppendEnd;
  /** The last bytes, which the store keeps in memory for `seal`; only after `sealsNext`. */
  rest?: object;
}

/** The table of contents of an archive, as told by whoever has its bytes. Keys are full paths, with `/` between parts. */
export interface ListedArchive {
  files: { key: string; sizeBytes: number; compressedBytes: number; crc32: number }[];
  directories: string[];
}

export interface AppendOptions {
  /** Called when more bytes are durable, and awaited before the append returns. */
  onDurable?: (offset: number) => Promise<void> | void;
  /** Fails with the error of `onLimit` when the upload would exceed this size. */
  limitBytes?: number;
  onLimit?: () => Error;
  /** The caller seals the upload at once if the source is complete, so its last bytes need not be durable before. */
  sealsNext?: boolean;
  /** Ends the append. Bytes that have arrived are still written and synced. */
  signal?: AbortSignal;
}

/**
 * Stores bytes (architecture, rule 8): immutable blobs named by their sha256, and partial uploads that become blobs.
 * The caller chooses an upload's id (a UUID) and stores its durable offset through `onDurable`, in the row of the
 * upload.
 *
 * A full disk raises Failure `disk_full`, a store that cannot be reached `unavailable`. Synced bytes stay, and the upload
 * may continue later.
 */
export interface BlobStore {
  /** Creates an empty upload; replaces one with the same id. */
  create(uploadId: string): Promise<void>;
  /**
   * The offset at which an upload continues: the smaller of `storedOffset` and the bytes present (records 6.4.1), or what
   * the store itself has noted.
   */
  confirmOffset(uploadId: string, storedOffset: number): Promise<number>;
  /**
   * Truncates the upload to `from` bytes and appends the source. A chunk is copied before the next one is requested.
   * The caller must let only one writer append at a time (`upload-lock.ts`).
   */
  append(
    uploadId: string,
    from: number,
    source: AsyncIterable<Uint8Array>,
    options?: AppendOptions,
  ): Promise<AppendResult>;
  /**
   * Turns the first `sizeBytes` bytes of an upload into a blob. `check` gets the digests first; if it throws, the
   * upload is dropped and there is no blob.
   * @param rest of the append before.
   */
  seal(uploadId: string, sizeBytes: number, check?: (facts: BlobFacts) => void, rest?: object): Promise<BlobFacts>;
  /** Gives an upload another id, so that a writer of the old one changes its bytes no more. */
  detach(uploadId: string, newId: string): Promise<void>;
  /** Deletes an upload and its bytes; unknown ids are ignored. */
  drop(uploadId: string): Promise<void>;
  /** Ids of the uploads with bytes, for sweeping. */
  listUploads(): Promise<string[]>;
  has(sha256: string): Promise<boolean>;
  /** Streams the blob or a range of it. Raises Failure `unavailable` when the bytes are not here. */
  read(sha256: string, range?: ByteRange): Promise<Readable>;
  /** A range of the blob as one buffer, shorter at the end of the blob. Raises the same Failure. */
  readBytes(sha256: string, range: ByteRange): Promise<Buffer>;
  /** The file with the bytes, for a process that opens it by name. Raises the same Failure. */
  fileOf(sha256: string): Promise<string>;
  remove(sha256: string): Promise<void>;
  /** The table of contents of an archive whose bytes are elsewhere; undefined if the archive itself is to be read. */
  listArchive?(sha256: string): Promise<ListedArchive | undefined>;
  /** The uncompressed bytes of a file in such an archive; undefined likewise. */
  readMember?(sha256: string, key: string): Promise<Readable | undefined>;
  /** Removes what calls left that never ended, while other calls are answered. Only stores that cannot at a start. */
  tidy?(): Promise<void>;
}
