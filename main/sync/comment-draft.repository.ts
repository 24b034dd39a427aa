import { type CommentDraft, isBlank } from "../../shared/comments/comment-draft.schema.ts";
import type { Db } from "../../shared/database/open.ts";

/** One row of `setting` for each editor of a request. */
const nameOf = (requestId: string, place: string): string => `unsent-comment.${requestId}.${place}`;

/**
 * The unsent text and files of an editor.
 * @param place empty for the conversation itself, else the name of the editor, such as a reply's.
 */
export async function readCommentDraft(db: Db, requestId: string, place: string): Promise<CommentDraft> {
  const name = nameOf(requestId, place);
  const row = await db.selectFrom("setting").select("value").where("name", "=", name).executeTakeFirst();
  return row === undefined ? { content: "", files: [] } : JSON.parse(row.value);
}

export async function keepCommentDraft(db: Db, requestId: string, place: string, draft: CommentDraft): Promise<void> {
  const name = nameOf(requestId, place);
  if (isBlank(draft)) {
    await db.deleteFrom("setting").where("name", "=", name).execute();
    return;
  }
  const value = JSON.stringify(draft);
  await db
    .insertInto("setting")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
