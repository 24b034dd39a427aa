import type { Db } from "../database/open.ts";
import type { LoginDeviceRow } from "../database/schema.ts";

export const findDevice = (db: Db, digest: string, userId: string, now: number) =>
  db
    .selectFrom("login_device")
    .selectAll()
    .where("digest", "=", digest)
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .executeTakeFirst();

export const insertDevice = (db: Db, row: LoginDeviceRow) => db.insertInto("login_device").values(row).execute();

export const deleteDevicesBefore = (db: Db, now: number) =>
  db.deleteFrom("login_device").where("expires_at", "<=", now).execute();

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
