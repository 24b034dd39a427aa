import { type Db, transaction } from "../database/open.ts";
import { Failure } from "../kernel/failure.ts";
import {
  countCommentDrafts,
  deleteCommentDraft,
  type EditorKey,
  findCommentDraft,
  upsertCommentDraft,
} from "./comment-draft.repository.ts";
import { type CommentDraft, isBlank } from "./comment-draft.schema.ts";
import { mergeCommentDrafts } from "./comment-draft-merge.ts";

/** One editor: whose, of which request, and its place, which is empty for the conversation itself. */
export interface Editor {
  owner: string;
  request: string;
  place: string;
}

/** Unsent comments, shared by all windows of their owner. */
export interface CommentDrafts {
  read(editor: Editor): Promise<CommentDraft>;
  /**
   * Stores the content of an editor.
   * @param base the stored content that the window last saw. Later changes of another window are merged; without a base
   * they are replaced.
   * @returns the stored content.
   * @throws Failure 400 if the owner has too many unsent comments.
   */
  keep(editor: Editor, draft: CommentDraft, base?: CommentDraft): Promise<CommentDraft>;
}

/** Unsent comments of one owner. */
const maxDrafts = 500;

const keyOf = ({ owner, request, place }: Editor): EditorKey => ({ user_id: owner, request_id: request, place });

async function readDraft(db: Db, editor: Editor): Promise<CommentDraft> {
  const stored = await findCommentDraft(db, keyOf(editor));
  return stored === undefined ? { content: "", files: [] } : JSON.parse(stored);
}

async function keepDraft(db: Db, editor: Editor, draft: CommentDraft): Promise<void> {
  const key = keyOf(editor);
  if (isBlank(draft)) await deleteCommentDraft(db, key);
  else {
    const isNew = (await findCommentDraft(db, key)) === undefined;
    if (isNew && (await countCommentDrafts(db, editor.owner)) >= maxDrafts)
      throw new Failure("invalid", `At most ${maxDrafts} unsent comments can be kept. Send or clear some first.`);
    await upsertCommentDraft(db, { ...key, draft: JSON.stringify(draft) });
  }
}

/** @param onChanged called with the editor after its content changed. */
export function createCommentDrafts(db: Db, onChanged: (editor: Editor) => void): CommentDrafts {
  return {
    read: (editor) => readDraft(db, editor),
    async keep(editor, draft, base) {
      const { before, kept } = await transaction(db, async (tx) => {
        const before = await readDraft(tx, editor);
        const kept = base ? mergeCommentDrafts(base, draft, before) : draft;
        await keepDraft(tx, editor, kept);
        return { before, kept };
      });
      if (JSON.stringify(kept) !== JSON.stringify(before)) onChanged(editor);
      return kept;
    },
  };
}
