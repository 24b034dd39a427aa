import { createHash } from "node:crypto";
import type { Db } from "../../shared/database/open.ts";
import type { CheckedBytes } from "../upkeep/checked-bytes.ts";
import { findObject, listUnlinkedObjects } from "./bucket.repository.ts";
import type { BucketBlobStore } from "./bucket-blob-store.ts";
import { listOrphans } from "./bucket-sweep.ts";

const unusedMs = 3_600_000;
const dayMicros = 86_400 * 1_000_000;

/** The bytes in a bucket. Every blob is read, which a store may charge for. */
export const checkedBucket = (store: BucketBlobStore, db: Db, now: () => number): CheckedBytes => ({
  async sizeOf(sha256) {
    const place = await findObject(db, sha256);
    return place && store.bucket.sizeOf(place.object);
  },
  async digestOf(sha256) {
    const hash = createHash("sha256");
    for await (const chunk of await store.read(sha256)) hash.update(chunk);
    return hash.digest("hex");
  },
  async *listLeftovers(referred) {
    for (const sha256 of await listUnlinkedObjects(db, now())) {
      if (referred.has(sha256)) continue;
      const { used = 0 } = (await findObject(db, sha256)) ?? {};
      yield { what: `the blob ${sha256}`, isOld: now() - used > dayMicros, remove: () => store.remove(sha256) };
    }
    for await (const { key, sinceMs, remove } of listOrphans(store.bucket, db)) {
      yield { what: `the object ${key}`, isOld: now() / 1000 - sinceMs > unusedMs, remove };
    }
  },
});
