import type { Readable } from "node:stream";
import type { AppendOptions, AppendResult, BlobFacts, BlobStore } from "../../shared/blobs/blob-store.ts";
import { takenOver } from "../../shared/blobs/upload-refusals.ts";
import { type Db, transaction } from "../../shared/database/open.ts";
import type { ByteRange } from "../../shared/kernel/ranges.ts";
import {
  deleteUnusedObject,
  deleteUpload,
  findObject,
  keepObject,
  listUploadNames,
  replaceObject,
} from "./bucket.repository.ts";
import type { Bucket } from "./bucket.ts";
import { notInBucket } from "./bucket-failure.ts";
import { readObject } from "./bucket-stream.ts";
import { sweepBucket } from "./bucket-sweep.ts";
import { BucketUploads, type Whole } from "./bucket-uploads.ts";
import { LocalCopies } from "./local-copies.ts";
import type { Remainder } from "./part-writer.ts";

/** Bytes that were stored lately belong to a call that is about to link them. */
const linkingMicros = 86_400 * 1_000_000;

/** Whether bytes are stored already. `lost`: an object that should have them, and has not. */
interface Stored {
  isHere: boolean;
  lost?: string;
}

export interface BucketStoreOptions {
  bucket: Bucket;
  db: Db;
  /** Microseconds UTC. */
  now(): number;
}

/**
 * Stores bytes in a bucket of an S3 store. Each blob is an object with a name of its own, which is written once. Rows say
 * which object has the bytes of a blob, so a server and its sweep can never mean different bytes by one name.
 */
export class BucketBlobStore implements BlobStore {
  readonly bucket: Bucket;
  readonly #db: Db;
  readonly #now: () => number;
  readonly #uploads: BucketUploads;
  readonly #copies = new LocalCopies((sha256) => this.read(sha256));

  constructor({ bucket, db, now }: BucketStoreOptions) {
    this.bucket = bucket;
    this.#db = db;
    this.#now = now;
    this.#uploads = new BucketUploads(bucket, db, now);
  }

  create = (uploadId: string): Promise<void> => this.#uploads.create(uploadId);
  /** The rows know the offset, which changes only when bytes are durable. */
  confirmOffset = (uploadId: string): Promise<number> => this.#uploads.offsetOf(uploadId);
  detach = (uploadId: string, newId: string): Promise<void> => this.#uploads.detach(uploadId, newId);
  drop = (uploadId: string): Promise<void> => this.#uploads.drop(uploadId);
  listUploads = (): Promise<string[]> => listUploadNames(this.#db);

  async append(
    uploadId: string,
    from: number,
    source: AsyncIterable<Uint8Array>,
    options: AppendOptions = {},
  ): Promise<AppendResult> {
    if (options.signal?.aborted) return { offset: from, ended: "superseded" };
    return this.#uploads.append(uploadId, from, source, options);
  }

  async seal(
    uploadId: string,
    sizeBytes: number,
    check?: (facts: BlobFacts) => void,
    rest?: object,
  ): Promise<BlobFacts> {
    const whole = await this.#uploads.measure(uploadId, sizeBytes, rest as Remainder | undefined);
    const { sha256, md5 } = whole;
    try {
      check?.({ sha256, md5, sizeBytes });
    } catch (error) {
      await this.drop(uploadId);
      throw error;
    }
    const { isHere, lost } = await this.#find(whole);
    if (isHere) await this.drop(uploadId);
    else await this.#place(whole, lost);
    return { sha256, md5, sizeBytes };
  }

  /** Bytes that are stored already count as used from now on, so that no sweep removes them. */
  async #find({ sha256, sizeBytes }: Whole): Promise<Stored> {
    const known = await findObject(this.#db, sha256);
    if (!known) return { isHere: false };
    if ((await this.bucket.sizeOf(known.object)) !== sizeBytes) return { isHere: false, lost: known.object };
    const kept = await transaction(this.#db, async (tx) => {
      // A sweep may have removed it meanwhile.
      if (!(await findObject(tx, sha256))) return undefined;
      return keepObject(tx, { ...known, used: this.#now() });
    });
    return { isHere: kept !== undefined };
  }

  /** Makes the upload an object, and notes it as the place of the bytes. */
  async #place(whole: Whole, lost: string | undefined): Promise<void> {
    const { row, sha256, sizeBytes } = whole;
    const object = await this.#uploads.finish(whole);
    const place = { sha256, object, size: sizeBytes, used: this.#now() };
    const kept = await transaction(this.#db, async (tx) => {
      if (!(await deleteUpload(tx, row))) throw takenOver();
      const known = await keepObject(tx, place);
      if (known.object !== lost) return known.object;
      await replaceObject(tx, place);
      return object;
    });
    // Another call may have stored the same bytes meanwhile.
    if (kept !== object) await this.#uploads.discard(object);
    if (row.tail !== object) await this.#uploads.discard(row.tail);
  }

  async has(sha256: string): Promise<boolean> {
    return (await findObject(this.#db, sha256)) !== undefined;
  }

  async read(sha256: string, range?: ByteRange): Promise<Readable> {
    const place = await findObject(this.#db, sha256);
    if (!place) throw notInBucket();
    const end = Math.min(range?.end ?? place.size, place.size);
    return readObject(this.bucket, place.object, { start: range?.start ?? 0, end });
  }

  async readBytes(sha256: string, range: ByteRange): Promise<Buffer> {
    return Buffer.concat(await (await this.read(sha256, range)).toArray());
  }

  /** A copy in a temporary folder. */
  fileOf = (sha256: string): Promise<string> => this.#copies.fileOf(sha256);

  /** Leaves bytes that a row names, and those that a call stored again lately. */
  async remove(sha256: string): Promise<void> {
    const before = this.#now() - linkingMicros;
    await this.#uploads.discard(await transaction(this.#db, (tx) => deleteUnusedObject(tx, sha256, before)));
  }

  tidy = (): Promise<void> => sweepBucket({ store: this, db: this.#db, now: this.#now() });

  async close(): Promise<void> {
    this.bucket.close();
    await this.#copies.close();
  }
}
