import type { Db } from "../database/open.ts";
import { Failure } from "../kernel/failure.ts";
import { yieldToEventLoop } from "../kernel/time-slice.ts";
import { listFamilyBytes, listOwnedFamilies, listSentBytes, type StoredBytes } from "./storage-quota.repository.ts";
import type { UploadMeter } from "./upload-meter.ts";

export interface StorageUsage {
  quota_bytes: number;
  used_bytes: number;
}

/** The row of an unfinished upload, and how many bytes it has. */
export interface UploadStart {
  upload: string;
  start: number;
}

/** Counts uploads against the quotas of users. */
export interface StorageMeters {
  /** @throws Failure 507 when `bytes` do not fit. */
  open(userId: string, bytes: number, at: UploadStart | undefined): Promise<UploadMeter>;
  usageOf(userId: string): Promise<StorageUsage>;
  /** A user has another quota now. */
  noteQuota(userId: string, bytes: number): void;
}

const familiesAtOnce = 200;

/**
 * The bytes that a user occupies.
 * @param starts of uploads: what they stored beyond does not count.
 */
export async function sumOf(db: Db, userId: string, starts: ReadonlyMap<string, number> = new Map()): Promise<number> {
  const counted = new Set<string>();
  let sum = 0;
  const count = (rows: readonly StoredBytes[]): void => {
    for (const { sha256, size, upload } of rows) {
      if (sha256 !== null && counted.has(sha256)) continue;
      if (sha256 !== null) counted.add(sha256);
      sum += upload === undefined ? size : Math.min(size, starts.get(upload) ?? size);
    }
  };
  count(await listSentBytes(db, userId));
  for (let after = ""; ; await yieldToEventLoop()) {
    const parents = await listOwnedFamilies(db, userId, after, familiesAtOnce);
    if (parents.length > 0) count(await listFamilyBytes(db, parents));
    if (parents.length < familiesAtOnce) return sum;
    after = parents.at(-1) ?? after;
  }
}

export const usedUp = (quota: number): Failure =>
  new Failure(
    "quota_used_up",
    `The storage quota of ${quota} bytes is used up. Delete files or drafts that are no longer needed, or ask an administrator.`,
    // Tells a replica not to wait, as it does for a full disk, which also is 507.
    { extra: { error: "quota_used_up" } },
  );
