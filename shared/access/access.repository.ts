import type { Db } from "../database/open.ts";
import type { AccessGrantRow, AccessLinkRow, ParentRow } from "../database/schema.ts";

export const findParent = (db: Db, id: string): Promise<ParentRow | undefined> =>
  db.selectFrom("parent").selectAll().where("id", "=", id).executeTakeFirst();

export const listGrants = (db: Db, parentId: string): Promise<AccessGrantRow[]> =>
  db
    .selectFrom("access_grant")
    .selectAll()
    .where("parent_id", "=", parentId)
    .orderBy("created")
    .orderBy("id")
    .execute();

export const listLinksByToken = (db: Db, parentId: string, tokens: readonly string[]): Promise<AccessLinkRow[]> =>
  db
    .selectFrom("access_link")
    .selectAll()
    .where("parent_id", "=", parentId)
    .where("token", "in", [...tokens])
    .execute();

/** Whether a submitted review on this draft is addressed to the person. */
export async function isReviewerOf(db: Db, draftId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("draft")
    .innerJoin("request", "request.id", "draft.request_id")
    .select("request.id")
    .where("draft.id", "=", draftId)
    .where("request.receiver_id", "=", userId)
    .where("request.status", "=", "submitted")
    .executeTakeFirst();
  return row !== undefined;
}
