import type { Db } from "../database/open.ts";
import { prepared, preparedFirst } from "../database/prepared.ts";
import type { DraftReviewRow, DraftRow, RecordRow } from "../database/schema.ts";

export const findRecord = preparedFirst((db, id: string) => db.selectFrom("record").selectAll().where("id", "=", id));

export const findDraft = preparedFirst((db, id: string) => db.selectFrom("draft").selectAll().where("id", "=", id));

const findMove = preparedFirst((db, id: string) => db.selectFrom("alias").select("new_id").where("old_id", "=", id));

export const findAlias = async (db: Db, id: string): Promise<string | undefined> => (await findMove(db, id))?.new_id;

/** The newest published version that is not deleted. */
export const findLatestRecord = preparedFirst((db, parentId: string) =>
  db
    .selectFrom("record")
    .selectAll()
    .where("parent_id", "=", parentId)
    .where("tombstone", "is", null)
    .orderBy("version_index", "desc"),
);

/** Published versions that are not deleted, newest first. */
export const listRecords = (db: Db, parentId: string): Promise<RecordRow[]> =>
  db
    .selectFrom("record")
    .selectAll()
    .where("parent_id", "=", parentId)
    .where("tombstone", "is", null)
    .orderBy("version_index", "desc")
    .execute();

/** The draft of the next or first version. A family has at most one (records 4.2). */
export const findNextDraft = preparedFirst((db, parentId: string) =>
  db.selectFrom("draft").selectAll().where("parent_id", "=", parentId).where("is_edit", "=", 0),
);

export const listEntries = prepared((db, ownerKind: "draft" | "record", ownerId: string) =>
  db
    .selectFrom("file_entry")
    .selectAll()
    .where("owner_kind", "=", ownerKind)
    .where("owner_id", "=", ownerId)
    .orderBy("position")
    .orderBy("created"),
);

export const listFamilyLinks = prepared((db, parentId: string) =>
  db.selectFrom("access_link").selectAll().where("parent_id", "=", parentId).orderBy("created_at").orderBy("id"),
);

export const findRequest = preparedFirst((db, id: string) => db.selectFrom("request").selectAll().where("id", "=", id));

/** The review of a draft. A replica that does not hold the request has the review from the draft's bundle. */
export async function findReview(
  db: Db,
  draft: Pick<DraftRow, "id" | "request_id">,
): Promise<Omit<DraftReviewRow, "draft_id" | "parent_id"> | undefined> {
  if (draft.request_id === null) return undefined;
  const request = await findRequest(db, draft.request_id);
  if (request) return { request_id: request.id, receiver_id: request.receiver_id, status: request.status };
  return db
    .selectFrom("draft_review")
    .select(["request_id", "receiver_id", "status"])
    .where("draft_id", "=", draft.id)
    .where("request_id", "=", draft.request_id)
    .executeTakeFirst();
}

export const updateRecord = (db: Db, id: string, change: Partial<RecordRow>) =>
  db.updateTable("record").set(change).where("id", "=", id).execute();

/** Marks the newest version that is not deleted as the latest one. */
export async function markLatest(db: Db, parentId: string): Promise<void> {
  await db.updateTable("record").set({ is_latest: 0 }).where("parent_id", "=", parentId).execute();
  const latest = await findLatestRecord(db, parentId);
  if (latest) await updateRecord(db, latest.id, { is_latest: 1 });
}

/** Records whose embargo is not lifted yet. */
export const listEmbargoed = (db: Db): Promise<RecordRow[]> =>
  db.selectFrom("record").selectAll().where("access", "like", '%"active":true%').execute();
