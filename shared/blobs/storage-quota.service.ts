import type { Db } from "../database/open.ts";
import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { yieldToEventLoop } from "../kernel/time-slice.ts";
import {
  findOwner,
  listFamilyBytes,
  listOwnedFamilies,
  listSentBytes,
  type StoredBytes,
} from "./storage-quota.repository.ts";
import type { UploadMeter } from "./upload-meter.ts";

export interface StorageQuotaService {
  /** Bytes that a user occupies: files of their records and drafts, unfinished uploads, attachments. */
  usedBy(db: Db, userId: string): Promise<number>;
  /** The usage shown to a user: the sum of the last minute and later uploads. Only on a host with a quota. */
  usageOf(userId: string): Promise<StorageUsage>;
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

/** The storage of each user on the server (findings, security 8). Sums are cached for a minute. */
export function storageQuotaService(host: Pick<Host, "db" | "now" | "abilities" | "settings">): StorageQuotaService {
  const accounts = new Map<string, Account>();
  const limit = (): number => host.settings.user_quota_bytes;
  const roomOf = ({ stored, added }: Account): number => limit() - stored - added;
  const usedUp = (): Failure =>
    new Failure(
      "quota_used_up",
      `The storage quota of ${limit()} bytes is used up. Delete files or drafts that are no longer needed, or ask an administrator.`,
      // Tells a replica not to wait, as it does for a full disk, which also is 507.
      { extra: { error: "quota_used_up" } },
    );

  /** Computes the sum again, unless an upload is running: its stored bytes would count twice. */
  async function summed(userId: string, account: Account | undefined): Promise<Account> {
    if (account && account.running > 0) return account;
    const summedAt = host.now();
    const fresh = { stored: await sumOf(host.db, userId), added: 0, summedAt, running: 0 };
    const meanwhile = accounts.get(userId);
    if (meanwhile && meanwhile !== account) return meanwhile;
    accounts.set(userId, fresh);
    return fresh;
  }

  function forgetOld(): void {
    for (const [userId, { summedAt, running }] of accounts) {
      if (running === 0 && host.now() - summedAt >= sumLifeMicros) accounts.delete(userId);
    }
  }

  /** The account, if `bytes` fit. @throws Failure 507 */
  async function withRoom(userId: string, bytes: number): Promise<Account> {
    forgetOld();
    const known = accounts.get(userId);
    if (known && roomOf(known) >= bytes) return known;
    const account = await summed(userId, known);
    if (roomOf(account) < bytes) throw usedUp();
    return account;
  }

  function meterOf(account: Account): UploadMeter {
    let taken = 0;
    let refusal: Failure | undefined;
    account.running += 1;
    return {
      async *count(body) {
        for await (const chunk of body) {
          if (roomOf(account) < chunk.byteLength) {
            refusal = usedUp();
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

  async function open(userId: string, bytes: number): Promise<UploadMeter | undefined> {
    if (!host.abilities.limitsStorage) return undefined;
    return meterOf(await withRoom(userId, bytes));
  }

  return {
    usedBy: sumOf,
    async usageOf(userId) {
      forgetOld();
      const { stored, added } = accounts.get(userId) ?? (await summed(userId, undefined));
      return { quota_bytes: limit(), used_bytes: stored + added };
    },
    open,
    async openForFamily(parentId, bytes) {
      const owner = host.abilities.limitsStorage ? await findOwner(host.db, parentId) : undefined;
      return owner === undefined ? undefined : open(owner, bytes);
    },
  };
}
