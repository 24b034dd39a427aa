import { randomUUID } from "node:crypto";
import type { Db } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { Bucket } from "./bucket.ts";
import type { BucketAddress } from "./bucket-address.ts";
import { BucketBlobStore } from "./bucket-blob-store.ts";
import { readObject } from "./bucket-stream.ts";

/** The bytes of a server in a bucket. No call is made yet. */
export const openBucket = (address: BucketAddress, db: Db, now: () => number): BucketBlobStore =>
  new BucketBlobStore({ bucket: new Bucket(address), db, now });

/** Writes, reads and deletes an object. @throws Failure `unavailable` that says what the store refuses. */
export async function assertUsable({ bucket }: BucketBlobStore): Promise<void> {
  const key = `probe/${randomUUID()}`;
  const bytes = Buffer.from("carrel");
  await bucket.put(key, bytes);
  const read = await (await readObject(bucket, key, { start: 0, end: bytes.byteLength })).toArray();
  await bucket.remove(key);
  if (!Buffer.concat(read).equals(bytes)) {
    throw new Failure("unavailable", "The store of the files returns other bytes than it was given.");
  }
}
