import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { addComment } from "../../api-client/requests.ts";
import { Button } from "../../components/button.tsx";
import { RichTextEditor } from "../../components/rich-text-editor.tsx";
import { showFailure } from "../../components/toast-queue.ts";
import { useReplyDraft } from "./comment-drafts.ts";
import styles from "./request.module.css";

/** A reply being written under one comment. */
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
  const [text, setText] = useReplyDraft(request.id, parent);
  const send = useMutation({
    mutationFn: () => addComment(request.id, text, parent),
    onSuccess: () => {
      setText("");
      onClose();
    },
    onError: showFailure,
  });
  return (
    <div className={styles.compose}>
      <RichTextEditor
        label={t("request.reply")}
        hideLabel
        short
        value={text}
        onChange={setText}
        onSubmit={() => text && send.mutate()}
      />
      <div className={styles.composeFoot}>
        <Button small variant="primary" isDisabled={!text} isPending={send.isPending} onPress={() => send.mutate()}>
          {t("request.reply")}
        </Button>
        <Button small variant="quiet" onPress={onClose}>
          {t("action.close")}
        </Button>
      </div>
    </div>
  );
}
