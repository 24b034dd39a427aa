import { sql } from "kysely";
import type { Db } from "../database/open.ts";
import type { EventFileRow, EventRow } from "../database/schema.ts";

export const findEvent = (db: Db, requestId: string, id: string): Promise<EventRow | undefined> =>
  db.selectFrom("event").selectAll().where("id", "=", id).where("request_id", "=", requestId).executeTakeFirst();

/**
 * Events below one parent, or at the top level, in the order of writing. Their times give no order, since the clock may
 * have been set back.
 */
export const listEvents = (db: Db, requestId: string, parentId: string | null): Promise<EventRow[]> =>
  db
    .selectFrom("event")
    .selectAll()
    .where("request_id", "=", requestId)
    .where("parent_id", parentId === null ? "is" : "=", parentId)
    .orderBy("position")
    .execute();

export const listNewestReplies = (db: Db, requestId: string, parentId: string, limit: number): Promise<EventRow[]> =>
  db
    .selectFrom("event")
    .selectAll()
    .where("request_id", "=", requestId)
    .where("parent_id", "=", parentId)
    .orderBy("position", "desc")
    .limit(limit)
    .execute();

export async function countReplies(db: Db, requestId: string, parentId: string): Promise<number> {
  const row = await db
    .selectFrom("event")
    .select((expression) => expression.fn.countAll<number>().as("count"))
    .where("request_id", "=", requestId)
    .where("parent_id", "=", parentId)
    .executeTakeFirst();
  return row?.count ?? 0;
}

/** The newest live comment, replies included. */
export const findNewestComment = (db: Db, requestId: string): Promise<EventRow | undefined> =>
  db
    .selectFrom("event")
    .selectAll()
    .where("request_id", "=", requestId)
    .where("type", "=", "C")
    .orderBy("position", "desc")
    .executeTakeFirst();

export async function nextPosition(db: Db, requestId: string): Promise<number> {
  const row = await db
    .selectFrom("event")
    .select(sql<number | null>`max(position)`.as("last"))
    .where("request_id", "=", requestId)
    .executeTakeFirst();
  return (row?.last ?? 0) + 1;
}

export const insertEvent = (db: Db, row: EventRow) => db.insertInto("event").values(row).execute();

export const updateEvent = (db: Db, id: string, change: Partial<EventRow>) =>
  db.updateTable("event").set(change).where("id", "=", id).execute();

/** Ids of the authors of live comments. */
export async function listAuthors(db: Db, requestId: string, thread?: string): Promise<string[]> {
  let query = db
    .selectFrom("event")
    .select("creator_id")
    .distinct()
    .where("request_id", "=", requestId)
    .where("type", "=", "C");
  if (thread !== undefined) {
    query = query.where((where) => where.or([where("id", "=", thread), where("parent_id", "=", thread)]));
  }
  return (await query.execute()).map((row) => row.creator_id);
}

export const listFilesOfEvents = (db: Db, eventIds: readonly string[]): Promise<EventFileRow[]> =>
  eventIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom("event_file")
        .selectAll()
        .where("event_id", "in", [...eventIds])
        .orderBy("created")
        .orderBy("id")
        .execute();

export const findFile = (
  db: Db,
  requestId: string,
  by: "id" | "key",
  value: string,
): Promise<EventFileRow | undefined> =>
  db.selectFrom("event_file").selectAll().where("request_id", "=", requestId).where(by, "=", value).executeTakeFirst();

export const insertFile = (db: Db, row: EventFileRow) => db.insertInto("event_file").values(row).execute();

export const setEventOfFile = (db: Db, id: string, eventId: string) =>
  db.updateTable("event_file").set({ event_id: eventId }).where("id", "=", id).execute();

export const deleteFile = (db: Db, id: string) => db.deleteFrom("event_file").where("id", "=", id).execute();

/** Deletes the files of a comment that are not in `keptIds`. */
export const deleteFilesExcept = (db: Db, eventId: string, keptIds: readonly string[]) =>
  db
    .deleteFrom("event_file")
    .where("event_id", "=", eventId)
    .where("id", "not in", [...keptIds, ""])
    .execute();

/** Conversations that have a file of these bytes. */
export async function listRequestsWithBytes(db: Db, sha256: string): Promise<string[]> {
  const rows = await db
    .selectFrom("event_file")
    .select("request_id")
    .distinct()
    .where("sha256", "=", sha256)
    .limit(100)
    .execute();
  return rows.map((row) => row.request_id);
}

/** Bytes uploaded to one conversation. */
export async function sumFiles(db: Db, requestId: string): Promise<number> {
  const row = await db
    .selectFrom("event_file")
    .select(sql<number | null>`sum(size)`.as("bytes"))
    .where("request_id", "=", requestId)
    .executeTakeFirst();
  return row?.bytes ?? 0;
}

export const rememberBlob = (db: Db, blob: { sha256: string; md5: string; size: number; now: number }) =>
  db
    .insertInto("blob")
    .values({
      sha256: blob.sha256,
      md5: blob.md5,
      size: blob.size,
      state: "present",
      created: blob.now,
      used: blob.now,
    })
    .onConflict((conflict) => conflict.column("sha256").doUpdateSet({ state: "present", used: blob.now }))
    .execute();

/** Sets the last activity: the request's last change or its newest live comment, whichever is later. */
export const touchActivity = (db: Db, requestId: string) =>
  db
    .updateTable("request")
    .set({
      last_activity_at: sql<number>`max(updated, coalesce((select max(created) from event where request_id = ${requestId} and type = 'C'), 0))`,
    })
    .where("id", "=", requestId)
    .execute();
