import { type Db, transaction } from "../database/open.ts";
import type { BlobRow, UploadRow } from "../database/schema.ts";
import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { blobGate } from "./blob-gate.ts";
import type { AppendResult, BlobFacts } from "./blob-store.ts";
import { sweepBytes, sweepWhileRunning, type UnusedBlobs } from "./sweep.ts";
import {
  contentKeyOf,
  deleteUploads,
  findBlob,
  findUpload,
  renameUpload,
  sizeOfContents,
  updateOffset,
  upsertBlob,
  upsertUpload,
} from "./upload.repository.ts";
import { type Append, assertFits, begunRow, keepsBytes, partialOf, tagOf, type UploadTarget } from "./upload-append.ts";
import type { UploadHeaders } from "./upload-headers.ts";
import type { UploadLease, UploadLock } from "./upload-lock.ts";
import { withMeter } from "./upload-meter.ts";
import { begunAnew, checkAgainst, cutShort, takenOver, wrongOffset } from "./upload-refusals.ts";

export interface UploadState {
  offset: number;
  isComplete: boolean;
  length: number | undefined;
  /** The `ETag` of an upload, unfinished or waiting for its commit. */
  tag?: string;
}

export type UploadOutcome = { state: "complete"; facts: BlobFacts } | { state: "partial"; offset: number; tag: string };

export interface UploadService {
  /** The offset of the upload. Ends a writer that is still running. */
  state(key: string): Promise<UploadState>;
  /**
   * Starts new content. Earlier content stays until this is complete.
   * @throws Failure 400 cut off, too large, or not as announced; 409 when a newer call took over; 507.
   */
  put(target: UploadTarget, body: AsyncIterable<Uint8Array>, headers: UploadHeaders): Promise<UploadOutcome>;
  /**
   * Continues at `Upload-Offset`.
   * @throws Failure 409 with the right offset when it differs; 412 when `If-Match` names an earlier upload.
   */
  patch(target: UploadTarget, body: AsyncIterable<Uint8Array>, headers: UploadHeaders): Promise<UploadOutcome>;
  /** The complete content, if there is one. */
  content(db: Db, key: string): Promise<BlobFacts | undefined>;
  /** Total bytes of the complete contents of these uploads. */
  sizeOf(db: Db, keys: string[]): Promise<number>;
  /** Deletes the row of a complete content in the transaction that links it to another row. */
  forgetContent(tx: Db, key: string): Promise<void>;
  /** A blob of this host's store. */
  findBlob(db: Db, sha256: string): Promise<BlobRow | undefined>;
  /** Deletes the content and all parts of an upload. The blob itself stays for others. */
  drop(key: string): Promise<void>;
  /** Removes everything unused. Call it before requests are answered. */
  sweep(): Promise<void>;
  /** As `sweep`, while requests are answered: bytes are removed after they were unused for a day. */
  sweepRunning(): Promise<void>;
}

const storeEveryMicros = 250_000;

/** The parts of a host that uploads use. */
export type UploadHost = Pick<Host, "db" | "blobs" | "now" | "newUuid">;

/** Resumable uploads, for file contents and for blobs from replicas. */
class UploadEngine implements UploadService {
  #host: UploadHost;
  #lock: UploadLock;
  readonly #unused: UnusedBlobs = new Map();

  constructor(host: UploadHost, lock: UploadLock) {
    this.#host = host;
    this.#lock = lock;
  }

  /** @param name forgets the upload only while its bytes have this name. */
  async #forget(key: string, name?: string): Promise<void> {
    const row = await findUpload(this.#host.db, partialOf(key));
    if (!row || (name !== undefined && name !== row.name)) return;
    await deleteUploads(this.#host.db, [partialOf(key)]);
    await this.#host.blobs.drop(row.name);
  }

  async #seal(append: Append, received: AppendResult): Promise<UploadOutcome> {
    const { key } = append.target;
    const earlier = await findUpload(this.#host.db, partialOf(key));
    const facts = await blobGate(this.#host.blobs).link(() => this.#sealed(append, received));
    if (earlier && earlier.name !== append.name) await this.#host.blobs.drop(earlier.name);
    return { state: "complete", facts };
  }

  /** Seals the bytes and inserts the rows that refer to the blob. */
  async #sealed(append: Append, { offset: sizeBytes, rest }: AppendResult): Promise<BlobFacts> {
    const { key } = append.target;
    let facts: BlobFacts;
    try {
      facts = await this.#host.blobs.seal(
        append.name,
        sizeBytes,
        checkAgainst(append.target.expected, append.length, append.sha256),
        rest,
      );
    } catch (error) {
      const isRefused = error instanceof Failure && error.kind === "invalid";
      if (isRefused && append.isKept) await deleteUploads(this.#host.db, [partialOf(key)]);
      if (!append.isKept) await this.#host.blobs.drop(append.name);
      throw error;
    }
    const now = this.#host.now();
    await transaction(this.#host.db, async (tx) => {
      const { sha256, md5 } = facts;
      const times = { created: append.begun, updated: now };
      const content = {
        key: contentKeyOf(key),
        name: "",
        upload_offset: sizeBytes,
        length: sizeBytes,
        complete: 1 as const,
      };
      await upsertUpload(tx, { ...content, sha256, md5, ...times });
      await deleteUploads(tx, [partialOf(key)]);
      await append.onStored?.(tx);
      await upsertBlob(tx, { sha256, md5, size: sizeBytes, state: "present", created: now, used: now });
    });
    return facts;
  }

  /** @throws Failure 409 when another process took the upload over. */
  async #storeOffset({ target, name }: Append, upload_offset: number): Promise<void> {
    const row = { key: partialOf(target.key), name, upload_offset, updated: this.#host.now() };
    if (!(await updateOffset(this.#host.db, row))) throw takenOver();
  }

  /** Stores the offset while bytes arrive, a few times a second, because each time needs a commit. */
  #storeNowAndThen(append: Append): (offset: number) => Promise<void> {
    let stored = this.#host.now();
    return async (offset) => {
      const now = this.#host.now();
      if (Math.abs(now - stored) < storeEveryMicros) return;
      stored = now;
      await this.#storeOffset(append, offset);
    };
  }

  /** Receives the body and handles how it ends. */
  async #receive({ superseded }: UploadLease, append: Append, body: AsyncIterable<Uint8Array>): Promise<UploadOutcome> {
    const { target, name, from, isKept, headers } = append;
    if (superseded.aborted) throw takenOver();
    const options = {
      signal: superseded,
      limitBytes: Math.min(target.maxBytes, append.length ?? target.maxBytes),
      onLimit: () => target.tooLarge(target.maxBytes + 1),
      sealsNext: headers.isComplete !== false,
      ...(isKept && { onDurable: this.#storeNowAndThen(append) }),
    };
    let result: AppendResult;
    try {
      result = await this.#host.blobs.append(name, from, body, options);
      if (isKept) await this.#storeOffset(append, result.offset);
    } catch (error) {
      if (!isKept || !keepsBytes(error)) await (isKept ? this.#forget(target.key, name) : this.#host.blobs.drop(name));
      throw error;
    }
    const { contentLength, isComplete } = headers;
    const isCut = result.ended === "cut" || (contentLength !== undefined && result.offset - from !== contentLength);
    if (isCut || result.ended === "superseded") {
      if (!isKept) await this.#host.blobs.drop(name);
      throw result.ended === "superseded" ? takenOver() : cutShort();
    }
    if (isComplete === false) return { state: "partial", offset: result.offset, tag: tagOf(append.begun) };
    return this.#seal(append, result);
  }

  async #begin(append: Append): Promise<void> {
    // An upload that starts over under the same key drops its earlier bytes first.
    if (append.isKept) await this.#forget(append.target.key);
    await this.#host.blobs.create(append.name);
    if (!append.isKept) return;
    await upsertUpload(this.#host.db, begunRow(append, this.#host.now()));
  }

  /** Receives the body within the quota. If it does not fit, an earlier upload stays unchanged. */
  async #metered(lease: UploadLease, append: Append, body: AsyncIterable<Uint8Array>): Promise<UploadOutcome> {
    const { target, from, headers } = append;
    const meter = await target.openMeter?.(headers.contentLength ?? 0, { upload: partialOf(target.key), start: from });
    return withMeter(meter, append.isKept, body, async (counted) => {
      if (from === 0) await this.#begin(append);
      return this.#receive(lease, { ...append, ...(meter?.onStored && { onStored: meter.onStored }) }, counted);
    });
  }

  #fresh(target: UploadTarget, headers: UploadHeaders): Append {
    return {
      target,
      name: this.#host.newUuid(),
      from: 0,
      length: headers.uploadLength ?? (headers.isComplete === true ? (headers.contentLength ?? null) : null),
      begun: this.#host.now(),
      sha256: headers.sha256 ?? null,
      isKept: headers.isComplete !== undefined,
      headers,
    };
  }

  /** The append of a PATCH. @throws Failure 412 or 409 unless it continues this upload at the stored offset. */
  async #continued(target: UploadTarget, headers: UploadHeaders, isSeized: boolean): Promise<Append> {
    const row = await findUpload(this.#host.db, partialOf(target.key));
    const content = row ? undefined : await findUpload(this.#host.db, contentKeyOf(target.key));
    if (content) throw wrongOffset(content.upload_offset, true);
    if (row && headers.ifMatch !== undefined && headers.ifMatch !== tagOf(row.created)) throw begunAnew();
    const from = row ? await this.#host.blobs.confirmOffset(row.name, row.upload_offset) : 0;
    if (headers.offset !== from) throw wrongOffset(from, false);
    if (!row) return this.#fresh(target, headers);
    const name = isSeized ? await this.#detached(row) : row.name;
    const length = headers.uploadLength ?? row.length;
    const sha256 = headers.sha256 ?? row.sha256;
    return { target, name, from, length, begun: row.created, sha256, isKept: true, headers };
  }

  /** Continues the upload in a copy, because the silent process that lost the lock may still write. @returns its name. */
  async #detached({ key, name }: UploadRow): Promise<string> {
    const newName = this.#host.newUuid();
    await this.#host.blobs.detach(name, newName);
    await renameUpload(this.#host.db, key, newName);
    return newName;
  }

  state(key: string): Promise<UploadState> {
    return this.#lock.hold(key, async () => {
      const row = await findUpload(this.#host.db, partialOf(key));
      if (row) {
        const offset = await this.#host.blobs.confirmOffset(row.name, row.upload_offset);
        return { offset, isComplete: false, length: row.length ?? undefined, tag: tagOf(row.created) };
      }
      const content = await findUpload(this.#host.db, contentKeyOf(key));
      if (!content) return { offset: 0, isComplete: false, length: undefined };
      const size = content.upload_offset;
      return { offset: size, isComplete: true, length: size, tag: tagOf(content.created) };
    });
  }

  put(target: UploadTarget, body: AsyncIterable<Uint8Array>, headers: UploadHeaders): Promise<UploadOutcome> {
    return this.#lock.hold(target.key, async (lease) => {
      const append = this.#fresh(target, headers);
      assertFits(append);
      return this.#metered(lease, append, body);
    });
  }

  patch(target: UploadTarget, body: AsyncIterable<Uint8Array>, headers: UploadHeaders): Promise<UploadOutcome> {
    return this.#lock.hold(target.key, async (lease) => {
      const append = await this.#continued(target, headers, lease.isSeized);
      assertFits(append);
      return this.#metered(lease, append, body);
    });
  }

  async forgetContent(tx: Db, key: string): Promise<void> {
    await deleteUploads(tx, [contentKeyOf(key)]);
  }

  async findBlob(db: Db, sha256: string): Promise<BlobRow | undefined> {
    const blob = await findBlob(db, sha256);
    return blob?.state === "present" ? blob : undefined;
  }

  async content(db: Db, key: string): Promise<BlobFacts | undefined> {
    const row = await findUpload(db, contentKeyOf(key));
    if (!row?.sha256 || !row.md5) return undefined;
    return { sha256: row.sha256, md5: row.md5, sizeBytes: row.upload_offset };
  }

  sizeOf = (db: Db, keys: string[]): Promise<number> => sizeOfContents(db, keys);

  drop(key: string): Promise<void> {
    return this.#lock.hold(key, async () => {
      await this.#forget(key);
      await deleteUploads(this.#host.db, [contentKeyOf(key)]);
    });
  }

  sweep(): Promise<void> {
    return sweepBytes(this.#host);
  }

  sweepRunning(): Promise<void> {
    return sweepWhileRunning(this.#host, this.#unused, (key, isOld) =>
      this.#lock.hold(key, async () => {
        const row = await findUpload(this.#host.db, partialOf(key));
        if (row && isOld(row)) await this.#forget(key);
      }),
    );
  }
}

export const uploadService = (host: UploadHost, lock: UploadLock): UploadService => new UploadEngine(host, lock);
