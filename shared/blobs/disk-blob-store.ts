import { copyFile, mkdir, open, readdir, rename, rm, stat, statfs, utimes } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { Failure } from "../kernel/failure.ts";
import { privateFile, privateFolder } from "../kernel/private-files.ts";
import type { ByteRange } from "../kernel/ranges.ts";
import type { AppendOptions, AppendResult, BlobFacts, BlobStore } from "./blob-store.ts";
import { BlobStream } from "./blob-stream.ts";
import { Digests } from "./digests.ts";
import { UploadWriter } from "./upload-writer.ts";

const hashReadBytes = 1024 * 1024;
const keptDigests = 1000;

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** Turns the error of a full disk into a Failure (hosts-and-sync 7); returns other errors unchanged. */
function asFailure(error: unknown): unknown {
  const code = codeOf(error);
  if (code !== "ENOSPC" && code !== "EDQUOT") return error;
  return new Failure("disk_full", "The disk is full. Nothing of this was kept; free some space and try again.");
}

const notHere = (): Failure => new Failure("unavailable", "The bytes of this file are not on this computer.");

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const sizeOf = async (file: string): Promise<number | undefined> => {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
};

/** Stores blobs as files `ab/cd/<sha256>` below `root`, and uploads as separate files. */
export class DiskBlobStore implements BlobStore {
  #root: string;
  #uploads: string;
  /**
   * Digests of uploads so far, to continue without reading them again. A cache: missing ones are computed from the
   * file.
   */
  #digests = new Map<string, Digests>();

  constructor(root: string) {
    this.#root = root;
    this.#uploads = path.join(root, "uploads");
  }

  /** Creates the folders. Call it first. */
  async prepare(): Promise<void> {
    await mkdir(this.#uploads, { recursive: true, mode: privateFolder });
    await syncFolder(this.#root);
  }

  #uploadPath(uploadId: string): string {
    if (!/^[\w-]+$/.test(uploadId)) throw new Error(`Not an upload id: ${uploadId}`);
    return path.join(this.#uploads, uploadId);
  }

  #blobPath(sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error(`Not a sha256: ${sha256}`);
    return path.join(this.#root, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  }

  async create(uploadId: string): Promise<void> {
    await this.drop(uploadId);
    try {
      await (await open(this.#uploadPath(uploadId), "w", privateFile)).close();
      await syncFolder(this.#uploads);
    } catch (error) {
      throw asFailure(error);
    }
  }

  async confirmOffset(uploadId: string, storedOffset: number): Promise<number> {
    return Math.min(storedOffset, (await sizeOf(this.#uploadPath(uploadId))) ?? 0);
  }

  async append(
    uploadId: string,
    from: number,
    source: AsyncIterable<Uint8Array>,
    options: AppendOptions = {},
  ): Promise<AppendResult> {
    if (options.signal?.aborted) return { offset: from, ended: "superseded" };
    try {
      return await this.#append(uploadId, from, source, options);
    } catch (error) {
      throw asFailure(error);
    }
  }

  async #append(
    uploadId: string,
    from: number,
    source: AsyncIterable<Uint8Array>,
    options: AppendOptions,
  ): Promise<AppendResult> {
    const file = await open(this.#uploadPath(uploadId), "r+");
    try {
      await file.truncate(from);
      const digests = await this.#digestsAt(uploadId, from);
      const writer = new UploadWriter(file, digests, options);
      try {
        const ended = await writer.run(source);
        this.#keepDigests(uploadId, digests);
        return { offset: writer.durable, ended };
      } catch (error) {
        await writer.quiet();
        await file.truncate(writer.durable);
        throw error;
      }
    } finally {
      await file.close();
    }
  }

  /** The digests of the first `offset` bytes: from memory if they match the offset, else from the file. */
  async #digestsAt(uploadId: string, offset: number): Promise<Digests> {
    const kept = this.#digests.get(uploadId);
    this.#digests.delete(uploadId);
    if (kept?.offset === offset) return kept;
    const digests = new Digests();
    if (offset === 0) return digests;
    const file = await open(this.#uploadPath(uploadId), "r");
    for await (const chunk of file.createReadStream({ start: 0, end: offset - 1, highWaterMark: hashReadBytes })) {
      digests.update(chunk);
    }
    if (digests.offset !== offset) throw new Error(`Upload ${uploadId} has ${digests.offset} bytes, not ${offset}`);
    return digests;
  }

  #keepDigests(uploadId: string, digests: Digests): void {
    this.#digests.set(uploadId, digests);
    const oldest = this.#digests.size > keptDigests ? this.#digests.keys().next() : undefined;
    if (oldest && !oldest.done) this.#digests.delete(oldest.value);
  }

  async seal(uploadId: string, sizeBytes: number, check?: (facts: BlobFacts) => void): Promise<BlobFacts> {
    const digests = await this.#digestsAt(uploadId, sizeBytes);
    const facts = { ...digests.finish(), sizeBytes };
    try {
      check?.(facts);
    } catch (error) {
      await this.drop(uploadId);
      throw error;
    }
    try {
      await this.#moveIntoPlace(uploadId, facts);
    } catch (error) {
      throw asFailure(error);
    }
    return facts;
  }

  async #moveIntoPlace(uploadId: string, facts: BlobFacts): Promise<void> {
    const from = this.#uploadPath(uploadId);
    const file = await open(from, "r+");
    try {
      await file.truncate(facts.sizeBytes);
      await file.sync();
    } finally {
      await file.close();
    }
    const to = this.#blobPath(facts.sha256);
    const folder = path.dirname(to);
    const firstMade = await mkdir(folder, { recursive: true, mode: privateFolder });
    await rename(from, to);
    await syncFolder(folder);
    if (firstMade) {
      await syncFolder(path.dirname(folder));
      await syncFolder(this.#root);
    }
  }

  async detach(uploadId: string, newId: string): Promise<void> {
    try {
      // A copy: another process may hold the old file open.
      await copyFile(this.#uploadPath(uploadId), this.#uploadPath(newId));
      await syncFolder(this.#uploads);
    } catch (error) {
      throw asFailure(error);
    }
    await this.drop(uploadId);
  }

  async drop(uploadId: string): Promise<void> {
    this.#digests.delete(uploadId);
    await rm(this.#uploadPath(uploadId), { force: true });
  }

  listUploads(): Promise<string[]> {
    return readdir(this.#uploads);
  }

  async has(sha256: string): Promise<boolean> {
    return (await sizeOf(this.#blobPath(sha256))) !== undefined;
  }

  /** Whether `sizeBytes` more bytes leave at least half of the free disk space free. */
  async hasRoomFor(sizeBytes: number): Promise<boolean> {
    const { bavail, bsize } = await statfs(this.#root);
    return sizeBytes <= (bavail * bsize) / 2;
  }

  /** Records a use of the blob now. */
  async use(sha256: string): Promise<void> {
    const now = new Date();
    await utimes(this.#blobPath(sha256), now, now);
  }

  /** When the blob was stored or last used, in milliseconds UTC; 0 when it is not here. */
  async lastUseMs(sha256: string): Promise<number> {
    return (await stat(this.#blobPath(sha256)).catch(() => undefined))?.mtimeMs ?? 0;
  }

  async #openBlob(sha256: string) {
    try {
      return await open(this.#blobPath(sha256), "r");
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      throw notHere();
    }
  }

  async fileOf(sha256: string): Promise<string> {
    if (!(await this.has(sha256))) throw notHere();
    return this.#blobPath(sha256);
  }

  async read(sha256: string, range?: ByteRange): Promise<Readable> {
    const file = await this.#openBlob(sha256);
    return new BlobStream(file, range ?? { start: 0, end: (await file.stat()).size });
  }

  async readBytes(sha256: string, range: ByteRange): Promise<Buffer> {
    const file = await this.#openBlob(sha256);
    try {
      const buffer = Buffer.allocUnsafe(range.end - range.start);
      let done = 0;
      while (done < buffer.byteLength) {
        const { bytesRead } = await file.read(buffer, done, buffer.byteLength - done, range.start + done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      return buffer.subarray(0, done);
    } finally {
      await file.close();
    }
  }

  /** Removes every blob. Uploads stay. */
  async removeAll(): Promise<void> {
    for (const name of await readdir(this.#root)) {
      if (/^[0-9a-f]{2}$/.test(name)) await rm(path.join(this.#root, name), { recursive: true, force: true });
    }
  }

  async remove(sha256: string): Promise<void> {
    await rm(this.#blobPath(sha256), { force: true });
  }
}
