import { useTranslation } from "react-i18next";
import { dropReviewed, keepReviewed } from "../../api-client/desk.ts";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { actOnRequest, type RequestAction } from "../../api-client/requests.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { RichTextEditor } from "../../components/rich-text-editor.tsx";
import { showFailure, showToast } from "../../components/toast-queue.ts";
import { type Attaching, AttachingList } from "./attachments.tsx";
import { type CommentEditor, useSending } from "./comment-drafts.ts";
import styles from "./request.module.css";

/** What a reviewer decided on is kept, to show what changes afterwards; an accepted draft has no afterwards. */
const rememberReview = (draftId: string, action: RequestAction) =>
  action === "accept" ? dropReviewed(draftId) : keepReviewed(draftId);

/** Asks before a decision. What was written in the conversation goes with it, and can still be changed here. */
export function DecisionDialog({
  request,
  action,
  editor,
  attaching,
  isAway,
  isReviewer,
  onClose,
}: {
  request: ReviewRequest;
  action: RequestAction;
  /** Absent in a locked conversation: then the decision goes without words. */
  editor: CommentEditor | undefined;
  attaching: Attaching;
  isAway: boolean;
  isReviewer: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { send, isPending, error } = useSending(editor, (draft) => actOnRequest(request.id, action, draft), {
    onSent: (body) => {
      if (isReviewer) rememberReview(request.topic.record, action).catch(showFailure);
      onClose();
      showToast({ tone: "ok", text: t(body.sync ? "request.will_be_sent" : `request.done.${action}`) });
    },
  });
  const isReady =
    !attaching.isBusy && (editor === undefined || editor.draft.content !== "" || editor.draft.files.length === 0);
  const decide = () => isReady && !isPending && send();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      isPending={isPending}
      title={t(`request.ask.${action}`)}
      actions={
        <>
          <Button isDisabled={isPending} onPress={onClose}>
            {t("action.close")}
          </Button>
          <Button
            variant={action === "decline" ? "danger" : "primary"}
            isDisabled={!isReady}
            isPending={isPending}
            onPress={decide}
          >
            {t(`request.action.${action}`)}
          </Button>
        </>
      }
    >
      <p>{t(`request.means.${action}`)}</p>
      {editor && (
        <div className={styles.compose}>
          <RichTextEditor
            label={t("request.with_comment")}
            short
            autoFocus
            value={editor.draft.content}
            onChange={editor.write}
            onSubmit={decide}
          />
          <AttachingList files={editor.draft.files} attaching={attaching} />
          {!isReady && <p className={styles.note}>{t("request.words_needed")}</p>}
        </div>
      )}
      {isAway && <InlineNotice tone="local">{t("request.offline")}</InlineNotice>}
      {error && <InlineNotice tone="danger">{error.message}</InlineNotice>}
    </Dialog>
  );
}
