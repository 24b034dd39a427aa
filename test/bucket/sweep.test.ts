import { randomBytes, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../server/postgres/open-postgres.ts";
import { Bucket } from "../../server/s3/bucket.ts";
import { parseBucketAddress } from "../../server/s3/bucket-address.ts";
import { BucketBlobStore } from "../../server/s3/bucket-blob-store.ts";
import type { BlobFacts } from "../../shared/blobs/blob-store.ts";
import { sweepWhileRunning, type UnusedBlobs } from "../../shared/blobs/sweep.ts";
import { upsertBlob } from "../../shared/blobs/upload.repository.ts";
import { type Db, openDatabase } from "../../shared/database/open.ts";
import { allOf } from "../support/all-of.ts";
import { startStore } from "../support/engines/bucket.ts";
import { startPostgres } from "../support/engines/postgres.ts";

const dayMicros = 86_400 * 1_000_000;
const store = await startStore();
const postgres = await startPostgres();
afterAll(() => Promise.all([store?.stop(), postgres?.stop()]));
const databases = ["SQLite", ...(postgres ? ["PostgreSQL"] : [])];

describe.skipIf(!store).each(databases)(
  "the sweep of a bucket while calls are answered, rows in %s (scale 6)",
  (kind) => {
    let db: Db;
    /** Of two processes, with one database and one bucket. */
    let one: BucketBlobStore;
    let other: BucketBlobStore;
    let bucket: Bucket;
    // The store tells its own time, so only later times can be played.
    let now: number;

    beforeAll(async () => {
      const fresh = kind === "PostgreSQL" ? await postgres?.freshDatabase() : undefined;
      const opened = fresh ? await openPostgres(fresh.address) : openDatabase(":memory:");
      db = opened.db;
      return async () => {
        await opened.close();
        await fresh?.drop();
      };
    });
    beforeEach(async () => {
      for (const table of ["blob", "bucket_object", "bucket_upload", "bucket_part", "setting"] as const) {
        await db.deleteFrom(table).execute();
      }
      now = Date.now() * 1000;
      bucket = new Bucket(parseBucketAddress(store?.freshAddress() ?? ""));
      const parts = { bucket, db, now: () => now };
      one = new BucketBlobStore(parts);
      other = new BucketBlobStore(parts);
      onTestFinished(() => bucket.close());
    });

    /** Stores bytes without linking them. */
    async function sealed(bytes: Buffer, blobs = one): Promise<BlobFacts> {
      const id = randomUUID();
      await blobs.create(id);
      const { offset, rest } = await blobs.append(id, 0, Readable.from([bytes]), { sealsNext: true });
      return blobs.seal(id, offset, undefined, rest);
    }
    const link = ({ sha256, md5, sizeBytes }: BlobFacts) =>
      upsertBlob(db, { sha256, md5, size: sizeBytes, state: "present", created: now, used: now });

    async function sweep(blobs: BucketBlobStore, unused: UnusedBlobs = new Map()): Promise<void> {
      await sweepWhileRunning({ db, blobs, now: () => now }, unused, async () => undefined);
    }
    const keysIn = async () => (await allOf(bucket.listObjects("blobs/"))).flat().map(({ key }) => key);

    test("unused bytes leave after a week and a day, used ones stay", async () => {
      const unused: UnusedBlobs = new Map();
      const facts = await sealed(randomBytes(100));
      await link(facts);
      now += 6 * dayMicros;
      await sweep(one, unused);
      now += 1.5 * dayMicros;
      await sweep(one, unused);
      expect(await one.has(facts.sha256)).toBe(true);
      now += dayMicros;
      await sweep(one, unused);
      expect(await one.has(facts.sha256)).toBe(false);
      expect(await keysIn()).toEqual([]);
    });

    test.each(["before the place is forgotten", "before the object is deleted", "after the sweep"])(
      "an upload of the same bytes %s is never lost",
      async (when) => {
        const bytes = randomBytes(100);
        const facts = await sealed(bytes);
        await link(facts);
        now += 9 * dayMicros;
        // The row of the blob is deleted first, then `remove` forgets the place, and then deletes the object.
        const upload = async (at: string) => {
          if (at === when) await sealed(bytes, other);
        };
        const remove = one.remove.bind(one);
        one.remove = async (sha256) => {
          await upload("before the place is forgotten");
          await remove(sha256);
        };
        const removeObject = bucket.remove.bind(bucket);
        bucket.remove = async (key) => {
          await upload("before the object is deleted");
          await removeObject(key);
        };
        await sweep(one, new Map([[facts.sha256, now - 2 * dayMicros]]));
        expect(await db.selectFrom("blob").selectAll().execute()).toEqual([]);
        await upload("after the sweep");
        await link(facts);
        bucket.remove = removeObject;
        now += dayMicros / 2;
        await sweep(other);
        expect((await buffer(await other.read(facts.sha256))).equals(bytes)).toBe(true);
        expect(await keysIn()).toHaveLength(1);
      },
    );

    test("what killed processes left goes: parts, remainders, objects and places that no row names", async () => {
      const lost = randomUUID();
      await one.create(lost);
      await one.append(lost, 0, Readable.from([randomBytes(9_000_000)]));
      const unlinked = await sealed(randomBytes(70));
      const linked = await sealed(randomBytes(80));
      await link(linked);
      await bucket.put("blobs/orphan", Buffer.from("orphan"));
      await bucket.beginParts("blobs/begun");
      const partsIn = async () => (await allOf(bucket.listUploads("blobs/"))).flat().length;
      expect([await partsIn(), (await keysIn()).length]).toEqual([2, 4]);
      await one.tidy();
      expect([await partsIn(), (await keysIn()).length]).toEqual([2, 4]);
      now += 8 * dayMicros;
      await one.tidy();
      expect([await partsIn(), (await keysIn()).length]).toEqual([0, 1]);
      expect(await one.has(unlinked.sha256)).toBe(false);
      expect(await one.listUploads()).toEqual([]);
      expect((await buffer(await one.read(linked.sha256))).byteLength).toBe(80);
    });

    test("a bucket is listed by one process a week", async () => {
      await bucket.put("blobs/orphan", Buffer.from("orphan"));
      now += 8 * dayMicros;
      await one.tidy();
      expect(await keysIn()).toEqual([]);
      await bucket.put("blobs/orphan", Buffer.from("orphan"));
      await other.tidy();
      expect(await keysIn()).toEqual(["blobs/orphan"]);
    });
  },
);
