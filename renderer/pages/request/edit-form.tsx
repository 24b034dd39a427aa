import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { contentOfComment } from "../../api-client/attachments.ts";
import type { RequestEvent, ReviewRequest } from "../../api-client/request-types.ts";
import { editComment } from "../../api-client/requests.ts";
import { Button } from "../../components/button.tsx";
import { Busy } from "../../components/notice.tsx";
import { useChange } from "../../components/use-change.ts";
import { useAttaching } from "./attachments.tsx";
import { useCommentDraft } from "./comment-drafts.ts";
import { EditorBox, isSendable } from "./editor-box.tsx";

/** Edits a comment. The text is stored like any unsent text until it is saved or dropped. */
export function EditForm({
  request,
  comment,
  onClose,
}: {
  request: ReviewRequest;
  comment: RequestEvent;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const standing = useMemo(() => contentOfComment(comment), [comment]);
  const editor = useCommentDraft(request.id, `edit-${comment.id}`, standing);
  const attaching = useAttaching(request.id, editor, standing.files);
  const close = () => {
    editor.clear();
    onClose();
  };
  const giveUp = () => {
    for (const file of editor.draft.files) if (!standing.files.some(({ id }) => id === file.id)) attaching.remove(file);
    close();
  };
  const save = useChange(() => editComment(request.id, comment.id, editor.draft), { onSuccess: close });
  if (save.isPending) return <Busy />;
  return (
    <EditorBox
      request={request}
      label={t("request.your_edit")}
      editor={editor}
      attaching={attaching}
      onSubmit={() => save.mutate()}
      isShort
      autoFocus
    >
      <Button variant="primary" isDisabled={!isSendable(editor, attaching)} onPress={() => save.mutate()}>
        {t("action.save")}
      </Button>
      <Button variant="quiet" onPress={giveUp}>
        {t("action.cancel")}
      </Button>
    </EditorBox>
  );
}
