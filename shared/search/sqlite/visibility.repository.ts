import type { Db } from "../../database/open.ts";
import { reviewedBy } from "../../database/reviewed-by.ts";

/** Grants to subjects of one type. */
export const listGrantsTo = (
  db: Db,
  type: string,
  ids: readonly string[],
): Promise<{ parent_id: string; permission: string }[]> =>
  db
    .selectFrom("access_grant")
    .select(["parent_id", "permission"])
    .where("subject_type", "=", type)
    .where("subject_id", "in", [...ids])
    .execute();

export const listLinksWith = (db: Db, tokens: readonly string[]) =>
  db
    .selectFrom("access_link")
    .select(["parent_id", "permission", "expires_at"])
    .where("token", "in", [...tokens])
    .execute();

/** Ids of drafts whose submitted review is addressed to the person. */
export async function listReviewedDrafts(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("request")
    .innerJoin("draft", "draft.id", "request.topic_record_id")
    .select("draft.id")
    .where(reviewedBy(userId))
    .whereRef("draft.request_id", "=", "request.id")
    .where("request.status", "=", "submitted")
    .execute();
  return rows.map((row) => row.id);
}
