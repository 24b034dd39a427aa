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

const maxAttempts = 3;

/**
 * Writes, reads and deletes an object. Tries again, because a store on a file system (versitygw) refuses a new object for
 * a moment while another process that starts removes the last one of the same folder.
 * @throws Failure `unavailable` that says what the store refuses.
 */
export async function assertUsable(store: BucketBlobStore): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await probe(store);
    } catch (error) {
      if (attempt === maxAttempts) throw error;
    }
  }
}

async function probe({ bucket }: BucketBlobStore): Promise<void> {
  const key = `probe/${randomUUID()}`;
  const bytes = Buffer.from("carrel");
  await bucket.put(key, bytes);
  const read = await (await readObject(bucket, key, { start: 0, end: bytes.byteLength })).toArray();
  await bucket.remove(key);
  if (!Buffer.concat(read).equals(bytes)) {
    throw new Failure("unavailable", "The store of the files returns other bytes than it was given.");
  }
}
