import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";

/** Whether this replica holds what an id in a path names. */
export async function isHeld(db: Db, kind: string, id: string): Promise<boolean> {
  if (kind === "record") return isRecordHeld(db, id);
  if (kind === "request") return (await isRequestHeld(db, id)) || isReviewAskedFor(db, id);
  if (kind === "user") return exists(db.selectFrom("user").select("id").where("id", "=", id));
  return exists(db.selectFrom("group").select("name").where("name", "=", id));
}

/** Whether somebody is known here by the card that came with what she has to do with: nobody tells when that changes. */
export const isCardAlone = (db: Db, id: string): Promise<boolean> =>
  exists(
    db
      .selectFrom("user")
      .leftJoin("base", (join) => join.on("base.kind", "=", "user").onRef("base.object_id", "=", "user.id"))
      .select("user.id")
      .where("user.id", "=", id)
      .where("base.object_id", "is", null),
  );

export const deleteCard = (db: Db, id: string) => db.deleteFrom("user").where("id", "=", id).execute();

const isRequestHeld = (db: Db, id: string): Promise<boolean> =>
  exists(db.selectFrom("request").select("id").where("id", "=", id));

/** Whether the person asked for it here: it is not on the server yet, and what it will be is known. */
const isReviewAskedFor = (db: Db, id: string): Promise<boolean> =>
  exists(
    db
      .selectFrom("operation")
      .select("id")
      .where("kind", "=", "review.put")
      .where("aggregate_id", "=", id)
      .where("state", "in", ["pending", "sending", "applied"]),
  );

/** The family that a request is about, for who is not a party of it. */
export async function findTopicOf(db: Db, requestId: string, userId: string | null): Promise<string | undefined> {
  const request = await db
    .selectFrom("request")
    .select(["topic_parent_id", "creator_id", "receiver_id"])
    .where("id", "=", requestId)
    .executeTakeFirst();
  const isParty = request?.creator_id === userId || request?.receiver_id === userId;
  return isParty ? undefined : request?.topic_parent_id;
}

/** Whether a draft has a review that is not held here. */
export const isReviewElsewhere = (db: Db, draftId: string): Promise<boolean> =>
  exists(
    db
      .selectFrom("draft")
      .leftJoin("request", "request.id", "draft.request_id")
      .select("draft.id")
      .where("draft.id", "=", draftId)
      .where("draft.request_id", "is not", null)
      .where("request.id", "is", null),
  );

/** A record that is held here, if it is somebody else's. */
const recordOfAnother = (db: Db, id: string, userId: string) =>
  db
    .selectFrom("record")
    .innerJoin("parent", "parent.id", "record.parent_id")
    .select("record.id")
    .where("record.id", "=", id)
    .where("parent.owner_id", "!=", userId);

/** Whether a record or draft that is held here is somebody else's. */
export const isOfSomebodyElse = (db: Db, id: string, userId: string): Promise<boolean> =>
  exists(
    recordOfAnother(db, id, userId).union(
      db
        .selectFrom("draft")
        .innerJoin("parent", "parent.id", "draft.parent_id")
        .select("draft.id")
        .where("draft.id", "=", id)
        .where("parent.owner_id", "!=", userId),
    ),
  );

/** Whether a record of somebody else is held here without a draft. */
export const isDraftElsewhere = (db: Db, id: string, userId: string): Promise<boolean> =>
  exists(recordOfAnother(db, id, userId).leftJoin("draft", "draft.id", "record.id").where("draft.id", "is", null));

/** As `isDraftElsewhere`, and she holds no drafts of that family: it was opened by who may see the record alone. */
export const isDraftBeyond = (db: Db, id: string, userId: string): Promise<boolean> =>
  exists(
    recordOfAnother(db, id, userId)
      .leftJoin("draft", "draft.id", "record.id")
      .where("draft.id", "is", null)
      .where((where) => where.or([where("viewer_level", "is", null), where("viewer_level", "in", ["none", "view"])])),
  );

/** Whether a record of somebody else is held here whose files she may not read: not even their names came with it. */
export const areFilesElsewhere = (db: Db, id: string, userId: string): Promise<boolean> =>
  exists(
    recordOfAnother(db, id, userId)
      .where(sql<boolean>`coalesce(parent.viewer_level, 'none') = 'none'`)
      .where(sql<boolean>`record.access ->> 'files' = 'restricted'`),
  );

const exists = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined;

const isRecordHeld = (db: Db, id: string): Promise<boolean> =>
  exists(
    db
      .selectFrom("record")
      .select("id")
      .where("id", "=", id)
      .union(db.selectFrom("draft").select("id").where("id", "=", id))
      .union(db.selectFrom("parent").select("id").where("id", "=", id))
      .union(db.selectFrom("alias").select("old_id as id").where("old_id", "=", id)),
  );
