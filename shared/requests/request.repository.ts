import type { Db } from "../database/open.ts";
import { reviewedBy } from "../database/reviewed-by.ts";
import type { RequestRow } from "../database/schema.ts";
import { findSetting, storeSetting } from "../database/setting.repository.ts";
import { actionCommands, type PutReview } from "./request.schema.ts";

export const insertRequest = (db: Db, row: RequestRow) => db.insertInto("request").values(row).execute();

export const updateRequestRow = (db: Db, id: string, change: Partial<RequestRow>) =>
  db.updateTable("request").set(change).where("id", "=", id).execute();

export async function deleteRequestRows(db: Db, id: string): Promise<void> {
  await db.deleteFrom("event_file").where("request_id", "=", id).execute();
  await db.deleteFrom("event").where("request_id", "=", id).execute();
  await db.deleteFrom("access_request").where("request_id", "=", id).execute();
  await db.deleteFrom("request").where("id", "=", id).execute();
}

const counter = "request_number";

/** The next number of a request. A host never uses a number twice. */
export async function takeNumber(db: Db): Promise<string> {
  const number = String(Number((await findSetting(db, counter)) ?? 0) + 1);
  await storeSetting(db, counter, number);
  return number;
}

export const linkReview = (db: Db, draftId: string, requestId: string | null) =>
  db.updateTable("draft").set({ request_id: requestId }).where("id", "=", draftId).execute();

/** A published record that was not deleted. */
export const findRecord = (db: Db, id: string) =>
  db
    .selectFrom("record")
    .select(["id", "parent_id", "metadata", "access"])
    .where("id", "=", id)
    .where("tombstone", "is", null)
    .executeTakeFirst();

/** All requests on a record or draft. */
export const listOnTopic = (db: Db, recordId: string): Promise<RequestRow[]> =>
  db.selectFrom("request").selectAll().where("topic_record_id", "=", recordId).execute();

/** Open requests on a record: drafts and submitted ones. */
export const listOpenOnTopic = (db: Db, recordId: string) =>
  db
    .selectFrom("request")
    .select("id")
    .where("topic_record_id", "=", recordId)
    .where("status", "in", ["draft", "submitted"])
    .execute();

/** Open requests of which a user is a reviewer, also as a member of a group. */
export const listOpenReviewedBy = (db: Db, userId: string): Promise<RequestRow[]> =>
  db
    .selectFrom("request")
    .selectAll()
    .where("status", "in", ["draft", "submitted"])
    .where(reviewedBy(userId))
    .execute();

/** Submitted requests whose expiry has passed. */
export const listDue = (db: Db, now: number) =>
  db
    .selectFrom("request")
    .select("id")
    .where("status", "=", "submitted")
    .where("expires_at", "<=", now)
    .limit(100)
    .execute();

/** When the first of the submitted requests expires. */
export async function findNextExpiry(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom("request")
    .select((eb) => eb.fn.min("expires_at").as("next"))
    .where("status", "=", "submitted")
    .executeTakeFirst();
  return row?.next ?? undefined;
}

/** The reader of a list. `sees`: everything except the drafts of others, or everything. */
export interface Reader {
  userId: string;
  roles: readonly string[];
  sees: "own" | "sent" | "all";
}

const topicLevels = ["preview", "edit", "manage"];

/** Families on which a user has one of the levels: as owner, by grant, or as the server told this replica. */
function familiesAt(db: Db, { userId, roles }: Reader, levels: readonly string[]) {
  const granted = db
    .selectFrom("access_grant")
    .select("parent_id as id")
    .where("permission", "in", levels)
    .where((where) =>
      where.or([
        where.and([where("subject_type", "=", "user"), where("subject_id", "=", userId)]),
        where.and([where("subject_type", "=", "role"), where("subject_id", "in", [...roles, ""])]),
        where.and([
          where("subject_type", "=", "system_role"),
          where("subject_id", "in", ["any_user", "authenticated_user"]),
        ]),
      ]),
    );
  return db
    .selectFrom("parent")
    .select("id")
    .where((where) => where.or([where("owner_id", "=", userId), where("viewer_level", "in", levels)]))
    .union(granted);
}

/** All requests that the user may read (requests 3.1). */
export function listReadable(db: Db, reader: Reader): Promise<RequestRow[]> {
  const all = db.selectFrom("request").selectAll();
  if (reader.sees === "all") return all.execute();
  return all
    .where((where) => {
      const isSent = where("status", "!=", "draft");
      const isHers = where("creator_id", "=", reader.userId);
      const isAddressed = reviewedBy(reader.userId);
      const isForAccess = where("id", "in", db.selectFrom("access_request").select("request_id"));
      const isManaged = where("topic_parent_id", "in", familiesAt(db, reader, ["manage"]));
      const isPreviewed =
        reader.sees === "sent" ? isSent : where("topic_parent_id", "in", familiesAt(db, reader, topicLevels));
      const isShared = where.or([where.and([isPreviewed, where.not(isForAccess)]), isManaged]);
      const isForeign = where("id", "in", db.selectFrom("foreign_request").select("request_id"));
      return where.or([isHers, isForeign, where.and([isSent, where.or([isAddressed, isShared])])]);
    })
    .execute();
}

/** Queued operations on reviews that the feed has not confirmed, in order. */
export const listQueuedReviewOperations = (db: Db) =>
  db
    .selectFrom("operation")
    .innerJoin("draft", "draft.id", "operation.object_id")
    .select(["operation.kind", "operation.payload", "operation.created", "draft.id as draft_id", "draft.parent_id"])
    .where("operation.kind", "in", ["review.put", "review.delete"])
    .where("operation.state", "in", ["pending", "sending", "applied"])
    .orderBy("operation.position")
    .execute();

/** The highest number of a request here; 0 without any. */
export async function findHighestNumber(db: Db): Promise<number> {
  const row = await db
    .selectFrom("request")
    .select((eb) => eb.fn.max(eb.cast<number>("number", "integer")).as("highest"))
    .executeTakeFirst();
  return row?.highest ?? 0;
}

/** The id of a draft's queued review, which the server does not know yet. */
export async function findQueuedReviewId(db: Db, draftId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("operation")
    .select(["kind", "payload"])
    .where("kind", "in", ["review.put", "review.delete"])
    .where("object_id", "=", draftId)
    .where("state", "in", ["pending", "sending"])
    .orderBy("position", "desc")
    .executeTakeFirst();
  return row?.kind === "review.put" ? (JSON.parse(row.payload) as PutReview).id : undefined;
}

const unconfirmed = ["pending", "sending", "applied"] as const;

/**
 * Queued actions on a request or review that the feed has not confirmed, in order. `review.submit` names the draft: it
 * submits the review that was queued last before it, and without one the review that the server knows.
 */
export async function listQueuedActions(db: Db, { id, topic_record_id }: Pick<RequestRow, "id" | "topic_record_id">) {
  const queued = await db
    .selectFrom("operation")
    .select(["kind", "payload", "state", "created"])
    .where("kind", "in", [...Object.values(actionCommands).map(({ name }) => name), "review.submit", "review.put"])
    .where("object_id", "in", [id, topic_record_id])
    .where("state", "in", unconfirmed)
    .orderBy("position")
    .execute();
  const putOf = ({ kind, payload }: { kind: string; payload: string }) =>
    kind === "review.put" ? (JSON.parse(payload) as PutReview).id : undefined;
  let reviewed = queued.some((operation) => putOf(operation) === id) ? undefined : id;
  return queued.filter((operation) => {
    reviewed = putOf(operation) ?? reviewed;
    return operation.kind !== "review.put" && (operation.kind !== "review.submit" || reviewed === id);
  });
}

/** Whether the publication of a draft is queued and not confirmed by the feed. */
export async function isToBePublished(db: Db, draftId: string): Promise<boolean> {
  const queued = db.selectFrom("operation").select("id").where("kind", "=", "draft.publish");
  return (
    (await queued.where("object_id", "=", draftId).where("state", "in", unconfirmed).executeTakeFirst()) !== undefined
  );
}
