import type { Db } from "../database/open.ts";
import type { AccessConfirmationRow, AccessRequestRow } from "../database/schema.ts";
import type { Span } from "../kernel/timestamps.ts";

export const insertAccessRequest = (db: Db, row: AccessRequestRow) =>
  db.insertInto("access_request").values(row).execute();

/** The open request of a user, or of a guest by address, on a record. */
export async function findOpen(
  db: Db,
  recordId: string,
  by: { userId: string } | { email: string },
): Promise<string | undefined> {
  const open = db
    .selectFrom("access_request")
    .innerJoin("request", "request.id", "access_request.request_id")
    .select("request.id")
    .where("topic_record_id", "=", recordId)
    .where("status", "=", "submitted");
  const one = "userId" in by ? open.where("creator_id", "=", by.userId) : open.where("email", "=", by.email);
  return (await one.executeTakeFirst())?.id;
}

/** Counts the requests for access that a user made, on one record or on all. Includes withdrawn ones. */
export async function countRequests(db: Db, userId: string, within: Span, recordId?: string): Promise<number> {
  const requests = db
    .selectFrom("access_request")
    .innerJoin("request", "request.id", "access_request.request_id")
    .select((query) => query.fn.countAll<number>().as("count"))
    .where("creator_id", "=", userId)
    .where("request.created", ">", within.after)
    .where("request.created", "<", within.before);
  const of = recordId === undefined ? requests : requests.where("topic_record_id", "=", recordId);
  return (await of.executeTakeFirstOrThrow()).count;
}

export const insertConfirmation = (db: Db, row: AccessConfirmationRow) =>
  db.insertInto("access_confirmation").values(row).execute();

export const setRequestOf = (db: Db, confirmationId: string, requestId: string) =>
  db.updateTable("access_confirmation").set({ request_id: requestId }).where("id", "=", confirmationId).execute();

/** How many questions came in a time, from one address or from one network. */
export async function countConfirmations(
  db: Db,
  of: { email: string } | { network: string },
  within: Span,
): Promise<number> {
  const [column, value] = "email" in of ? (["email", of.email] as const) : (["network", of.network] as const);
  const { count } = await db
    .selectFrom("access_confirmation")
    .select((query) => query.fn.countAll<number>().as("count"))
    .where(column, "=", value)
    .where("created", ">", within.after)
    .where("created", "<", within.before)
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether the same question is there already, word for word, and is not confirmed yet. */
export async function isAsked(
  db: Db,
  question: Pick<AccessConfirmationRow, "record_id" | "email" | "full_name" | "message">,
  within: Span,
): Promise<boolean> {
  const same = await db
    .selectFrom("access_confirmation")
    .select("id")
    .where("email", "=", question.email)
    .where("record_id", "=", question.record_id)
    .where("full_name", "=", question.full_name)
    .where("message", "=", question.message)
    .where("request_id", "is", null)
    .where("created", ">", within.after)
    .where("created", "<", within.before)
    .executeTakeFirst();
  return same !== undefined;
}

/** Deletes questions that nobody confirmed, beyond the times in which they may end. */
export const deleteUnconfirmed = (db: Db, { after, before }: Span) =>
  db
    .deleteFrom("access_confirmation")
    .where("request_id", "is", null)
    .where((where) => where.or([where("expires_at", "<", after), where("expires_at", ">", before)]))
    .execute();
