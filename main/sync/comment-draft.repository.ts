import { type CommentDraft, isBlank } from "../../shared/comments/comment-draft.schema.ts";
import type { Db } from "../../shared/database/open.ts";
import { deleteSetting, findSetting, storeSetting } from "../../shared/database/setting.repository.ts";

/** One row of `setting` for each editor of a request. */
const nameOf = (requestId: string, place: string): string => `unsent-comment.${requestId}.${place}`;

/**
 * The unsent text and files of an editor.
 * @param place empty for the conversation itself, else the name of the editor, such as a reply's.
 */
export async function readCommentDraft(db: Db, requestId: string, place: string): Promise<CommentDraft> {
  const stored = await findSetting(db, nameOf(requestId, place));
  return stored === undefined ? { content: "", files: [] } : JSON.parse(stored);
}

export async function keepCommentDraft(db: Db, requestId: string, place: string, draft: CommentDraft): Promise<void> {
  const name = nameOf(requestId, place);
  if (isBlank(draft)) await deleteSetting(db, name);
  else await storeSetting(db, name, JSON.stringify(draft));
}
