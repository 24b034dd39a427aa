import type { Db } from "../database/open.ts";
import { prepared } from "../database/prepared.ts";
import type { SessionRow } from "../database/schema.ts";
import { groupsIn, type WithGroups } from "../users/joined-groups.ts";

export const insertSession = (db: Db, row: SessionRow) => db.insertInto("session").values(row).execute();

const listByDigest = prepared((db, digest: string, now: number) =>
  db
    .selectFrom("session")
    .innerJoin("user", "user.id", "session.user_id")
    .leftJoin("membership", "membership.user_id", "session.user_id")
    .selectAll("session")
    .select("membership.group_name")
    .where("session.digest", "=", digest)
    .where("session.expires_at", ">", now)
    .where("user.active", "=", 1),
);

/** The session of an active user, with the user's groups. */
export async function findSession(db: Db, digest: string, now: number): Promise<WithGroups<SessionRow> | undefined> {
  const rows = await listByDigest(db, digest, now);
  return rows[0] && { ...rows[0], groups: groupsIn(rows) };
}

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
