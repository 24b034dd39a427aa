import { createHash } from "node:crypto";
import { PassThrough, Readable } from "node:stream";
import type {
  AppendOptions,
  AppendResult,
  BlobFacts,
  BlobStore,
  ListedArchive,
} from "../../shared/blobs/blob-store.ts";
import type { DiskBlobStore } from "../../shared/blobs/disk-blob-store.ts";
import type { Db } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import type { ByteRange } from "../../shared/kernel/ranges.ts";
import type { SyncEngine } from "../sync/engine.ts";
import { isPartialUpload } from "../sync/keeper.ts";
import { findSizeOf, insertCopy } from "../sync/storage.repository.ts";
import { describeNetworkError, Unreachable } from "../sync/transport.ts";
import type { UpstreamBytes } from "../sync/upstream.ts";

const notedEveryMs = 60_000;
const maxLearned = 1000;

export interface RemoteBlobStoreOptions {
  local: DiskBlobStore;
  engine(): SyncEngine;
  db: Db;
  host(): Pick<Host, "newUuid" | "now">;
}

/** Local bytes first, then the server's. A whole read is cached; a partial read passes through. */
export class RemoteBlobStore implements BlobStore {
  readonly #local: DiskBlobStore;
  readonly #engine: () => SyncEngine;
  readonly #options: Pick<RemoteBlobStoreOptions, "db" | "host">;

  /** The blob whose use was last recorded, and when. */
  #used = { sha256: "", atMs: Number.NEGATIVE_INFINITY };
  /**
   * The real digests that were learned lately, by the digests that stood for them. A caller who read the file entry a
   * moment before still asks by the latter.
   */
  readonly #learned = new Map<string, string>();

  constructor({ local, engine, ...options }: RemoteBlobStoreOptions) {
    this.#local = local;
    this.#engine = engine;
    this.#options = options;
  }

  create = (uploadId: string): Promise<void> => this.#local.create(uploadId);
  confirmOffset = (uploadId: string, offset: number): Promise<number> => this.#local.confirmOffset(uploadId, offset);
  append = (
    uploadId: string,
    from: number,
    source: AsyncIterable<Uint8Array>,
    options?: AppendOptions,
  ): Promise<AppendResult> => this.#local.append(uploadId, from, source, options);
  seal = (uploadId: string, sizeBytes: number, check?: (facts: BlobFacts) => void): Promise<BlobFacts> =>
    this.#local.seal(uploadId, sizeBytes, check);
  detach = (uploadId: string, newId: string): Promise<void> => this.#local.detach(uploadId, newId);
  drop = (uploadId: string): Promise<void> => this.#local.drop(uploadId);
  /** Excludes partial downloads, which the keeper manages. */
  listUploads = async (): Promise<string[]> => (await this.#local.listUploads()).filter((id) => !isPartialUpload(id));
  /** Whether the bytes are on this computer. */
  has = (sha256: string): Promise<boolean> => this.#local.has(this.#current(sha256));
  fileOf = (sha256: string): Promise<string> => this.#local.fileOf(this.#current(sha256));
  remove = (sha256: string): Promise<void> => this.#local.remove(sha256);

  async read(named: string, range?: ByteRange): Promise<Readable> {
    const sha256 = this.#current(named);
    if (await this.#isHere(sha256)) return this.#local.read(sha256, range);
    const size = range ? range.end - range.start : await findSizeOf(this.#options.db, sha256);
    if (size === undefined) throw notHere();
    // A server that announces huge files cannot fill the disk: those bytes only pass through.
    const isKept = !range && (await this.#local.hasRoomFor(size));
    const md5 = range ? undefined : await this.#engine().connection.upstream?.bytes.md5Of?.(sha256);
    const source = await this.#fetch(sha256, range);
    const remote = through(source, exactly(size, source));
    if (range) return remote;
    const expected = { sha256, md5 };
    return isKept ? this.#keeping(expected, remote) : through(remote, checked(expected, remote));
  }

  async readBytes(named: string, range: ByteRange): Promise<Buffer> {
    const sha256 = this.#current(named);
    if (await this.#isHere(sha256)) return this.#local.readBytes(sha256, range);
    // Readers of a head name more bytes than a small file has.
    const end = Math.min(range.end, (await findSizeOf(this.#options.db, sha256)) ?? range.end);
    const { start } = range;
    const source = await this.#fetch(sha256, { start, end });
    const chunks: Uint8Array[] = [];
    for await (const chunk of exactly(Math.max(0, end - start), source)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  async listArchive(named: string): Promise<ListedArchive | undefined> {
    const sha256 = this.#current(named);
    if (await this.#isHere(sha256)) return undefined;
    return this.#ask(async (upstream) => upstream.listArchive?.(sha256));
  }

  async readMember(named: string, key: string): Promise<Readable | undefined> {
    const sha256 = this.#current(named);
    if (await this.#isHere(sha256)) return undefined;
    const bytes = await this.#ask(async (upstream) => upstream.readMember?.(sha256, key));
    return bytes && quiet(bytes);
  }

  #current = (sha256: string): string => this.#learned.get(sha256) ?? sha256;

  #noteLearned(standIn: string, sha256: string): void {
    this.#learned.set(standIn, sha256);
    const [oldest = standIn] = this.#learned.keys();
    if (this.#learned.size > maxLearned) this.#learned.delete(oldest);
  }

  /** Whether the bytes are on this computer. Records the use now and then. */
  async #isHere(sha256: string): Promise<boolean> {
    if (!(await this.#local.has(sha256))) return false;
    const atMs = performance.now();
    if (this.#used.sha256 === sha256 && atMs - this.#used.atMs < notedEveryMs) return true;
    this.#used = { sha256, atMs };
    await this.#local.use(sha256);
    return true;
  }

  async #fetch(sha256: string, range?: ByteRange): Promise<Readable> {
    // HTTP has no empty range.
    if (range && range.end <= range.start) return Readable.from([]);
    const bytes = await this.#ask((upstream) => upstream.read(sha256, range));
    if (!bytes) throw notHere();
    return quiet(bytes);
  }

  async #ask<Answer>(call: (bytes: UpstreamBytes) => Promise<Answer>): Promise<Answer> {
    const engine = this.#engine();
    const isReached = await engine.reach();
    const { signal, upstream } = engine.connection;
    if (!upstream || !isReached) throw notHere();
    try {
      return await call(upstream.bytes);
    } catch (error) {
      if (error instanceof Failure) throw error;
      if (!signal.aborted) engine.onUnreachable(new Unreachable(describeNetworkError(error)));
      throw notHere();
    }
  }

  /** Passes the bytes on and caches them. An incomplete or wrong copy is deleted. */
  #keeping(expected: Expected, remote: Readable): Readable {
    const [out, copy] = [quiet(new PassThrough()), quiet(new PassThrough())];
    remote.once("error", (error) => {
      out.destroy(error);
      copy.destroy(error);
    });
    remote.pipe(out);
    remote.pipe(copy);
    this.#keep(expected, copy).catch(() => copy.resume());
    return through(out, checked(expected, out));
  }

  async #keep({ sha256, md5 }: Expected, copy: Readable): Promise<void> {
    const id = this.#options.host().newUuid();
    await this.#local.create(id);
    try {
      const { offset } = await this.#local.append(id, 0, copy);
      const sealed = await this.#local.seal(id, offset, (facts) => {
        if (md5 === undefined ? facts.sha256 !== sha256 : facts.md5 !== md5) throw changed();
      });
      if (md5 !== undefined) {
        this.#noteLearned(sha256, sealed.sha256);
        await this.#engine().connection.upstream?.bytes.learned?.(sha256, sealed);
      }
      await insertCopy(this.#options.db, sealed, this.#options.host().now());
    } catch (error) {
      this.#learned.delete(sha256);
      await this.#local.drop(id);
      throw error;
    }
  }
}

/** The digests to check bytes by: the MD5 if the server names bytes by MD5, else the SHA-256. */
interface Expected {
  sha256: string;
  md5: string | undefined;
}

const changed = (): Failure => new Failure("unavailable", "The bytes of this file changed during the transfer.");

/** The reader of the stream gets the error. Without a reader, the error must not end the program. */
function quiet<S extends Readable>(stream: S): S {
  return stream.on("error", () => {});
}

/** The bytes as a stream. Closing the stream closes their source. */
function through(source: Readable, bytes: AsyncGenerator<Uint8Array>): Readable {
  const out = quiet(Readable.from(bytes, { objectMode: false }));
  return out.once("close", () => source.destroy());
}

/** The same bytes. @throws Failure 503 if their number is not the expected one. */
async function* exactly(bytes: number, source: Readable): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const chunk of source) {
    left -= chunk.length;
    if (left < 0) throw changed();
    yield chunk;
  }
  if (left > 0) throw changed();
}

/** The same bytes, the last chunk only if all are correct: a reader notices damage by the missing end. */
async function* checked({ sha256, md5 }: Expected, source: Readable): AsyncGenerator<Uint8Array> {
  const hash = createHash(md5 === undefined ? "sha256" : "md5");
  let last: Uint8Array | undefined;
  for await (const chunk of source) {
    hash.update(chunk);
    if (last) yield last;
    last = chunk;
  }
  if (hash.digest("hex") !== (md5 ?? sha256)) throw changed();
  if (last) yield last;
}

function notHere(): Failure {
  return new Failure(
    "unavailable",
    "The bytes of this file are not on this computer, and the server that has them cannot be reached.",
  );
}
