import { createHash } from "node:crypto";
import { PassThrough, Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { AppendOptions, AppendResult, BlobFacts, BlobStore } from "../../shared/blobs/blob-store.ts";
import type { DiskBlobStore } from "../../shared/blobs/disk-blob-store.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { ByteRange } from "../../shared/kernel/ranges.ts";
import type { SyncEngine } from "../sync/engine.ts";
import { isKeptPiece } from "../sync/keeper.ts";
import { wireHeaders } from "../sync/line.ts";
import { inWords, Unreachable } from "../sync/transport.ts";

const notedEveryMs = 60_000;

/** The local bytes, and behind them the server's: what is read whole is kept, what is read in part is passed through. */
export class RemoteBlobStore implements BlobStore {
  readonly #local: DiskBlobStore;
  readonly #engine: () => SyncEngine;
  readonly #newUuid: () => string;

  /** What was read last, and when that was noted. */
  #used = { sha256: "", atMs: 0 };

  constructor(local: DiskBlobStore, engine: () => SyncEngine, newUuid: () => string) {
    this.#local = local;
    this.#engine = engine;
    this.#newUuid = newUuid;
  }

  create = (uploadId: string): Promise<void> => this.#local.create(uploadId);
  settle = (uploadId: string, offset: number): Promise<number> => this.#local.settle(uploadId, offset);
  append = (
    uploadId: string,
    from: number,
    source: AsyncIterable<Uint8Array>,
    options?: AppendOptions,
  ): Promise<AppendResult> => this.#local.append(uploadId, from, source, options);
  seal = (uploadId: string, sizeBytes: number, check?: (facts: BlobFacts) => void): Promise<BlobFacts> =>
    this.#local.seal(uploadId, sizeBytes, check);
  drop = (uploadId: string): Promise<void> => this.#local.drop(uploadId);
  /** But what is fetched piece by piece: the keeper knows what it is for. */
  listUploads = async (): Promise<string[]> => (await this.#local.listUploads()).filter((id) => !isKeptPiece(id));
  /** Whether the bytes are on this computer. */
  has = (sha256: string): Promise<boolean> => this.#local.has(sha256);
  remove = (sha256: string): Promise<void> => this.#local.remove(sha256);

  async read(sha256: string, range?: ByteRange): Promise<Readable> {
    if (await this.#isHere(sha256)) return this.#local.read(sha256, range);
    const remote = await this.#fetch(sha256, range);
    return range ? remote : this.#keeping(sha256, remote);
  }

  async readBytes(sha256: string, range: ByteRange): Promise<Buffer> {
    if (await this.#isHere(sha256)) return this.#local.readBytes(sha256, range);
    const chunks: Buffer[] = [];
    for await (const chunk of await this.#fetch(sha256, range)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** Whether the bytes are on this computer; that they are wanted is noted, once in a while. */
  async #isHere(sha256: string): Promise<boolean> {
    if (!(await this.#local.has(sha256))) return false;
    const atMs = Date.now();
    if (this.#used.sha256 === sha256 && atMs - this.#used.atMs < notedEveryMs) return true;
    this.#used = { sha256, atMs };
    await this.#local.use(sha256);
    return true;
  }

  async #fetch(sha256: string, range?: ByteRange): Promise<Readable> {
    // HTTP has no range of no bytes.
    if (range && range.end <= range.start) return Readable.from([]);
    const engine = this.#engine();
    const { connection } = engine;
    if (!connection || !engine.isOnline()) throw notHere();
    const { signal } = engine.line;
    let response: Response;
    try {
      response = await fetch(`${connection.server}/api/sync/blobs/${sha256}`, {
        signal,
        headers: {
          ...wireHeaders,
          authorization: `Bearer ${connection.token}`,
          ...(range ? { range: `bytes=${range.start}-${range.end - 1}` } : {}),
        },
      });
    } catch (error) {
      if (!signal.aborted) engine.lost(new Unreachable(inWords(error)));
      throw notHere();
    }
    if (response.status === 403) throw new Failure("forbidden", "Permission denied.");
    if (!response.ok || !response.body) throw notHere();
    return Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  }

  /** Hands the bytes on and keeps them; a copy that did not come whole and right is dropped. */
  #keeping(sha256: string, remote: Readable): Readable {
    const [out, copy] = [new PassThrough(), new PassThrough()];
    remote.once("error", (error) => {
      out.destroy(error);
      copy.destroy(error);
    });
    remote.pipe(out);
    remote.pipe(copy);
    this.#keep(sha256, copy).catch(() => copy.resume());
    return Readable.from(checked(sha256, out), { objectMode: false });
  }

  async #keep(sha256: string, copy: Readable): Promise<void> {
    const id = this.#newUuid();
    await this.#local.create(id);
    try {
      const { offset } = await this.#local.append(id, 0, copy);
      await this.#local.seal(id, offset, (facts) => {
        if (facts.sha256 !== sha256) throw changed();
      });
    } catch (error) {
      await this.#local.drop(id);
      throw error;
    }
  }
}

const changed = (): Failure => new Failure("unavailable", "The bytes changed on the way.");

/** The same bytes, the last of them only when all are right: who reads them learns of a damage by a cut. */
async function* checked(sha256: string, source: Readable): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  let last: Uint8Array | undefined;
  for await (const chunk of source) {
    hash.update(chunk);
    if (last) yield last;
    last = chunk;
  }
  if (hash.digest("hex") !== sha256) throw changed();
  if (last) yield last;
}

function notHere(): Failure {
  return new Failure(
    "unavailable",
    "The bytes of this file are not on this computer, and the server that has them cannot be reached.",
  );
}
