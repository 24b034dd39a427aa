import type { CommentDraft } from "../../shared/comments/comment-draft.schema.ts";
import { mergeCommentDrafts } from "../../shared/comments/comment-draft-merge.ts";
import { type Db, transaction } from "../../shared/database/open.ts";
import { keepCommentDraft, readCommentDraft } from "./comment-draft.repository.ts";

/** Unsent comments, shared by all windows of this computer. */
export interface CommentDrafts {
  read(request: string, place: string): Promise<CommentDraft>;
  /**
   * Stores the content of an editor.
   * @param place empty for the conversation itself, else the name of the editor, such as a reply's.
   * @param base the stored content that the window last saw. Later changes of another window are merged; without a base
   * they are replaced.
   * @returns the stored content.
   */
  keep(request: string, place: string, draft: CommentDraft, base?: CommentDraft): Promise<CommentDraft>;
}

/** @param onChanged called with the request after the content of one of its editors changed. */
export function createCommentDrafts(db: Db, onChanged: (request: string) => void): CommentDrafts {
  return {
    read: (request, place) => readCommentDraft(db, request, place),
    async keep(request, place, draft, base) {
      const { before, kept } = await transaction(db, async (tx) => {
        const before = await readCommentDraft(tx, request, place);
        const kept = base ? mergeCommentDrafts(base, draft, before) : draft;
        await keepCommentDraft(tx, request, place, kept);
        return { before, kept };
      });
      if (JSON.stringify(kept) !== JSON.stringify(before)) onChanged(request);
      return kept;
    },
  };
}
