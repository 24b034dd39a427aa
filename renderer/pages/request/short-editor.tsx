import { useTranslation } from "react-i18next";
import type { CommentDraft } from "../../../shared/comments/comment-draft.schema.ts";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { Button } from "../../components/button.tsx";
import { showFailure } from "../../components/toast-queue.ts";
import { useAttaching } from "./attachments.tsx";
import { useCommentDraft, useSending } from "./comment-drafts.ts";
import { EditorBox, isSendable } from "./editor-box.tsx";

interface ShortEditorProps {
  request: ReviewRequest;
  /** Storage place of the unsent text. */
  place: string;
  label: string;
  sendLabel: string;
  send: (draft: CommentDraft) => Promise<unknown>;
  onClose: () => void;
}

/** The small editor of a reply, or of a comment on a field or file. Closing keeps its text. */
export function ShortEditor({ request, place, label, sendLabel, send: sendDraft, onClose }: ShortEditorProps) {
  const { t } = useTranslation();
  const editor = useCommentDraft(request.id, place);
  const attaching = useAttaching(request.id, editor);
  const { send, isPending } = useSending(editor, sendDraft, {
    onSent: (_, isDone) => isDone && onClose(),
    onFailed: showFailure,
  });
  return (
    <EditorBox request={request} label={label} editor={editor} attaching={attaching} onSubmit={send} isShort autoFocus>
      <Button variant="primary" isDisabled={!isSendable(editor, attaching)} isPending={isPending} onPress={send}>
        {sendLabel}
      </Button>
      <Button variant="quiet" isDisabled={isPending} onPress={onClose}>
        {t("action.close")}
      </Button>
    </EditorBox>
  );
}
