import type { Db } from "../database/open.ts";
import type { Call } from "../kernel/call.ts";
import { Failure, notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { yieldToEventLoop } from "../kernel/time-slice.ts";
import {
  findOwner,
  findQuota,
  isOccupant,
  listFamilyBytes,
  listOccupants,
  listOwnedFamilies,
  listSentBytes,
  type StoredBytes,
  storeQuota,
} from "./storage-quota.repository.ts";
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
  open(userId: string, bytes: number): Promise<UploadMeter | undefined>;
  /** As `open`, against the quota of the owner of a family. */
  openForFamily(parentId: string, bytes: number): Promise<UploadMeter | undefined>;
}

export interface StorageUsage {
  quota_bytes: number;
  used_bytes: number;
}

const familiesAtOnce = 200;
/** How long a sum is used; later uploads are added to it. */
const sumLifeMicros = 60_000_000;

interface Account {
  quota: number;
  stored: number;
  added: number;
  summedAt: number;
  running: number;
}

async function sumOf(db: Db, userId: string): Promise<number> {
  const counted = new Set<string>();
  let sum = 0;
  const count = (rows: readonly StoredBytes[]): void => {
    for (const { sha256, size } of rows) {
      if (sha256 !== null && counted.has(sha256)) continue;
      if (sha256 !== null) counted.add(sha256);
      sum += size;
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

const roomOf = ({ quota, stored, added }: Account): number => quota - stored - added;
const usedUp = ({ quota }: Account): Failure =>
  new Failure(
    "quota_used_up",
    `The storage quota of ${quota} bytes is used up. Delete files or drafts that are no longer needed, or ask an administrator.`,
    // Tells a replica not to wait, as it does for a full disk, which also is 507.
    { extra: { error: "quota_used_up" } },
  );

function meterOf(account: Account): UploadMeter {
  let taken = 0;
  let refusal: Failure | undefined;
  account.running += 1;
  return {
    async *count(body) {
      for await (const chunk of body) {
        if (roomOf(account) < chunk.byteLength) {
          refusal = usedUp(account);
          throw refusal;
        }
        taken += chunk.byteLength;
        account.added += chunk.byteLength;
        yield chunk;
      }
    },
    get refusal() {
      return refusal;
    },
    close(isKept) {
      account.running -= 1;
      if (!isKept) account.added -= taken;
    },
  };
}

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

/** The storage of each user on the server (findings, security 8). One process alone caches sums for a minute. */
export function storageQuotaService(
  host: Pick<Host, "db" | "now" | "abilities" | "settings" | "write">,
): StorageQuotaService {
  const accounts = new Map<string, Account>();
  // Uploads at another process are not added to a sum here. So it is taken again, except while an upload runs.
  const lifeMicros = host.abilities.sharesDatabase ? 0 : sumLifeMicros;
  const quotaOf = async (userId: string): Promise<number> =>
    (await findQuota(host.db, userId)) ?? host.settings.user_quota_bytes;

  /** Computes the sum again, unless an upload is running: its stored bytes would count twice. */
  async function summed(userId: string, account: Account | undefined): Promise<Account> {
    if (account && account.running > 0) return account;
    const summedAt = host.now();
    const fresh = {
      quota: await quotaOf(userId),
      ...{ stored: await sumOf(host.db, userId), added: 0, summedAt, running: 0 },
    };
    const meanwhile = accounts.get(userId);
    if (meanwhile && meanwhile !== account) return meanwhile;
    accounts.set(userId, fresh);
    return fresh;
  }

  function forgetOld(): void {
    for (const [userId, { summedAt, running }] of accounts) {
      if (running === 0 && Math.abs(host.now() - summedAt) >= lifeMicros) accounts.delete(userId);
    }
  }

  /** The account, if `bytes` fit. @throws Failure 507 */
  async function withRoom(userId: string, bytes: number): Promise<Account> {
    forgetOld();
    const known = accounts.get(userId);
    if (known && roomOf(known) >= bytes) return known;
    const account = await summed(userId, known);
    if (roomOf(account) < bytes) throw usedUp(account);
    return account;
  }

  async function open(userId: string, bytes: number): Promise<UploadMeter | undefined> {
    if (!host.abilities.limitsStorage) return undefined;
    return meterOf(await withRoom(userId, bytes));
  }

  return {
    usedBy: sumOf,
    async usageOf(userId) {
      forgetOld();
      const { quota, stored, added } = accounts.get(userId) ?? (await summed(userId, undefined));
      return { quota_bytes: quota, used_bytes: stored + added };
    },
    usageOfAll: usageOfAll(host),
    ownQuotaOf: (userId) => findQuota(host.db, userId),
    setQuota: (call, userId, bytes) =>
      host.write(call, setQuota, { userId, quota_bytes: bytes }, async (tx) => {
        if (!(await isOccupant(tx, userId))) throw notFound();
        await storeQuota(tx, userId, bytes);
        const account = accounts.get(userId);
        if (account) account.quota = bytes ?? host.settings.user_quota_bytes;
        const object = { kind: "user" as const, id: userId };
        return { result: undefined, object, touched: [object], title: "Set a storage quota" };
      }),
    open,
    async openForFamily(parentId, bytes) {
      const owner = host.abilities.limitsStorage ? await findOwner(host.db, parentId) : undefined;
      return owner === undefined ? undefined : open(owner, bytes);
    },
  };
}
