import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parseBucketAddress } from "../../server/s3/bucket-address.ts";
import { openBucket } from "../../server/s3/open-bucket.ts";
import type { BlobStore } from "../../shared/blobs/blob-store.ts";
import { DiskBlobStore } from "../../shared/blobs/disk-blob-store.ts";
import { type OpenDatabase, openDatabase } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { startStore } from "../support/engines/bucket.ts";
import { StoreProxy } from "../support/engines/store-proxy.ts";

const mebibyte = 1024 * 1024;
const dayMicros = 86_400 * 1_000_000;
const hex = (name: string, bytes: Uint8Array) => createHash(name).update(bytes).digest("hex");
const factsOf = (bytes: Uint8Array) => ({
  sha256: hex("sha256", bytes),
  md5: hex("md5", bytes),
  sizeBytes: bytes.byteLength,
});
/** In small chunks that are overwritten once the next one is asked for, as a connection's buffer is. */
async function* lent(bytes: Buffer, isCut = false, size = 65_536): AsyncGenerator<Buffer> {
  const chunk = Buffer.alloc(size);
  for (let start = 0; start < bytes.byteLength; start += size) {
    const copied = bytes.copy(chunk, 0, start, start + size);
    yield chunk.subarray(0, copied);
    chunk.fill(0);
  }
  if (isCut) throw new Error("aborted");
}

const store = await startStore();
afterAll(() => store?.stop());
const places = ["folder", ...(store ? ["bucket"] : [])] as const;

describe.each(places)("bytes in a %s (scale 6)", (place) => {
  let open: () => BlobStore;
  let blobs: BlobStore;
  let id: string;
  let proxy: StoreProxy;
  let database: OpenDatabase;
  let now = 1_790_000_000_000_000;

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "carrel-blobs-"));
    database = openDatabase(":memory:");
    proxy = new StoreProxy(store?.port ?? 0);
    await proxy.listen();
    const address = store && parseBucketAddress(store.freshAddress(proxy.url));
    if (place === "folder" || !address) await new DiskBlobStore(folder).prepare();
    open = () =>
      place === "folder" || !address ? new DiskBlobStore(folder) : openBucket(address, database.db, () => now);
    return async () => {
      await proxy.close();
      await database.close();
      await rm(folder, { recursive: true });
    };
  });
  beforeEach(async () => {
    blobs = open();
    id = randomUUID();
    await blobs.create(id);
    proxy.forget();
  });

  async function stored(bytes: Buffer): Promise<string> {
    const { offset, rest } = await blobs.append(id, 0, lent(bytes), { sealsNext: true });
    return (await blobs.seal(id, offset, undefined, rest)).sha256;
  }
  const read = async (sha256: string, range?: { start: number; end: number }) =>
    buffer(await open().read(sha256, range));

  test.each([
    ["empty", 0],
    ["small", 1000],
    ["of exactly one part", 8 * mebibyte],
    ["of two parts and a byte", 16 * mebibyte + 1],
  ])("%s: written, read whole, by range and at its end, removed", async (_what, size) => {
    const bytes = randomBytes(size);
    const result = await blobs.append(id, 0, lent(bytes), { sealsNext: true });
    expect(result).toMatchObject({ offset: size, ended: "complete" });
    expect(await blobs.seal(id, size, undefined, result.rest)).toEqual(factsOf(bytes));
    const sha256 = hex("sha256", bytes);
    expect((await read(sha256)).equals(bytes)).toBe(true);
    const middle = { start: size >> 2, end: size >> 1 };
    expect((await read(sha256, middle)).equals(bytes.subarray(middle.start, middle.end))).toBe(true);
    expect((await blobs.readBytes(sha256, middle)).equals(bytes.subarray(middle.start, middle.end))).toBe(true);
    const beyond = { start: Math.max(size - 5, 0), end: size + 100 };
    expect((await blobs.readBytes(sha256, beyond)).equals(bytes.subarray(beyond.start))).toBe(true);
    expect(await blobs.has(sha256)).toBe(true);
    expect(await blobs.listUploads()).not.toContain(id);
    now += 2 * dayMicros;
    await blobs.remove(sha256);
    expect(await blobs.has(sha256)).toBe(false);
    await expect(blobs.read(sha256)).rejects.toMatchObject({ kind: "unavailable" });
    await blobs.remove(sha256);
  });

  test("a file with the bytes, for a program that needs a name", async () => {
    const bytes = randomBytes(3000);
    const file = await blobs.fileOf(await stored(bytes));
    const { readFile } = await import("node:fs/promises");
    expect((await readFile(file)).equals(bytes)).toBe(true);
  });

  test("the same bytes again are the same blob, and stay readable", async () => {
    const bytes = randomBytes(5000);
    const sha256 = await stored(bytes);
    id = randomUUID();
    await blobs.create(id);
    expect(await stored(bytes)).toBe(sha256);
    expect((await read(sha256)).equals(bytes)).toBe(true);
  });

  test("a refused seal leaves nothing behind (records 6.4.1)", async () => {
    const bytes = randomBytes(100);
    const { offset, rest } = await blobs.append(id, 0, lent(bytes), { sealsNext: true });
    const refuse = () => {
      throw new Failure("invalid", "The checksum does not match.");
    };
    await expect(blobs.seal(id, offset, refuse, rest)).rejects.toThrow("checksum");
    expect(await blobs.has(hex("sha256", bytes))).toBe(false);
    expect(await blobs.listUploads()).not.toContain(id);
  });

  test("another process goes on after each cut, at the exact byte, with the digests (records 6.4.1)", async () => {
    const bytes = randomBytes(19 * mebibyte + 321);
    // Within the first part, at its end, in the second part, a single byte, and nothing at all.
    const ends = [1000, 8 * mebibyte, 12 * mebibyte + 7, 12 * mebibyte + 8, 12 * mebibyte + 8];
    let from = 0;
    for (const end of ends) {
      const next = open();
      expect(await next.confirmOffset(id, from)).toBe(from);
      const result = await next.append(id, from, lent(bytes.subarray(from, end), true));
      expect(result).toEqual({ offset: end, ended: "cut" });
      from = end;
    }
    const last = open();
    const { rest } = await last.append(id, from, lent(bytes.subarray(from)), { sealsNext: true });
    expect(await open().seal(id, bytes.byteLength, undefined, rest)).toEqual(factsOf(bytes));
    expect((await read(hex("sha256", bytes))).equals(bytes)).toBe(true);
    if (place === "bucket") expect(proxy.sentBytes).toBeLessThan(1.5 * bytes.byteLength);
  });

  test("the offset is told as it becomes durable, and a limit ends the upload", async () => {
    const bytes = randomBytes(17 * mebibyte);
    const offsets: number[] = [];
    const onDurable = (offset: number) => void offsets.push(offset);
    await blobs.append(id, 0, lent(bytes), { onDurable });
    expect(offsets.length).toBeGreaterThanOrEqual(3);
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
    expect(offsets.at(-1)).toBe(bytes.byteLength);
    const onLimit = () => new Failure("too_large", "too large");
    const more = blobs.append(id, bytes.byteLength, Readable.from([bytes]), { limitBytes: 20 * mebibyte, onLimit });
    await expect(more).rejects.toThrow("too large");
    await blobs.drop(id);
    expect(await blobs.listUploads()).not.toContain(id);
  });

  test("a process that was only silent changes nothing once another one took the upload over (scale 6)", async () => {
    const bytes = randomBytes(10 * mebibyte);
    const silent = Promise.withResolvers<void>();
    const first = bytes.subarray(0, mebibyte);
    const older = blobs.append(
      id,
      0,
      (async function* () {
        yield first;
        await silent.promise;
        yield bytes.subarray(0, 9 * mebibyte);
      })(),
    );
    const newer = open();
    const newId = randomUUID();
    await newer.detach(id, newId);
    expect(await newer.confirmOffset(newId, 0)).toBe(0);
    const half = await newer.append(newId, 0, lent(bytes.subarray(0, 9 * mebibyte), true));
    silent.resolve();
    // The disk's writer holds the old file, and only its row no longer counts.
    await (place === "bucket" ? expect(older).rejects.toMatchObject({ kind: "conflict" }) : older);
    const { offset, rest } = await newer.append(newId, half.offset, lent(bytes.subarray(half.offset)), {
      sealsNext: true,
    });
    expect(await newer.seal(newId, offset, undefined, rest)).toEqual(factsOf(bytes));
    expect((await read(hex("sha256", bytes))).equals(bytes)).toBe(true);
  });
});
