import type { Db } from "../database/open.ts";
import type { LoginDeviceRow } from "../database/schema.ts";
import { endsWithin } from "../kernel/timestamps.ts";

export const deviceLifeSeconds = 180 * 86_400;
const deviceEnds = (now: number) => endsWithin(now, deviceLifeSeconds * 1_000_000);

export const findDevice = (db: Db, digest: string, userId: string, now: number) =>
  db
    .selectFrom("login_device")
    .selectAll()
    .where("digest", "=", digest)
    .where("user_id", "=", userId)
    .where("expires_at", ">", deviceEnds(now).after)
    .where("expires_at", "<", deviceEnds(now).before)
    .executeTakeFirst();

export const insertDevice = (db: Db, row: LoginDeviceRow) => db.insertInto("login_device").values(row).execute();

/** Deletes the browsers that are remembered no longer. */
export const deleteEndedDevices = (db: Db, now: number) => {
  const { after, before } = deviceEnds(now);
  return db
    .deleteFrom("login_device")
    .where((where) => where.or([where("expires_at", "<=", after), where("expires_at", ">=", before)]))
    .execute();
};

/** More than there are: an offset needs a limit. */
const allOthers = 1_000_000_000;

/** Deletes the browsers of a user, except the `kept` most recent ones. */
export const deleteOldDevices = (db: Db, userId: string, kept: number) =>
  db
    .deleteFrom("login_device")
    .where("digest", "in", (query) =>
      query
        .selectFrom("login_device")
        .select("digest")
        .where("user_id", "=", userId)
        .orderBy("expires_at", "desc")
        .limit(allOthers)
        .offset(kept),
    )
    .execute();

export const deleteDevicesOf = (db: Db, userId: string, keptDigest: string | undefined) =>
  db
    .deleteFrom("login_device")
    .where("user_id", "=", userId)
    .where("digest", "!=", keptDigest ?? "")
    .execute();
