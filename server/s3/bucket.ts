import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { Failure } from "../../shared/kernel/failure.ts";
import type { ByteRange } from "../../shared/kernel/ranges.ts";
import { boundAnswers } from "./bounded-answers.ts";
import type { BucketAddress } from "./bucket-address.ts";
import { asFailure, isAbsent, notInBucket, StrangeAnswer } from "./bucket-failure.ts";

/** Loaded at the first call, so that commands without bytes start quickly. */
const loadClient = () => import("@aws-sdk/client-s3");
type Library = Awaited<ReturnType<typeof loadClient>>;

/** How long a call waits. */
export interface Patience {
  connectMs: number;
  /** After this time without data, a connection is closed. */
  silentMs: number;
  /** From the call to the beginning of its answer. */
  answerMs: number;
}

const defaultPatience: Patience = { connectMs: 5000, silentMs: 30_000, answerMs: 60_000 };
const attempts = 3;
/** Each download holds a connection until its reader has finished. */
const maxConnections = 500;

/** A part of an upload that the store has. */
export interface Part {
  number: number;
  etag: string;
}

export interface StoredObject {
  key: string;
  sizeBytes: number;
  /** By the store's clock, in milliseconds UTC. */
  changedMs: number;
}

export interface OpenUpload {
  key: string;
  upload: string;
  /** By the store's clock, in milliseconds UTC. */
  begunMs: number;
}

const md5Of = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("base64");

/** Checksum headers of an upload: the store refuses bytes that arrive changed or cut. */
const bodyOf = (bytes: Uint8Array) => ({
  Body: bytes,
  ContentLength: bytes.byteLength,
  ContentMD5: md5Of(bytes),
});

/** The calls of an S3 store that a server makes, for the keys below the prefix of its address. */
export class Bucket {
  readonly address: BucketAddress;
  #opened: Promise<{ library: Library; client: S3Client }> | undefined;
  #client: S3Client | undefined;
  readonly #patience: Patience;

  constructor(address: BucketAddress, patience: Patience = defaultPatience) {
    this.address = address;
    this.#patience = patience;
  }

  #open(): Promise<{ library: Library; client: S3Client }> {
    this.#opened ??= this.#connect();
    return this.#opened;
  }

  async #connect(): Promise<{ library: Library; client: S3Client }> {
    const library = await loadClient();
    const { endpoint, region } = this.address;
    const { connectMs, silentMs, answerMs } = this.#patience;
    const client = new library.S3Client({
      region,
      // Stores other than Amazon's seldom give each bucket a host name.
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      maxAttempts: attempts,
      // Stores other than Amazon's refuse the checksums of newer clients. All stores check Content-MD5.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: {
        connectionTimeout: connectMs,
        socketTimeout: silentMs,
        requestTimeout: answerMs,
        throwOnRequestTimeout: true,
        httpAgent: { keepAlive: true, maxSockets: maxConnections },
        httpsAgent: { keepAlive: true, maxSockets: maxConnections },
      },
    });
    boundAnswers(client);
    this.#client = client;
    return { library, client };
  }

  /** Makes a call. @throws Failure `unavailable` or `disk_full` */
  async #call<T>(make: (library: Library, client: S3Client) => Promise<T>): Promise<T> {
    const { library, client } = await this.#open();
    try {
      return await make(library, client);
    } catch (error) {
      throw asFailure(error);
    }
  }

  #at(key: string) {
    return { Bucket: this.address.bucket, Key: this.address.prefix + key };
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#call((s3, client) => client.send(new s3.PutObjectCommand({ ...this.#at(key), ...bodyOf(bytes) })));
  }

  /**
   * Begins to read a range that is not empty. The stream may break off, or be longer or shorter than the range.
   * @throws Failure `unavailable`, also if there is no such object.
   */
  async get(key: string, { start, end }: ByteRange, signal: AbortSignal): Promise<Readable> {
    return this.#call(async (s3, client) => {
      const Range = `bytes=${start}-${end - 1}`;
      const command = new s3.GetObjectCommand({ ...this.#at(key), Range });
      const answer = await client.send(command, { abortSignal: signal }).catch((error: unknown) => {
        throw isAbsent(error) ? notInBucket() : error;
      });
      if (!(answer.Body instanceof Readable)) throw new StrangeAnswer("an answer without bytes");
      if (!answer.ContentRange?.startsWith(`bytes ${start}-${end - 1}/`)) {
        answer.Body.destroy();
        throw new StrangeAnswer("not the range that was asked for");
      }
      return answer.Body;
    });
  }

  /** The size of an object; undefined if there is none. */
  async sizeOf(key: string): Promise<number | undefined> {
    return this.#call(async (s3, client) => {
      try {
        const { ContentLength } = await client.send(new s3.HeadObjectCommand(this.#at(key)));
        return ContentLength ?? 0;
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw error;
      }
    });
  }

  /** Deletes an object, if it exists. */
  async remove(key: string): Promise<void> {
    await this.#call((s3, client) => client.send(new s3.DeleteObjectCommand(this.#at(key))));
  }

  /** Begins an upload in parts. @returns its id */
  async beginParts(key: string): Promise<string> {
    return this.#call(async (s3, client) => {
      const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand(this.#at(key)));
      if (!UploadId || UploadId.length > 2048) throw new StrangeAnswer("no usable id of an upload");
      return UploadId;
    });
  }

  /** @throws Failure `gone` if the upload ended. */
  async putPart(key: string, upload: string, number: number, bytes: Uint8Array): Promise<Part> {
    const named = { ...this.#at(key), UploadId: upload, PartNumber: number };
    return this.#call(async (s3, client) => {
      const command = new s3.UploadPartCommand({ ...named, ...bodyOf(bytes) });
      const { ETag } = await client.send(command).catch(ended);
      if (!ETag || ETag.length > 256) throw new StrangeAnswer("a part without a mark");
      return { number, etag: ETag };
    });
  }

  /** Makes an object of the parts. @throws Failure `gone` if the upload ended. */
  async joinParts(key: string, upload: string, parts: readonly Part[]): Promise<void> {
    const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
    const command = { ...this.#at(key), UploadId: upload, MultipartUpload: { Parts } };
    await this.#call((s3, client) => client.send(new s3.CompleteMultipartUploadCommand(command)).catch(ended));
  }

  /** Deletes an upload with its parts, if it exists. */
  async dropParts(key: string, upload: string): Promise<void> {
    await this.#call(async (s3, client) => {
      try {
        await client.send(new s3.AbortMultipartUploadCommand({ ...this.#at(key), UploadId: upload }));
      } catch (error) {
        if (!isAbsent(error)) throw error;
      }
    });
  }

  /** All objects whose keys begin with `start`, page by page. */
  async *listObjects(start: string): AsyncGenerator<StoredObject[]> {
    const { bucket, prefix } = this.address;
    for (let ContinuationToken: string | undefined; ; ) {
      const input = { Bucket: bucket, Prefix: prefix + start, ContinuationToken };
      const page = await this.#call((s3, client) => client.send(new s3.ListObjectsV2Command(input)));
      yield (page.Contents ?? []).map(({ Key = "", Size = 0, LastModified }) => ({
        key: Key.slice(prefix.length),
        sizeBytes: Size,
        changedMs: LastModified?.getTime() ?? Date.now(),
      }));
      // A store that repeats itself must not keep the server busy for ever.
      if (!page.IsTruncated || !page.NextContinuationToken || page.NextContinuationToken === ContinuationToken) return;
      ContinuationToken = page.NextContinuationToken;
    }
  }

  /** All unfinished uploads in parts whose keys begin with `start`, page by page. */
  async *listUploads(start: string): AsyncGenerator<OpenUpload[]> {
    const { bucket, prefix } = this.address;
    for (let after: { KeyMarker?: string; UploadIdMarker?: string } = {}; ; ) {
      const input = { Bucket: bucket, Prefix: prefix + start, ...after };
      const page = await this.#call((s3, client) => client.send(new s3.ListMultipartUploadsCommand(input)));
      yield (page.Uploads ?? []).map(({ Key = "", UploadId = "", Initiated }) => ({
        key: Key.slice(prefix.length),
        upload: UploadId,
        begunMs: Initiated?.getTime() ?? Date.now(),
      }));
      const next = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
      const isSame = next.KeyMarker === after.KeyMarker && next.UploadIdMarker === after.UploadIdMarker;
      if (!page.IsTruncated || next.KeyMarker === undefined || isSame) return;
      after = { KeyMarker: next.KeyMarker, ...(next.UploadIdMarker && { UploadIdMarker: next.UploadIdMarker }) };
    }
  }

  close(): void {
    this.#client?.destroy();
  }
}

/** @throws Failure `gone` for an upload that somebody completed or deleted. */
function ended(error: unknown): never {
  if (isAbsent(error)) throw new Failure("gone", "The store of the files no longer has this upload.");
  throw error;
}
