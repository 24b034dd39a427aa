import { randomUUID } from "node:crypto";
import type { AppendOptions, AppendResult } from "../../shared/blobs/blob-store.ts";
import { takenOver } from "../../shared/blobs/upload-refusals.ts";
import { type Db, transaction } from "../../shared/database/open.ts";
import type { BucketUploadRow } from "../../shared/database/schema.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import {
  deleteUpload,
  findUpload,
  insertPart,
  insertUpload,
  listParts,
  takePartNumber,
  updateUpload,
} from "./bucket.repository.ts";
import type { Bucket } from "./bucket.ts";
import { ignoreStore, notInBucket } from "./bucket-failure.ts";
import { readObject } from "./bucket-stream.ts";
import { PartWriter, type Remainder } from "./part-writer.ts";
import { SavedDigests } from "./saved-digests.ts";

const mebibyte = 1024 * 1024;
const minPartBytes = 8 * mebibyte;
/** S3 numbers parts up to 10,000. The others are left for parts of superseded calls. */
const maxParts = 9000;

/** The size of the parts of an upload that may become as long as this. */
const partBytesFor = (limitBytes = 0): number =>
  Math.max(minPartBytes, Math.ceil(limitBytes / maxParts / mebibyte) * mebibyte);

const newKey = (): string => `blobs/${randomUUID()}`;

const offsetOf = ({ parts_size, tail_size }: BucketUploadRow): number => parts_size + tail_size;

/** Bytes for one part, with the saved digests of the upload up to their end. */
interface NextPart {
  bytes: Uint8Array;
  state: Uint8Array;
  partBytes: number;
}

/** A whole upload, before it is an object. `rest`: what the store does not have yet. */
export interface Whole {
  row: BucketUploadRow;
  sizeBytes: number;
  sha256: string;
  md5: string;
  rest: { bytes: Uint8Array; state: Uint8Array } | undefined;
}

/**
 * Unfinished uploads in a bucket: equal parts, and an object with the remainder. The offset is the sum of both and
 * changes only in the transaction that notes them, so another process can go on at once.
 */
export class BucketUploads {
  readonly #bucket: Bucket;
  readonly #db: Db;
  readonly #now: () => number;

  constructor(bucket: Bucket, db: Db, now: () => number) {
    this.#bucket = bucket;
    this.#db = db;
    this.#now = now;
  }

  async create(name: string): Promise<void> {
    await this.drop(name);
    const nothing = { multipart: null, next_part: 1, parts_size: 0, tail: null, tail_size: 0 };
    const row = { name, object: newKey(), part_bytes: 0, digests: new Uint8Array(), updated: this.#now() };
    await insertUpload(this.#db, { ...row, ...nothing });
  }

  /** 0 for an upload whose digests cannot be continued. */
  async offsetOf(name: string): Promise<number> {
    const row = await findUpload(this.#db, name);
    return row && (await SavedDigests.load(row.digests)) ? offsetOf(row) : 0;
  }

  async #require(name: string): Promise<BucketUploadRow> {
    const row = await findUpload(this.#db, name);
    if (!row) throw takenOver();
    return row;
  }

  async #digestsOf({ digests }: BucketUploadRow): Promise<SavedDigests> {
    const loaded = await SavedDigests.load(digests);
    if (loaded) return loaded;
    throw new Failure("conflict", "An earlier version of this server began the upload. Begin it again.");
  }

  async #readTail({ tail, tail_size }: BucketUploadRow): Promise<Buffer> {
    if (tail === null) return Buffer.alloc(0);
    return Buffer.concat(await (await readObject(this.#bucket, tail, { start: 0, end: tail_size })).toArray());
  }

  async append(
    name: string,
    from: number,
    source: AsyncIterable<Uint8Array>,
    options: AppendOptions,
  ): Promise<AppendResult> {
    const row = await this.#require(name);
    if (offsetOf(row) !== from) throw new Error(`Upload ${name} stands at ${offsetOf(row)}, not at ${from}`);
    const partBytes = row.part_bytes || partBytesFor(options.limitBytes);
    const before = { bytes: await this.#readTail(row), digests: await this.#digestsOf(row) };
    let stored = row.parts_size;
    const store = async (bytes: Buffer, state: Buffer) => {
      stored = await this.#storePart(name, { bytes, state, partBytes });
      await options.onDurable?.(stored);
    };
    const { ended, rest } = await new PartWriter({ partBytes, store }, before, from, options).run(source);
    const offset = stored + rest.bytes.byteLength;
    if (ended === "complete" && options.sealsNext) return { offset, ended, rest };
    await this.#storeTail(name, rest);
    await options.onDurable?.(offset);
    return { offset, ended };
  }

  /** @throws Failure 409 if another process took the upload over. */
  async #change(name: string, row: Partial<BucketUploadRow>): Promise<void> {
    if (!(await updateUpload(this.#db, name, { ...row, updated: this.#now() }))) throw takenOver();
  }

  /** The store's id of the upload in parts, begun with the first part. */
  async #multipartOf({ name, object, multipart }: BucketUploadRow, partBytes: number): Promise<string> {
    if (multipart !== null) return multipart;
    const begun = await this.#bucket.beginParts(object);
    await this.#change(name, { multipart: begun, part_bytes: partBytes });
    return begun;
  }

  /** @returns bytes in parts */
  async #storePart(name: string, { bytes, state, partBytes }: NextPart): Promise<number> {
    const row = await this.#require(name);
    const multipart = await this.#multipartOf(row, partBytes);
    const number = await takePartNumber(this.#db, name);
    if (number === undefined) throw takenOver();
    const { etag } = await this.#bucket.putPart(row.object, multipart, number, bytes);
    const parts_size = row.parts_size + bytes.byteLength;
    await transaction(this.#db, async (tx) => {
      const changed = { parts_size, tail: null, tail_size: 0, digests: state, updated: this.#now() };
      if (!(await updateUpload(tx, name, changed))) throw takenOver();
      await insertPart(tx, { object: row.object, number, etag });
    });
    await this.discard(row.tail);
    return parts_size;
  }

  /** Stores what is in no part, in an object of its own. */
  async #storeTail(name: string, { bytes, digests }: Remainder): Promise<void> {
    const row = await this.#require(name);
    // Nothing arrived.
    if (row.tail_size === bytes.byteLength) return this.#change(name, {});
    const tail = newKey();
    await this.#bucket.put(tail, bytes);
    await this.#change(name, { tail, tail_size: bytes.byteLength, digests: digests.save() });
    await this.discard(row.tail);
  }

  /** Deletes an object that no row names any more. What cannot be deleted now, the sweep finds. */
  async discard(key: string | null | undefined): Promise<void> {
    if (key) await this.#bucket.remove(key).catch(ignoreStore);
  }

  /** The digests of an upload that has all its bytes. @throws Error if it has not */
  async measure(name: string, sizeBytes: number, rest: Remainder | undefined): Promise<Whole> {
    const row = await this.#require(name);
    const present = row.parts_size + (rest ? rest.bytes.byteLength : row.tail_size);
    if (present !== sizeBytes) throw new Error(`Upload ${name} has ${present} bytes, not ${sizeBytes}`);
    const digests = rest?.digests ?? (await this.#digestsOf(row));
    const state = digests.save();
    return { row, sizeBytes, ...digests.finish(), rest: rest && { bytes: rest.bytes, state } };
  }

  /** Makes an upload an object. @returns its key */
  async finish({ row, rest, sizeBytes }: Whole): Promise<string> {
    const { name, object, multipart, tail } = row;
    if (multipart === null) {
      if (!rest && tail !== null) return tail;
      await this.#bucket.put(object, rest?.bytes ?? new Uint8Array());
      return object;
    }
    const last = rest ?? { bytes: await this.#readTail(row), state: row.digests };
    if (last.bytes.byteLength > 0) await this.#storePart(name, { ...last, partBytes: row.part_bytes });
    await this.#join(object, multipart, sizeBytes);
    return object;
  }

  /** Makes an object of the parts. It may be made already, by a process that ended before it could note that. */
  async #join(object: string, multipart: string, sizeBytes: number): Promise<void> {
    try {
      await this.#bucket.joinParts(object, multipart, await listParts(this.#db, object));
    } catch (error) {
      if (!(error instanceof Failure && error.kind === "gone")) throw error;
    }
    if ((await this.#bucket.sizeOf(object)) !== sizeBytes) throw notInBucket();
  }

  /** The upload goes on with all its parts: those that the writer of the old name still stores are not noted. */
  async detach(name: string, newName: string): Promise<void> {
    await updateUpload(this.#db, name, { name: newName });
  }

  async drop(name: string): Promise<void> {
    const row = await findUpload(this.#db, name);
    if (!row || !(await transaction(this.#db, (tx) => deleteUpload(tx, row)))) return;
    if (row.multipart !== null) await this.#bucket.dropParts(row.object, row.multipart).catch(ignoreStore);
    await this.discard(row.tail);
  }
}
