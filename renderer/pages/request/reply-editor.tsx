import { useTranslation } from "react-i18next";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { addComment } from "../../api-client/requests.ts";
import { Button } from "../../components/button.tsx";
import { showFailure } from "../../components/toast-queue.ts";
import { useAttaching } from "./attachments.tsx";
import { useCommentDraft, useSending } from "./comment-drafts.ts";
import { EditorBox, isSendable } from "./editor-box.tsx";

/** Storage place of a reply. */
export const replyPlace = (parent: string) => `reply-${parent}`;

/** The editor of a reply. Closing keeps its text. */
export function ReplyEditor({
  request,
  parent,
  onClose,
}: {
  request: ReviewRequest;
  parent: string;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const editor = useCommentDraft(request.id, replyPlace(parent));
  const attaching = useAttaching(request.id, editor);
  const { send, isPending } = useSending(editor, (draft) => addComment(request.id, draft, parent), {
    onSent: (_, isDone) => isDone && onClose(),
    onFailed: showFailure,
  });
  return (
    <EditorBox
      request={request}
      label={t("request.your_reply")}
      editor={editor}
      attaching={attaching}
      onSubmit={send}
      isShort
      autoFocus
    >
      <Button variant="primary" isDisabled={!isSendable(editor, attaching)} isPending={isPending} onPress={send}>
        {t("request.send_reply")}
      </Button>
      <Button variant="quiet" isDisabled={isPending} onPress={onClose}>
        {t("action.close")}
      </Button>
    </EditorBox>
  );
}
