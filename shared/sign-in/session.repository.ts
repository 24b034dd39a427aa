import { sql } from "kysely";
import type { Db } from "../database/open.ts";
import { prepared } from "../database/prepared.ts";
import type { SessionRow } from "../database/schema.ts";
import { endsWithin } from "../kernel/timestamps.ts";
import { groupsIn, type WithGroups } from "../users/joined-groups.ts";

export const sessionLifeSeconds = 14 * 86_400;

/** When the sessions end that are open at an instant. */
export const sessionEnds = (now: number) => endsWithin(now, sessionLifeSeconds * 1_000_000);

export const insertSession = (db: Db, row: SessionRow) => db.insertInto("session").values(row).execute();

const listByDigest = prepared((db, digest: string, after: number, before: number) =>
  db
    .selectFrom("session")
    .innerJoin("user", "user.id", "session.user_id")
    .leftJoin("membership", "membership.user_id", "session.user_id")
    .selectAll("session")
    .select("membership.group_name")
    .where("session.digest", "=", digest)
    .where("session.expires_at", ">", after)
    .where("session.expires_at", "<", before)
    .where("user.active", "=", 1),
);

/** The session of an active user, with the user's groups. */
export async function findSession(db: Db, digest: string, now: number): Promise<WithGroups<SessionRow> | undefined> {
  const { after, before } = sessionEnds(now);
  const rows = await listByDigest(db, digest, after, before);
  return rows[0] && { ...rows[0], groups: groupsIn(rows) };
}

/** Of a user, the last used first. */
export const listSessions = (db: Db, userId: string, now: number) =>
  db
    .selectFrom("session")
    .selectAll()
    .where("user_id", "=", userId)
    .where("expires_at", ">", sessionEnds(now).after)
    .where("expires_at", "<", sessionEnds(now).before)
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

/** Deletes the sessions of a user, except the `kept` newest. Those that have ended go first. */
export const deleteSessionsBeyond = (db: Db, userId: string, kept: number, now: number) => {
  const { after, before } = sessionEnds(now);
  return db
    .deleteFrom("session")
    .where("user_id", "=", userId)
    .where("digest", "not in", (newest) =>
      newest
        .selectFrom("session")
        .select("digest")
        .where("user_id", "=", userId)
        .orderBy(sql`case when expires_at > ${after} and expires_at < ${before} then 0 else 1 end`)
        .orderBy("created", "desc")
        .limit(kept),
    )
    .execute();
};

/** Deletes the sessions that have ended. */
export const deleteEndedSessions = (db: Db, now: number) => {
  const { after, before } = sessionEnds(now);
  return db
    .deleteFrom("session")
    .where((where) => where.or([where("expires_at", "<=", after), where("expires_at", ">=", before)]))
    .execute();
};
