import type { BlobStore } from "../shared/blobs/blob-store.ts";
import { DiskBlobStore } from "../shared/blobs/disk-blob-store.ts";
import { type Db, transaction } from "../shared/database/open.ts";
import { deleteSetting, findSetting, storeSetting } from "../shared/database/setting.repository.ts";
import type { DataPaths } from "../shared/kernel/data-folder.ts";
import { Failure } from "../shared/kernel/failure.ts";
import { isFolderWritable } from "../shared/kernel/health.ts";
import { isSamePlace, parseBucketAddress, writeBucketAddress } from "./s3/bucket-address.ts";
import type { CheckedBytes } from "./upkeep/checked-bytes.ts";
import { checkedFolder } from "./upkeep/checked-folder.ts";

/** The bytes of a server: a folder, or a bucket of an S3 store. */
export interface OpenBlobs {
  store: BlobStore;
  /** The folder that this process must be able to write. */
  folder: string;
  /** For checks and backups. */
  checked: CheckedBytes;
  /** Makes the place ready to be written. @throws Failure `unavailable` that says why it is not. */
  prepare(): Promise<void>;
  /** Whether bytes can be stored now. */
  answers(): Promise<boolean>;
  close(): Promise<void>;
}

/** The address of the bucket with a server's bytes, which its database remembers for all processes and commands. */
const setting = "blobs";

export const findBucket = (db: Db): Promise<string | undefined> => findSetting(db, setting);

/** Whether any row names bytes, which are in the folder unless a bucket is noted. */
async function hasBytes(db: Db): Promise<boolean> {
  const blob = await db.selectFrom("blob").select("sha256").where("state", "=", "present").limit(1).executeTakeFirst();
  const upload = await db.selectFrom("upload").select("key").limit(1).executeTakeFirst();
  return blob !== undefined || upload !== undefined;
}

/** Forgets that the bytes of this server are in a bucket. Its objects stay there. */
export const forgetBucket = (db: Db): Promise<void> =>
  transaction(db, async (tx) => {
    await deleteSetting(tx, setting);
    for (const table of ["bucket_object", "bucket_upload", "bucket_part"] as const)
      await tx.deleteFrom(table).execute();
  });

/** What a bucket needs, which is loaded only where there is one. */
export async function loadBucket() {
  return { ...(await import("./s3/open-bucket.ts")), ...(await import("./s3/checked-bucket.ts")) };
}

/**
 * Notes in the database that the bytes of this server are in a bucket.
 * @throws Failure `unavailable` if they are elsewhere.
 */
export async function assignBucket(db: Db, address: string): Promise<void> {
  const wanted = parseBucketAddress(address);
  await transaction(db, async (tx) => {
    const known = await findBucket(tx);
    const isElsewhere = known === undefined ? await hasBytes(tx) : !isSamePlace(parseBucketAddress(known), wanted);
    if (isElsewhere) {
      const place = known ?? "the data folder";
      throw new Failure("unavailable", `The bytes of this server are in ${place}. 'carrel move' moves them.`);
    }
    await noteBucket(tx, address);
  });
}

/** Notes that the bytes of this server are in a bucket from now on. Its rows say where each blob is. */
export const noteBucket = (db: Db, address: string) =>
  storeSetting(db, setting, writeBucketAddress(parseBucketAddress(address)));

/** Opens the bytes of a host, wherever its database says that they are. */
export async function openBlobs(folder: DataPaths, db: Db, now: () => number): Promise<OpenBlobs> {
  const address = await findBucket(db);
  if (address === undefined) {
    const store = new DiskBlobStore(folder.blobs);
    const prepare = () => store.prepare();
    const answers = () => isFolderWritable(folder.blobs);
    const checked = checkedFolder(folder.blobs);
    return { store, folder: folder.blobs, checked, prepare, answers, close: async () => undefined };
  }
  const { openBucket, assertUsable, checkedBucket } = await loadBucket();
  const store = openBucket(parseBucketAddress(address), db, now);
  const checked = checkedBucket(store, db, now);
  // The bucket answers that there is no such object; without an answer the call throws.
  const answers = () => store.bucket.sizeOf("probe/none").then(() => isFolderWritable(folder.path));
  const prepare = () => assertUsable(store);
  return { store, folder: folder.path, checked, prepare, answers, close: () => store.close() };
}
