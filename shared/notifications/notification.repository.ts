import type { Db } from "../database/open.ts";
import type { JobRow, NotificationRow } from "../database/schema.ts";

export const insertNotification = (db: Db, row: NotificationRow) => db.insertInto("notification").values(row).execute();

export const listNotifications = (db: Db, userId: string, page: { limit: number; offset: number }) =>
  db
    .selectFrom("notification")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created", "desc")
    .orderBy("id", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();

export async function countNotifications(db: Db, userId: string): Promise<{ total: number; unread: number }> {
  const row = await db
    .selectFrom("notification")
    .select((expression) => [
      expression.fn.countAll<number>().as("total"),
      expression.fn.sum<number | null>("is_read").as("read"),
    ])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const total = row?.total ?? 0;
  return { total, unread: total - (row?.read ?? 0) };
}

export async function listUnreadIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("notification")
    .select("id")
    .where("user_id", "=", userId)
    .where("is_read", "=", 0)
    .execute();
  return rows.map((row) => row.id);
}

/** A user's notifications of one kind about a comment, or about a request as a whole. */
export const listLike = (
  db: Db,
  { user_id, kind, request_id, comment_id }: Pick<NotificationRow, "user_id" | "kind" | "request_id" | "comment_id">,
): Promise<NotificationRow[]> =>
  db
    .selectFrom("notification")
    .selectAll()
    .where("user_id", "=", user_id)
    .where("kind", "=", kind)
    .where("request_id", "=", request_id)
    .where("comment_id", comment_id === null ? "is" : "=", comment_id)
    .execute();

/** The given ids that belong to the user and are unread. */
export async function listUnreadAmong(db: Db, userId: string, ids: readonly string[]): Promise<string[]> {
  const unread = new Set(await listUnreadIds(db, userId));
  return [...new Set(ids)].filter((id) => unread.has(id));
}

export async function markRead(db: Db, ids: readonly string[]): Promise<void> {
  for (const id of ids) await db.updateTable("notification").set({ is_read: 1 }).where("id", "=", id).execute();
}

/** Deletes the notifications about a request. @returns their ids. */
export async function deleteOfRequest(db: Db, requestId: string): Promise<string[]> {
  const rows = await db.deleteFrom("notification").where("request_id", "=", requestId).returning("id").execute();
  return rows.map((row) => row.id);
}

export const insertJob = (db: Db, row: JobRow) => db.insertInto("job").values(row).execute();
