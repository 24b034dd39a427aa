import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";
import { reviewedBy } from "../../shared/database/reviewed-by.ts";

/** Whether this replica holds the object that an id in a path names. */
export async function isHeld(db: Db, kind: string, id: string): Promise<boolean> {
  if (kind === "record") return isRecordHeld(db, id);
  if (kind === "request") return (await isRequestHeld(db, id)) || isReviewAskedFor(db, id);
  if (kind === "user") return exists(db.selectFrom("user").select("id").where("id", "=", id));
  return exists(db.selectFrom("group").select("name").where("name", "=", id));
}

/** Whether a user is known here only by the card that came with an object: the feed does not update such a card. */
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

/** Whether the user chose the reviewer here and the server has not confirmed it: this replica then knows the review. */
const isReviewAskedFor = (db: Db, id: string): Promise<boolean> =>
  exists(
    db
      .selectFrom("operation")
      .select("id")
      .where("kind", "=", "review.put")
      .where("aggregate_id", "=", id)
      .where("state", "in", ["pending", "sending", "applied"]),
  );

/** The family that a request is about, if the user is not a party of the request. */
export async function findTopicOf(db: Db, requestId: string, userId: string | null): Promise<string | undefined> {
  const request = await db
    .selectFrom("request")
    .select("topic_parent_id")
    .where("id", "=", requestId)
    .where((where) => where.not(where.or([where("creator_id", "=", userId ?? ""), reviewedBy(userId ?? "")])))
    .executeTakeFirst();
  return request?.topic_parent_id;
}

/** Whether a draft has a review that this replica does not hold. */
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

/** A record that this replica holds and somebody else owns. */
const recordOfAnother = (db: Db, id: string, userId: string) =>
  db
    .selectFrom("record")
    .innerJoin("parent", "parent.id", "record.parent_id")
    .select("record.id")
    .where("record.id", "=", id)
    .where("parent.owner_id", "!=", userId);

/** Whether this replica holds the record or draft and somebody else owns it. */
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

/** Whether this replica holds somebody else's record without its draft. */
export const isDraftElsewhere = (db: Db, id: string, userId: string): Promise<boolean> =>
  exists(recordOfAnother(db, id, userId).leftJoin("draft", "draft.id", "record.id").where("draft.id", "is", null));

/** As `isDraftElsewhere`, and the user may only view the record, so the family came without drafts. */
export const isDraftBeyond = (db: Db, id: string, userId: string): Promise<boolean> =>
  exists(
    recordOfAnother(db, id, userId)
      .leftJoin("draft", "draft.id", "record.id")
      .where("draft.id", "is", null)
      .where((where) => where.or([where("viewer_level", "is", null), where("viewer_level", "in", ["none", "view"])])),
  );

/** Whether this replica holds somebody else's record without its files, not even their names. */
export const areFilesElsewhere = (db: Db, id: string, userId: string): Promise<boolean> =>
  exists(
    recordOfAnother(db, id, userId)
      .where(sql<boolean>`coalesce(parent.viewer_level, 'none') = 'none'`)
      .where(sql<boolean>`record.access ->> 'files' = 'restricted'`),
  );

/** Digest of a file of a record or draft that this replica knows. */
export const findPictureBytes = async (
  db: Db,
  { id, key }: { id: string; key: string },
): Promise<string | undefined> => {
  const entry = await db
    .selectFrom("file_entry")
    .select("sha256")
    .where("owner_id", "=", id)
    .where("key", "=", key)
    .where("sha256", "is not", null)
    .executeTakeFirst();
  return entry?.sha256 ?? undefined;
};

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

/**
 * A file that was removed from its draft and is not in it again.
 * @property isUnsent the removal waits to be sent, so the server still has the file
 */
export async function findRemovedFrom(
  db: Db,
  versionId: string,
): Promise<{ key: string; sha256: string; isUnsent: 0 | 1 } | undefined> {
  const { rows } = await sql<{ key: string; sha256: string; isUnsent: 0 | 1 }>`
    select entry ->> 'key' as key, sha256, exists (
      select 1 from operation where state = 'pending' and object_id = removed_file.draft_id and (
        (kind = 'file.delete' and payload ->> 'entryId' = removed_file.entry_id) or
        (kind = 'file.delete-all' and removed_file.entry_id in (select value from json_each(payload, '$.entryIds')))
      )) as "isUnsent"
    from removed_file where version_id = ${versionId} and entry_id not in (select id from file_entry)`.execute(db);
  return rows[0];
}
