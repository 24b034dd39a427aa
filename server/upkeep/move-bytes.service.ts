import { randomUUID } from "node:crypto";
import { createReadStream, existsSync, renameSync } from "node:fs";
import path from "node:path";
import type { BlobStore } from "../../shared/blobs/blob-store.ts";
import { DiskBlobStore } from "../../shared/blobs/disk-blob-store.ts";
import { assertHost } from "../../shared/database/library.ts";
import type { Db } from "../../shared/database/open.ts";
import { type DataFolder, openDataFolder } from "../../shared/kernel/data-folder.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { findBucket, forgetBucket, loadBucket, noteBucket, openBlobs } from "../open-blobs.ts";
import { openRows } from "../open-rows.ts";
import { parseBucketAddress } from "../s3/bucket-address.ts";
import { listOpenUploads, listReferredBlobs } from "./blob-reference.repository.ts";
import type { CheckedBytes } from "./checked-bytes.ts";
import { checkedFolder } from "./checked-folder.ts";

export interface ByteMoveReport {
  /** Where the bytes are now. */
  place: string;
  blobs: number;
  bytes: number;
  /** Digests of blobs that should be in the old place and are not. */
  missing: string[];
}

/** Called after each blob with the number of blobs copied and compared, and their total. */
export type ByteMoveProgress = (done: number, total: number) => void;

/** Copies at a time: most of the time of a small file is the way to the store. */
const copiesAtOnce = 8;

interface Place {
  store: BlobStore;
  checked: CheckedBytes;
}

const now = (): number => Date.now() * 1000;

/** Copies a blob unless it is there. @throws Failure if the bytes are not those of its name. */
async function copyBlob(from: Place, to: Place, sha256: string, sizeBytes: number): Promise<void> {
  if ((await to.checked.sizeOf(sha256)) === sizeBytes) return;
  const id = randomUUID();
  await to.store.create(id);
  try {
    const { offset, rest } = await to.store.append(id, 0, await from.store.read(sha256), { sealsNext: true });
    const check = (facts: { sha256: string }) => {
      if (facts.sha256 === sha256 && offset === sizeBytes) return;
      throw new Failure("invalid", `The blob ${sha256} is damaged or could not be read to its end. Nothing was moved.`);
    };
    await to.store.seal(id, offset, check, rest);
  } catch (error) {
    await to.store.drop(id);
    throw error;
  }
}

/** Copies every blob that a row refers to. An interrupted copy continues where it stopped. */
async function copyBlobs(
  db: Db,
  from: Place,
  to: Place,
  onBlob: ByteMoveProgress,
): Promise<Omit<ByteMoveReport, "place">> {
  const referred = await listReferredBlobs(db);
  const report = { blobs: 0, bytes: 0, missing: [] as string[] };
  const waiting = referred.values();
  let done = 0;
  const work = async () => {
    for (const { sha256, isPresent } of waiting) {
      const sizeBytes = await from.checked.sizeOf(sha256);
      if (sizeBytes !== undefined) {
        await copyBlob(from, to, sha256, sizeBytes);
        report.blobs += 1;
        report.bytes += sizeBytes;
      } else if (isPresent === 1) report.missing.push(sha256);
      done += 1;
      onBlob(done, referred.length);
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: copiesAtOnce }, work));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
  return report;
}

/** Takes unfinished uploads along, which go on where they stand. */
async function copyUploads(db: Db, folder: string, to: BlobStore): Promise<void> {
  for (const { name, upload_offset } of await listOpenUploads(db)) {
    const file = path.join(folder, "uploads", name);
    if (!existsSync(file) || upload_offset === 0) continue;
    await to.create(name);
    await to.append(name, 0, createReadStream(file, { end: upload_offset - 1 }));
  }
}

async function toBucket(folder: DataFolder, db: Db, address: string, onBlob: ByteMoveProgress) {
  const known = await findBucket(db);
  if (known !== undefined) throw new Failure("conflict", `The bytes of ${folder.path} are in ${known} already.`);
  const { openBucket, assertUsable, checkedBucket } = await loadBucket();
  const store = openBucket(parseBucketAddress(address), db, now);
  try {
    await assertUsable(store);
    const from = { store: new DiskBlobStore(folder.blobs), checked: checkedFolder(folder.blobs) };
    const copied = await copyBlobs(db, from, { store, checked: checkedBucket(store, db, now) }, onBlob);
    await copyUploads(db, folder.blobs, store);
    await noteBucket(db, address);
    // From here on the folder is a copy that nothing opens.
    if (existsSync(folder.blobs)) renameSync(folder.blobs, `${folder.blobs}.moved-${Date.now()}`);
    return { ...copied, place: (await findBucket(db)) ?? "" };
  } finally {
    await store.close();
  }
}

async function toFolder(folder: DataFolder, db: Db, onBlob: ByteMoveProgress): Promise<ByteMoveReport> {
  if ((await findBucket(db)) === undefined) {
    throw new Failure("conflict", `The bytes of ${folder.path} are in the folder already.`);
  }
  const from = await openBlobs(folder, db, now);
  try {
    const store = new DiskBlobStore(folder.blobs);
    await store.prepare();
    const copied = await copyBlobs(db, from, { store, checked: checkedFolder(folder.blobs) }, onBlob);
    await forgetBucket(db);
    return { ...copied, place: folder.blobs };
  } finally {
    await from.close();
  }
}

/**
 * Moves the bytes of a stopped server to a bucket, or back into the data folder. Every blob is compared with its digest;
 * after a failure the old place is still in use, and the next move continues. The moved bytes also stay in the old place,
 * unused. Unfinished uploads move to a bucket, but start again in the folder.
 * @param address of a bucket; undefined moves back to the folder.
 * @throws Failure `unavailable` while a server runs or the store cannot be reached, `conflict` if the bytes are there.
 */
export async function moveBytes(
  dataDir: string,
  address: string | undefined,
  onBlob: ByteMoveProgress = () => undefined,
): Promise<ByteMoveReport> {
  if (!existsSync(dataDir)) throw new Failure("unavailable", `There is no Carrel data in ${dataDir}.`);
  const folder = openDataFolder(dataDir, "server");
  try {
    const { db, close } = await openRows(folder);
    try {
      await assertHost(db, "server", folder.path);
      return await (address === undefined ? toFolder(folder, db, onBlob) : toBucket(folder, db, address, onBlob));
    } finally {
      await close();
    }
  } finally {
    folder.release();
  }
}
