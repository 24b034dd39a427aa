import { type SqlBool, sql } from "kysely";
import { guestId } from "../../shared/access-requests/access-request.schema.ts";
import type { Db } from "../../shared/database/open.ts";
import { prepared, preparedFirst } from "../../shared/database/prepared.ts";
import { reviewedBy } from "../../shared/database/reviewed-by.ts";
import type { GroupRow, ParentRow } from "../../shared/database/schema.ts";

const listConcerned = prepared((db, parentId: string) => {
  const none = sql<string | null>`null`.as("state");
  const requests = () => db.selectFrom("request").where("topic_parent_id", "=", parentId);
  const grants = () => db.selectFrom("access_grant").where("access_grant.parent_id", "=", parentId);
  const candidate = sql<string>`'candidate'`.as("part");
  return grants()
    .select(["subject_id as id", candidate, none])
    .where("subject_type", "=", "user")
    .unionAll(
      grants()
        .innerJoin("membership", "membership.group_name", "access_grant.subject_id")
        .select(["membership.user_id as id", candidate, none])
        .where("access_grant.subject_type", "=", "role"),
    )
    .unionAll(requests().select(["creator_id as id", candidate, none]))
    .unionAll(requests().select(["receiver_id as id", candidate, none]).where("status", "!=", "draft"))
    .unionAll(
      requests()
        .innerJoin(sql<{ value: string }>`json_each(request.reviewers)`.as("reviewer"), (join) => join.onTrue())
        .select([sql<string>`reviewer.value ->> '$.user'`.as("id"), candidate, none])
        .where(sql<string>`reviewer.value ->> '$.user'`, "is not", null)
        .where("status", "!=", "draft"),
    )
    .unionAll(
      requests()
        .innerJoin(sql<{ value: string }>`json_each(request.reviewers)`.as("reviewer"), (join) => join.onTrue())
        .innerJoin("membership", (join) => join.on(sql<SqlBool>`membership.group_name = reviewer.value ->> '$.group'`))
        .select(["membership.user_id as id", candidate, none])
        .where("status", "!=", "draft"),
    )
    .unionAll(
      db
        .selectFrom("subscription")
        .select(["user_id as id", candidate, none])
        .where("kind", "=", "family")
        .where("object_id", "=", parentId),
    )
    .unionAll(
      db
        .selectFrom("feed")
        .select(["user_id as id", sql<string>`'follower'`.as("part"), "state"])
        .where("kind", "=", "family")
        .where("object_id", "=", parentId),
    )
    .unionAll(requests().select(["id", sql<string>`'request'`.as("part"), none]))
    .unionAll(
      db
        .selectFrom("parent")
        .select(["owner_id as id", sql<string>`'owner'`.as("part"), "viewer_level as state"])
        .where("id", "=", parentId),
    );
});

/** What decides a user's level on a family, besides grants. */
export type Family = Pick<ParentRow, "id" | "owner_id" | "viewer_level">;

/** Whom and what a change of a family concerns. */
export interface FamilyCircle {
  family: Family;
  /** Users who may have access: owner, grant holders, parties of its requests, subscribers. */
  candidates: Set<string>;
  /** The users who held it at its last change, and what their feed says. */
  followers: Map<string, string>;
  /** Ids of the requests about it. */
  requests: string[];
}

/** Undefined if the family is gone. */
export async function findCircle(db: Db, id: string): Promise<FamilyCircle | undefined> {
  const rows = await listConcerned(db, id);
  const owner = rows.find(({ part }) => part === "owner");
  if (!owner) return undefined;
  const family = { id, owner_id: owner.id, viewer_level: owner.state };
  const circle: FamilyCircle = { family, candidates: new Set([owner.id]), followers: new Map(), requests: [] };
  for (const row of rows) {
    if (row.part === "request") circle.requests.push(row.id);
    else if (row.part === "follower") circle.followers.set(row.id, row.state ?? "");
    else if (row.id !== guestId) circle.candidates.add(row.id);
  }
  return circle;
}

const listSubscriptions = prepared((db, kind: string, id: string) =>
  db.selectFrom("subscription").select("user_id").where("kind", "=", kind).where("object_id", "=", id),
);

export const listSubscribers = async (db: Db, kind: string, id: string): Promise<string[]> =>
  (await listSubscriptions(db, kind, id)).map((row) => row.user_id);

export const findRequestParties = preparedFirst((db, id: string) =>
  db
    .selectFrom("request")
    .leftJoin("access_request", "access_request.request_id", "request.id")
    .select(["creator_id", "receiver_id", "reviewers", "status", "is_locked", "topic_parent_id", "access_request.type"])
    .where("id", "=", id),
);

const listTopical = prepared((db, parentId: string) =>
  db.selectFrom("request").select("id").where("topic_parent_id", "=", parentId),
);

export const listRequestsOn = async (db: Db, parentId: string): Promise<string[]> =>
  (await listTopical(db, parentId)).map(({ id }) => id);

/** The access settings of a family's records, which decide whether everybody may hold it. */
export const listAccess = prepared((db, parentId: string) =>
  db.selectFrom("record").select(["access", "tombstone"]).where("parent_id", "=", parentId),
);

const listMemberships = prepared((db, userId: string) =>
  db.selectFrom("membership").select("group_name").where("user_id", "=", userId),
);

export const listRoles = async (db: Db, userId: string): Promise<string[]> =>
  (await listMemberships(db, userId)).map((row) => row.group_name);

const listMembers = prepared((db, group: string) =>
  db.selectFrom("membership").select("user_id").where("group_name", "=", group),
);

export const listMemberIds = async (db: Db, group: string): Promise<string[]> =>
  (await listMembers(db, group)).map((row) => row.user_id);

const findReview = preparedFirst((db, parentId: string, userId: string) =>
  db
    .selectFrom("draft")
    .innerJoin("request", "request.id", "draft.request_id")
    .select("request.id")
    .where("draft.parent_id", "=", parentId)
    .where(reviewedBy(userId))
    .where("request.status", "=", "submitted"),
);

/** Whether the user reviews a draft of the family now. */
export const isReviewing = async (db: Db, parentId: string, userId: string): Promise<boolean> =>
  (await findReview(db, parentId, userId)) !== undefined;

export const findGroupRow = (db: Db, name: string): Promise<GroupRow | undefined> =>
  db.selectFrom("group").selectAll().where("name", "=", name).executeTakeFirst();

/** The recipient of a notification. */
export const findNotified = async (db: Db, id: string): Promise<string | undefined> =>
  (await db.selectFrom("notification").select("user_id").where("id", "=", id).executeTakeFirst())?.user_id;
