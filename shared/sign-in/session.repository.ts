import type { Db } from "../database/open.ts";
import type { SessionRow } from "../database/schema.ts";

export const insertSession = (db: Db, row: SessionRow) => db.insertInto("session").values(row).execute();

/** A session, and whether its user is active. */
export const findSession = (db: Db, digest: string, now: number) =>
  db
    .selectFrom("session")
    .innerJoin("user", "user.id", "session.user_id")
    .selectAll("session")
    .where("session.digest", "=", digest)
    .where("session.expires_at", ">", now)
    .where("user.active", "=", 1)
    .executeTakeFirst();

/** Of a user, the last used first. */
export const listSessions = (db: Db, userId: string, now: number) =>
  db
    .selectFrom("session")
    .selectAll()
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .orderBy("last_used", "desc")
    .orderBy("created", "desc")
    .execute();

export const updateSessionUse = (db: Db, digest: string, lastUsed: number) =>
  db.updateTable("session").set({ last_used: lastUsed }).where("digest", "=", digest).execute();

export const deleteSession = (db: Db, digest: string) =>
  db.deleteFrom("session").where("digest", "=", digest).execute();

export const deleteSessionsOf = (db: Db, userId: string, keptDigest: string | undefined) =>
  db
    .deleteFrom("session")
    .where("user_id", "=", userId)
    .where("digest", "!=", keptDigest ?? "")
    .execute();

/** Deletes the sessions of a user, except the `kept` newest. */
export const deleteSessionsBeyond = (db: Db, userId: string, kept: number) =>
  db
    .deleteFrom("session")
    .where("user_id", "=", userId)
    .where("digest", "not in", (newest) =>
      newest
        .selectFrom("session")
        .select("digest")
        .where("user_id", "=", userId)
        .orderBy("created", "desc")
        .limit(kept),
    )
    .execute();

export const deleteSessionsBefore = (db: Db, now: number) =>
  db.deleteFrom("session").where("expires_at", "<=", now).execute();
