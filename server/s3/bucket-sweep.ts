import type { BlobStore } from "../../shared/blobs/blob-store.ts";
import { type Db, transaction } from "../../shared/database/open.ts";
import { findSetting, storeSetting } from "../../shared/database/setting.repository.ts";
import { listKnownKeys, listKnownParts, listLostUploads, listUnlinkedObjects } from "./bucket.repository.ts";
import type { Bucket } from "./bucket.ts";

const dayMicros = 86_400 * 1_000_000;
/** How long a call may take to name what it stored. */
const callMicros = dayMicros;
/** Listing a bucket takes a call for a thousand objects. */
const listEveryMicros = 7 * dayMicros;
/** By the store's clock; far longer than any call, whatever both clocks say. */
const orphanMs = 7 * 86_400_000;
/** When a process last began to list the bucket, in microseconds UTC. */
const listedSetting = "bucket_listed";

export interface SweptBucket {
  store: Pick<BlobStore, "drop" | "remove"> & { bucket: Bucket };
  db: Db;
  now: number;
}

/** @returns whether the bucket is due to be listed. If so, stores that this process lists it now. */
const takeListing = (db: Db, now: number): Promise<boolean> =>
  transaction(db, async (tx) => {
    const last = await findSetting(tx, listedSetting);
    if (last !== undefined && Math.abs(now - Number(last)) < listEveryMicros) return false;
    await storeSetting(tx, listedSetting, String(now));
    return true;
  });

/** Objects in the bucket that no row names, and parts of interrupted uploads. */
export async function* listOrphans(bucket: Bucket, db: Db): AsyncGenerator<Orphan> {
  for await (const page of bucket.listUploads("blobs/")) {
    const known = await listKnownParts(
      db,
      page.map(({ upload }) => upload),
    );
    for (const { key, upload, begunMs } of page) {
      if (!known.has(upload)) yield { key, sinceMs: begunMs, remove: () => bucket.dropParts(key, upload) };
    }
  }
  for (const folder of ["blobs/", "probe/"]) {
    for await (const page of bucket.listObjects(folder)) {
      const known = await listKnownKeys(
        db,
        page.map(({ key }) => key),
      );
      for (const { key, changedMs } of page) {
        if (!known.has(key)) yield { key, sinceMs: changedMs, remove: () => bucket.remove(key) };
      }
    }
  }
}

export interface Orphan {
  key: string;
  sinceMs: number;
  remove(): Promise<void>;
}

/** Removes what calls left that never ended, and weekly what no row names. Bytes that a call may still name stay. */
export async function sweepBucket({ store, db, now }: SweptBucket): Promise<void> {
  for (const name of await listLostUploads(db, now - callMicros)) await store.drop(name);
  for (const sha256 of await listUnlinkedObjects(db, now - callMicros)) await store.remove(sha256);
  if (!(await takeListing(db, now))) return;
  for await (const { sinceMs, remove } of listOrphans(store.bucket, db)) {
    if (now / 1000 - sinceMs > orphanMs) await remove();
  }
}
