import type { Db } from "../../shared/database/open.ts";

/** People to whom a family may matter: owner, grant holders, parties of requests on it, who asked for it. */
export async function listFamilyCandidates(db: Db, parentId: string): Promise<string[]> {
  const requests = () => db.selectFrom("request").where("topic_parent_id", "=", parentId);
  const grants = () => db.selectFrom("access_grant").where("access_grant.parent_id", "=", parentId);
  const rows = await db
    .selectFrom("parent")
    .select("owner_id as id")
    .where("id", "=", parentId)
    .union(grants().select("subject_id as id").where("subject_type", "=", "user"))
    .union(
      grants()
        .innerJoin("membership", "membership.group_name", "access_grant.subject_id")
        .select("membership.user_id as id")
        .where("access_grant.subject_type", "=", "role"),
    )
    .union(requests().select("creator_id as id"))
    .union(requests().select("receiver_id as id").where("status", "!=", "draft"))
    .union(
      db
        .selectFrom("subscription")
        .select("user_id as id")
        .where("kind", "=", "family")
        .where("object_id", "=", parentId),
    )
    .execute();
  return rows.map(({ id }) => id);
}

export async function listSubscribers(db: Db, kind: string, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom("subscription")
    .select("user_id")
    .where("kind", "=", kind)
    .where("object_id", "=", id)
    .execute();
  return rows.map((row) => row.user_id);
}

export const findRequestParties = (db: Db, id: string) =>
  db
    .selectFrom("request")
    .select(["creator_id", "receiver_id", "status", "is_locked", "topic_parent_id"])
    .where("id", "=", id)
    .executeTakeFirst();

export async function listRequestsOn(db: Db, parentId: string): Promise<string[]> {
  const rows = await db.selectFrom("request").select("id").where("topic_parent_id", "=", parentId).execute();
  return rows.map(({ id }) => id);
}

/** What decides whether somebody without a level may hold a family: a public published record. */
export async function hasPublicRecord(db: Db, parentId: string): Promise<boolean> {
  const rows = await db
    .selectFrom("record")
    .select("access")
    .where("parent_id", "=", parentId)
    .where("tombstone", "is", null)
    .execute();
  return rows.some((row) => JSON.parse(row.access).record === "public");
}

export const listRoles = async (db: Db, userId: string): Promise<string[]> => {
  const rows = await db.selectFrom("membership").select("group_name").where("user_id", "=", userId).execute();
  return rows.map((row) => row.group_name);
};

export const existsFamily = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom("parent").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;

/** A draft of the family that a person reviews right now. */
export async function isReviewing(db: Db, parentId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("draft")
    .innerJoin("request", "request.id", "draft.request_id")
    .select("request.id")
    .where("draft.parent_id", "=", parentId)
    .where("request.receiver_id", "=", userId)
    .where("request.status", "=", "submitted")
    .executeTakeFirst();
  return row !== undefined;
}

/** Whom a notification is for. */
export const findNotified = async (db: Db, id: string): Promise<string | undefined> =>
  (await db.selectFrom("notification").select("user_id").where("id", "=", id).executeTakeFirst())?.user_id;
