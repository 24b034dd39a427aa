import { createHash, randomBytes, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Bucket } from "../../server/s3/bucket.ts";
import { parseBucketAddress } from "../../server/s3/bucket-address.ts";
import { BucketBlobStore } from "../../server/s3/bucket-blob-store.ts";
import { listOrphans } from "../../server/s3/bucket-sweep.ts";
import { assertUsable, openBucket } from "../../server/s3/open-bucket.ts";
import { type OpenDatabase, openDatabase } from "../../shared/database/open.ts";
import type { Failure } from "../../shared/kernel/failure.ts";
import { allOf } from "../support/all-of.ts";
import { startStore } from "../support/engines/bucket.ts";
import { answer, cutOff, onlyFor, refusal, type StoreFault, StoreProxy } from "../support/engines/store-proxy.ts";

const mebibyte = 1024 * 1024;
const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const large = randomBytes(9 * mebibyte);

const store = await startStore();
afterAll(() => store?.stop());

describe.skipIf(!store)("a store that fails (scale 6)", () => {
  let blobs: BucketBlobStore;
  let database: OpenDatabase;
  let proxy: StoreProxy;
  let id: string;

  beforeAll(async () => {
    database = openDatabase(":memory:");
    proxy = new StoreProxy(store?.port ?? 0);
    await proxy.listen();
    blobs = openBucket(parseBucketAddress(store?.freshAddress(proxy.url) ?? ""), database.db, () => Date.now() * 1000);
    return async () => {
      await blobs.close();
      await proxy.close();
      await database.close();
    };
  });
  beforeEach(async () => {
    proxy.fault = undefined;
    proxy.breakAfter = Number.POSITIVE_INFINITY;
    proxy.losesAnswer = () => false;
    id = randomUUID();
    await blobs.create(id);
    proxy.forget();
  });

  async function stored(bytes: Buffer): Promise<string> {
    const { offset, rest } = await blobs.append(id, 0, Readable.from([bytes]), { sealsNext: true });
    return (await blobs.seal(id, offset, undefined, rest)).sha256;
  }
  const refused = async (work: Promise<unknown>): Promise<Failure> =>
    work.then(
      () => expect.fail("the call was not refused"),
      (error: Failure) => error,
    );

  test("a start tries again, when the store refuses what a neighbour's start disturbed; not for ever (scale 3)", async () => {
    const faults = [refusal(409, "ExistingObjectIsDirectory")];
    proxy.fault = (req, res) => faults.shift()?.(req, res) ?? false;
    await assertUsable(blobs);
    expect(faults).toEqual([]);
    proxy.fault = refusal(409, "ExistingObjectIsDirectory");
    await expect(assertUsable(blobs)).rejects.toThrow("cannot be used at present (ExistingObjectIsDirectory)");
  });

  test.each<[string, StoreFault, string, string]>([
    ["is cut off", cutOff, "unavailable", "cannot be used at present (ECONNRESET)"],
    ["answers 500", refusal(500, "InternalError"), "unavailable", "cannot be used at present (InternalError)"],
    ["is too busy", refusal(503, "SlowDown"), "unavailable", "cannot be used at present (SlowDown)"],
    ["refuses the keys", refusal(403, "InvalidAccessKeyId"), "unavailable", "refuses the keys of this server"],
    ["has lost the bucket", refusal(404, "NoSuchBucket"), "unavailable", "bucket of the files does not exist"],
    ["is full", refusal(403, "QuotaExceeded"), "disk_full", "The store of the files is full."],
    ["has no room", refusal(507, "InsufficientStorage"), "disk_full", "The store of the files is full."],
  ])(
    "one that %s: clear words, what was acknowledged stays, and the upload goes on later",
    async (_what, fault, kind, words) => {
      const first = await blobs.append(id, 0, Readable.from([large.subarray(0, mebibyte)]));
      expect(first.offset).toBe(mebibyte);
      proxy.fault = fault;
      const error = await refused(blobs.append(id, first.offset, Readable.from([large.subarray(first.offset)])));
      expect(error).toMatchObject({ kind, message: expect.stringContaining(words) });
      if (kind === "unavailable") expect(error.headers).toEqual({ "Retry-After": "10" });
      expect(await blobs.confirmOffset(id)).toBe(first.offset);
      proxy.fault = undefined;
      const { offset, rest } = await blobs.append(id, first.offset, Readable.from([large.subarray(first.offset)]), {
        sealsNext: true,
      });
      expect(await blobs.seal(id, offset, undefined, rest)).toMatchObject({ sha256: sha256Of(large) });
    },
  );

  test("a store that is busy once is asked again, and nobody notices", async () => {
    let failed = 0;
    proxy.fault = (req, res) => {
      failed += 1;
      return failed === 1 && refusal(503, "SlowDown")(req, res);
    };
    const bytes = randomBytes(100);
    expect(await stored(bytes)).toBe(sha256Of(bytes));
    expect(proxy.counts).toEqual({ PUT: 2 });
  });

  test.each([
    ["a part", /^PUT .*partNumber=1&/],
    ["the joining", /^POST .*uploadId=/],
    ["the beginning of the parts", /^POST [?]uploads/],
  ])("an answer to %s that is lost: the bytes are stored once, and are right", async (_what, calls) => {
    const bytes = randomBytes(9 * mebibyte);
    let lost = 0;
    proxy.losesAnswer = (call) => {
      if (!calls.test(call) || lost > 0) return false;
      lost += 1;
      return true;
    };
    expect(await stored(bytes)).toBe(sha256Of(bytes));
    expect(lost).toBe(1);
    proxy.losesAnswer = () => false;
    expect(sha256Of(await buffer(await blobs.read(sha256Of(bytes))))).toBe(sha256Of(bytes));
  });

  test("a process that ended between the joining and its note: the next one completes the upload", async () => {
    const bytes = randomBytes(9 * mebibyte);
    const { offset } = await blobs.append(id, 0, Readable.from([bytes]));
    // The store joins the parts, and no answer comes, however often it is asked.
    proxy.losesAnswer = (call) => call.startsWith("POST");
    await refused(blobs.seal(id, offset));
    proxy.losesAnswer = () => false;
    expect(await blobs.confirmOffset(id)).toBe(bytes.byteLength);
    expect(await blobs.seal(id, offset)).toMatchObject({ sha256: sha256Of(bytes) });
    expect(sha256Of(await buffer(await blobs.read(sha256Of(bytes))))).toBe(sha256Of(bytes));
  });

  test("a store that reports a failed joining with 200 has not joined (S3's way)", async () => {
    const bytes = randomBytes(9 * mebibyte);
    const { offset, rest } = await blobs.append(id, 0, Readable.from([bytes]), { sealsNext: true });
    const body = "<Error><Code>InternalError</Code><Message>planted</Message></Error>";
    proxy.fault = onlyFor(/^POST/, answer(200, body, { "content-type": "application/xml" }));
    expect(await refused(blobs.seal(id, offset, undefined, rest))).toMatchObject({ kind: "unavailable" });
    proxy.fault = undefined;
    expect(await blobs.has(sha256Of(bytes))).toBe(false);
    expect(await blobs.confirmOffset(id)).toBe(offset);
    expect(await blobs.seal(id, offset)).toMatchObject({ sha256: sha256Of(bytes) });
  });

  test("reading goes on after each break-off, and ends in words where there is no progress", async () => {
    const sha256 = await stored(randomBytes(5 * mebibyte));
    proxy.forget();
    proxy.breakAfter = 2 * mebibyte;
    expect(sha256Of(await buffer(await blobs.read(sha256)))).toBe(sha256);
    expect(proxy.calls.length).toBeGreaterThanOrEqual(3);
    proxy.breakAfter = 0;
    expect(await refused(blobs.readBytes(sha256, { start: 0, end: 100 }))).toMatchObject({ kind: "unavailable" });
    expect(proxy.calls.length).toBeLessThan(30);
  });

  test("the reader who leaves ends the call of the store", async () => {
    const sha256 = await stored(randomBytes(8 * mebibyte));
    const stream = await blobs.read(sha256);
    await stream.iterator({ destroyOnReturn: true }).next();
    stream.destroy();
    await expect.poll(() => proxy.openCalls).toBe(0);
  });

  const ranged = (body: string | Iterable<Buffer>, headers: Record<string, string>) =>
    onlyFor(/^GET/, answer(206, body, headers));
  const endless = {
    *[Symbol.iterator]() {
      for (const chunk = Buffer.alloc(65_536, "<"); ; ) yield chunk;
    },
  };

  test.each<[string, StoreFault]>([
    ["the whole object for a range", onlyFor(/^GET/, answer(200, "x".repeat(1000), { "content-length": "1000" }))],
    ["another range", ranged("x".repeat(100), { "content-range": "bytes 5-104/1000" })],
    ["more bytes than were asked for", ranged(endless, { "content-range": "bytes 0-99/1000" })],
    ["fewer bytes than were asked for", ranged("x", { "content-range": "bytes 0-99/1000", "content-length": "1" })],
    ["an endless error", answer(500, endless)],
    ["no XML at all", answer(403, "<html>sign in</html>", { "content-type": "text/html" })],
  ])("a store that answers a read with %s is refused", async (_what, fault) => {
    const sha256 = await stored(randomBytes(1000));
    proxy.fault = fault;
    expect(await refused(blobs.readBytes(sha256, { start: 0, end: 100 }))).toMatchObject({ kind: "unavailable" });
  });

  test.each<[string, StoreFault]>([
    ["never ends", answer(200, endless, { "content-type": "application/xml" })],
    [
      "begins again and again",
      answer(
        200,
        "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>a</NextContinuationToken></ListBucketResult>",
      ),
    ],
  ])("a list that %s ends", async (_what, fault) => {
    proxy.fault = onlyFor(/list-type=2/, fault);
    const all = allOf(listOrphans(blobs.bucket, database.db));
    await Promise.allSettled([all]);
    expect(proxy.calls.length).toBeLessThan(20);
  });

  test("a store that takes calls and never answers is given up, and its reader told", async () => {
    const sha256 = await stored(randomBytes(1000));
    const patience = { connectMs: 1000, silentMs: 300, answerMs: 300 };
    const bucket = new Bucket(blobs.bucket.address, patience);
    const hasty = new BucketBlobStore({ bucket, db: database.db, now: () => Date.now() * 1000 });
    proxy.fault = () => true;
    const error = await refused(hasty.readBytes(sha256, { start: 0, end: 100 }));
    expect(error).toMatchObject({ kind: "unavailable", message: expect.stringContaining("cannot be used at present") });
    // The beginning comes, and nothing after it.
    proxy.fault = (_req, res) => {
      res.writeHead(206, { "content-range": "bytes 0-99/1000", "content-length": "100" }).write("a");
      return true;
    };
    expect(await refused(hasty.readBytes(sha256, { start: 0, end: 100 }))).toMatchObject({ kind: "unavailable" });
    expect(proxy.calls.length).toBeLessThan(30);
    await hasty.close();
  });

  test("an upload in parts that the store gives no usable id is refused", async () => {
    const body = `<InitiateMultipartUploadResult><UploadId>${"x".repeat(5000)}</UploadId></InitiateMultipartUploadResult>`;
    proxy.fault = onlyFor(/^POST/, answer(200, body, { "content-type": "application/xml" }));
    expect(await refused(blobs.append(id, 0, Readable.from([large])))).toMatchObject({ kind: "unavailable" });
  });
});
