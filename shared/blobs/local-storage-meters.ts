import type { Host } from "../kernel/host.ts";
import { type StorageMeters, sumOf, usedUp } from "./storage-meters.ts";
import type { UploadMeter } from "./upload-meter.ts";

/** How long a sum is used; later uploads are added to it. */
const sumLifeMicros = 60_000_000;

interface Account {
  quota: number;
  stored: number;
  added: number;
  summedAt: number;
  running: number;
}

const roomOf = ({ quota, stored, added }: Account): number => quota - stored - added;

function meterOf(account: Account): UploadMeter {
  let taken = 0;
  let refusal: UploadMeter["refusal"];
  account.running += 1;
  return {
    async *count(body) {
      for await (const chunk of body) {
        if (roomOf(account) < chunk.byteLength) {
          refusal = usedUp(account.quota);
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
    async close(isKept) {
      account.running -= 1;
      if (!isKept) account.added -= taken;
    },
  };
}

/** Counts the uploads of one process: the sum of a user is taken once a minute, and what they upload is added to it. */
export function localStorageMeters(
  { db, now }: Pick<Host, "db" | "now">,
  quotaOf: (userId: string) => Promise<number>,
): StorageMeters {
  const accounts = new Map<string, Account>();

  /** Computes the sum again, unless an upload is running: its stored bytes would count twice. */
  async function summed(userId: string, account: Account | undefined): Promise<Account> {
    if (account && account.running > 0) return account;
    const summedAt = now();
    const quota = await quotaOf(userId);
    const fresh = { quota, stored: await sumOf(db, userId), added: 0, summedAt, running: 0 };
    const meanwhile = accounts.get(userId);
    if (meanwhile && meanwhile !== account) return meanwhile;
    accounts.set(userId, fresh);
    return fresh;
  }

  function forgetOld(): void {
    for (const [userId, { summedAt, running }] of accounts) {
      if (running === 0 && Math.abs(now() - summedAt) >= sumLifeMicros) accounts.delete(userId);
    }
  }

  return {
    async open(userId, bytes) {
      forgetOld();
      const known = accounts.get(userId);
      if (known && roomOf(known) >= bytes) return meterOf(known);
      const account = await summed(userId, known);
      if (roomOf(account) < bytes) throw usedUp(account.quota);
      return meterOf(account);
    },
    async usageOf(userId) {
      forgetOld();
      const { quota, stored, added } = accounts.get(userId) ?? (await summed(userId, undefined));
      return { quota_bytes: quota, used_bytes: stored + added };
    },
    noteQuota(userId, bytes) {
      const account = accounts.get(userId);
      if (account) account.quota = bytes;
    },
  };
}
