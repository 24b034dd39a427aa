import type { Db } from "../database/open.ts";
import type { CommentDraftRow } from "../database/schema.ts";

/** Which editor of whom. */
export type EditorKey = Omit<CommentDraftRow, "draft">;

export async function findCommentDraft(db: Db, key: EditorKey): Promise<string | undefined> {
  const row = await db
    .selectFrom("comment_draft")
    .select("draft")
    .where("user_id", "=", key.user_id)
    .where("request_id", "=", key.request_id)
    .where("place", "=", key.place)
    .executeTakeFirst();
  return row?.draft;
}

export const upsertCommentDraft = (db: Db, row: CommentDraftRow) =>
  db
    .insertInto("comment_draft")
    .values(row)
    .onConflict((known) => known.columns(["user_id", "request_id", "place"]).doUpdateSet({ draft: row.draft }))
    .execute();

export const deleteCommentDraft = (db: Db, key: EditorKey) =>
  db
    .deleteFrom("comment_draft")
    .where("user_id", "=", key.user_id)
    .where("request_id", "=", key.request_id)
    .where("place", "=", key.place)
    .execute();

export async function countCommentDrafts(db: Db, owner: string): Promise<number> {
  const { count } = await db
    .selectFrom("comment_draft")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("user_id", "=", owner)
    .executeTakeFirstOrThrow();
  return count;
}
