import type { Db } from "../database/open.ts";
import type { Call } from "../kernel/call.ts";
import { notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { yieldToEventLoop } from "../kernel/time-slice.ts";
import { localStorageMeters } from "./local-storage-meters.ts";
import { sharedStorageMeters } from "./shared-storage-meters.ts";
import { type StorageUsage, sumOf, type UploadStart } from "./storage-meters.ts";
import { findOwner, findQuota, isOccupant, listOccupants, storeQuota } from "./storage-quota.repository.ts";
import { setQuota } from "./storage-quota.schema.ts";
import type { UploadMeter } from "./upload-meter.ts";

export interface StorageQuotaService {
  /** Bytes that a user occupies: files of their records and drafts, unfinished uploads, attachments. */
  usedBy(db: Db, userId: string): Promise<number>;
  /** The usage shown to a user: the cached sum and later uploads. Only on a host with a quota. */
  usageOf(userId: string): Promise<StorageUsage>;
  /** Bytes of every user who occupies some, at most a minute old. */
  usageOfAll(): Promise<ReadonlyMap<string, number>>;
  /** A user's own quota, if an administrator set one. */
  ownQuotaOf(userId: string): Promise<number | undefined>;
  /** Gives a user a quota of their own; null: that of the settings. @throws Failure 403, 404. */
  setQuota(call: Call, userId: string, bytes: number | null): Promise<void>;
  /**
   * Begins an upload of `bytes`, as far as known. A replica has no quota: the server decides (hosts-and-sync 4).
   * @throws Failure 507 when they exceed the quota.
   */
  open(userId: string, bytes: number, at?: UploadStart): Promise<UploadMeter | undefined>;
  /** As `open`, against the quota of the owner of a family. */
  openForFamily(parentId: string, bytes: number, at: UploadStart): Promise<UploadMeter | undefined>;
}

/** How long the sums of all users are used. */
const sumLifeMicros = 60_000_000;

async function sumOfAll(db: Db): Promise<ReadonlyMap<string, number>> {
  const used = new Map<string, number>();
  for (const id of await listOccupants(db)) {
    const sum = await sumOf(db, id);
    if (sum > 0) used.set(id, sum);
    await yieldToEventLoop();
  }
  return used;
}

/** Computes the sums of all users, which are used for a minute. Callers in the meantime share them. */
function usageOfAll({ db, now }: Pick<Host, "db" | "now">): StorageQuotaService["usageOfAll"] {
  let last: { at: number; used: Promise<ReadonlyMap<string, number>> } | undefined;
  return () => {
    if (last === undefined || Math.abs(now() - last.at) >= sumLifeMicros) {
      const current = { at: now(), used: sumOfAll(db) };
      last = current;
      // This caller gets the failure; the next one tries again.
      current.used.catch(() => {
        if (last === current) last = undefined;
      });
    }
    return last.used;
  };
}

/** The storage of each user on the server (findings, security 8). */
export function storageQuotaService(
  host: Pick<Host, "db" | "now" | "newUuid" | "abilities" | "settings" | "write">,
): StorageQuotaService {
  const quotaOf = async (userId: string): Promise<number> =>
    (await findQuota(host.db, userId)) ?? host.settings.user_quota_bytes;
  const meters = (host.abilities.sharesDatabase ? sharedStorageMeters : localStorageMeters)(host, quotaOf);
  const open: StorageQuotaService["open"] = async (userId, bytes, at) =>
    host.abilities.limitsStorage ? meters.open(userId, bytes, at) : undefined;

  return {
    usedBy: sumOf,
    usageOf: meters.usageOf,
    usageOfAll: usageOfAll(host),
    ownQuotaOf: (userId) => findQuota(host.db, userId),
    setQuota: (call, userId, bytes) =>
      host.write(call, setQuota, { userId, quota_bytes: bytes }, async (tx) => {
        if (!(await isOccupant(tx, userId))) throw notFound();
        await storeQuota(tx, userId, bytes);
        meters.noteQuota(userId, bytes ?? host.settings.user_quota_bytes);
        const object = { kind: "user" as const, id: userId };
        return { result: undefined, object, touched: [object], title: "Set a storage quota" };
      }),
    open,
    async openForFamily(parentId, bytes, at) {
      const owner = host.abilities.limitsStorage ? await findOwner(host.db, parentId) : undefined;
      return owner === undefined ? undefined : open(owner, bytes, at);
    },
  };
}
