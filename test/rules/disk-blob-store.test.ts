import { createHash, randomBytes, randomUUID } from "node:crypto";
import { appendFile, mkdtemp, readdir, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DiskBlobStore } from "../../shared/blobs/disk-blob-store.ts";
import { localUploadLock } from "../../shared/blobs/upload-lock.ts";
import { Failure } from "../../shared/kernel/failure.ts";

const disk = vi.hoisted(() => ({ freeBytes: Number.POSITIVE_INFINITY }));

vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:fs/promises")>();
  const open: typeof real.open = async (...parameters) => {
    const handle = await real.open(...parameters);
    const write = handle.write.bind(handle) as (...parameters: unknown[]) => Promise<never>;
    const limited = async (bytes: Uint8Array, offset: number, length: number, position: number) => {
      disk.freeBytes -= length;
      if (disk.freeBytes < 0) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
      return write(bytes, offset, length, position);
    };
    return Object.assign(handle, { write: limited });
  };
  return { ...real, open };
});

const mebibyte = 1024 * 1024;
const hex = (name: string, bytes: Uint8Array) => createHash(name).update(bytes).digest("hex");
const chunksOf = function* (bytes: Buffer, size = 65536) {
  for (let start = 0; start < bytes.byteLength; start += size) yield bytes.subarray(start, start + size);
};
/** A source that breaks off after the bytes, as a cut connection does. */
const cutAfter = async function* (bytes: Buffer) {
  yield* chunksOf(bytes);
  throw new Error("aborted");
};

let root: string;
let store: DiskBlobStore;
const upload = randomUUID();
const bytes = randomBytes(20 * mebibyte + 123);

beforeEach(async () => {
  disk.freeBytes = Number.POSITIVE_INFINITY;
  root = await mkdtemp(path.join(tmpdir(), "carrel-blobs-"));
  store = new DiskBlobStore(root);
  await store.prepare();
});
afterEach(() => rm(root, { recursive: true, force: true }));

const filesBelow = async () =>
  (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

describe("bytes on disk", () => {
  test("are named by their sha256, with both digests computed while writing (records 6.4)", async () => {
    await store.create(upload);
    const offsets: number[] = [];
    const result = await store.append(upload, 0, Readable.from(chunksOf(bytes)), {
      onDurable: (offset) => void offsets.push(offset),
    });
    expect(result).toEqual({ offset: bytes.byteLength, ended: "complete" });
    expect(offsets.length).toBeGreaterThanOrEqual(3);
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
    expect(offsets.at(-1)).toBe(bytes.byteLength);
    const facts = await store.seal(upload, result.offset);
    expect(facts).toEqual({ sha256: hex("sha256", bytes), md5: hex("md5", bytes), sizeBytes: bytes.byteLength });
    expect((await buffer(await store.read(facts.sha256))).equals(bytes)).toBe(true);
    expect(await store.readBytes(facts.sha256, { start: 10, end: 20 })).toEqual(bytes.subarray(10, 20));
    expect(await buffer(await store.read(facts.sha256, { start: 5, end: 7 }))).toEqual(bytes.subarray(5, 7));
    expect(await store.listUploads()).toEqual([]);
  });

  test("an empty file has the digests of nothing (records 6.4)", async () => {
    await store.create(upload);
    await store.append(upload, 0, Readable.from([]));
    expect((await store.seal(upload, 0)).md5).toBe("d41d8cd98f00b204e9800998ecf8427e");
  });

  test("the same bytes twice are one blob; removing it makes it unavailable", async () => {
    for (const id of [randomUUID(), randomUUID()]) {
      await store.create(id);
      await store.append(id, 0, Readable.from([Buffer.from("same")]));
      await store.seal(id, 4);
    }
    expect(await filesBelow()).toHaveLength(1);
    const sha256 = hex("sha256", Buffer.from("same"));
    await store.remove(sha256);
    expect(await store.has(sha256)).toBe(false);
    await expect(store.read(sha256)).rejects.toMatchObject({ kind: "unavailable" });
  });

  test("a refused seal leaves nothing behind (records 6.4.1)", async () => {
    await store.create(upload);
    await store.append(upload, 0, Readable.from([Buffer.from("abc")]));
    const refuse = () => {
      throw new Failure("invalid", "The checksum does not match.");
    };
    await expect(store.seal(upload, 3, refuse)).rejects.toThrow("checksum");
    expect(await filesBelow()).toEqual([]);
  });
});

describe("interrupted uploads (records 6.4.1)", () => {
  test("go on after a cut, the digests with them", async () => {
    await store.create(upload);
    const first = await store.append(upload, 0, cutAfter(bytes.subarray(0, 9 * mebibyte)));
    expect(first).toEqual({ offset: 9 * mebibyte, ended: "cut" });
    await store.append(upload, first.offset, Readable.from(chunksOf(bytes.subarray(first.offset))));
    expect((await store.seal(upload, bytes.byteLength)).sha256).toBe(hex("sha256", bytes));
  });

  test("go on after a restart, the digests read again from the file", async () => {
    await store.create(upload);
    await store.append(upload, 0, cutAfter(bytes.subarray(0, 3 * mebibyte)));
    const restarted = new DiskBlobStore(root);
    expect(await restarted.confirmOffset(upload, 2 * mebibyte)).toBe(2 * mebibyte);
    await restarted.append(upload, 2 * mebibyte, Readable.from(chunksOf(bytes.subarray(2 * mebibyte))));
    expect((await restarted.seal(upload, bytes.byteLength)).md5).toBe(hex("md5", bytes));
  });

  test("the smaller of stored offset and file size counts", async () => {
    await store.create(upload);
    await store.append(upload, 0, cutAfter(bytes.subarray(0, 5000)));
    const file = path.join(root, "uploads", upload);
    await truncate(file, 3000);
    expect(await store.confirmOffset(upload, 5000)).toBe(3000);
    await appendFile(file, "never synced");
    expect(await store.confirmOffset(upload, 3000)).toBe(3000);
    expect(await store.confirmOffset(randomUUID(), 10)).toBe(0);
  });

  test("a superseded writer ends although its source is silent, and its bytes count", async () => {
    await store.create(upload);
    const { promise: silence, resolve: endSilence } = Promise.withResolvers<void>();
    const { promise: taken, resolve: isTaken } = Promise.withResolvers<void>();
    const superseded = new AbortController();
    const older = store.append(
      upload,
      0,
      (async function* () {
        yield bytes.subarray(0, 1000);
        isTaken();
        await silence;
        yield bytes.subarray(0, 1);
      })(),
      { signal: superseded.signal },
    );
    await taken;
    superseded.abort();
    expect(await older).toEqual({ offset: 1000, ended: "superseded" });
    expect(await store.confirmOffset(upload, 1000)).toBe(1000);
    await store.append(upload, 1000, Readable.from([bytes.subarray(1000, 2000)]));
    endSilence();
    expect((await store.seal(upload, 2000)).sha256).toBe(hex("sha256", bytes.subarray(0, 2000)));
  });

  test("of many calls at once the last one wins (structure 10)", async () => {
    await store.create(upload);
    const lock = localUploadLock();
    const results = await Promise.all(
      ["a", "b", "c"].map((letter) =>
        lock.hold(upload, ({ superseded }) =>
          store.append(upload, 0, Readable.from([Buffer.from(letter)]), { signal: superseded }),
        ),
      ),
    );
    expect(results.slice(1)).toEqual([
      { offset: 0, ended: "superseded" },
      { offset: 1, ended: "complete" },
    ]);
    expect((await store.seal(upload, 1)).md5).toBe(hex("md5", Buffer.from("c")));
  });

  test("an upload beyond its limit is refused while it arrives (records 6.4)", async () => {
    await store.create(upload);
    const refusal = new Failure("invalid", "File size limit exceeded.");
    await expect(
      store.append(upload, 0, Readable.from(chunksOf(bytes)), { limitBytes: 1000, onLimit: () => refusal }),
    ).rejects.toBe(refusal);
  });
});

describe("a full disk (hosts-and-sync 7)", () => {
  test("is said in words, keeps what was synced, and goes on after space is freed", async () => {
    await store.create(upload);
    disk.freeBytes = 12 * mebibyte;
    let stored = 0;
    const onDurable = (offset: number) => {
      stored = offset;
    };
    await expect(store.append(upload, 0, Readable.from(chunksOf(bytes)), { onDurable })).rejects.toMatchObject({
      kind: "disk_full",
    });
    expect((await stat(path.join(root, "uploads", upload))).size).toBe(stored);
    disk.freeBytes = Number.POSITIVE_INFINITY;
    await store.append(upload, stored, Readable.from(chunksOf(bytes.subarray(stored))));
    expect((await store.seal(upload, bytes.byteLength)).sha256).toBe(hex("sha256", bytes));
  });
});
