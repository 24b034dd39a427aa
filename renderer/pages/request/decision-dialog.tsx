import { useTranslation } from "react-i18next";
import type { CommentDraft } from "../../../shared/comments/comment-draft.schema.ts";
import { dropReviewed, noteReviewed } from "../../api-client/desk.ts";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { actOnRequest, type RequestAction } from "../../api-client/requests.ts";
import type { whyAway } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { RichTextEditor } from "../../components/rich-text-editor.tsx";
import { showFailure, showToast } from "../../components/toast-queue.ts";
import { RequestStatusPill } from "../requests/request-status.tsx";
import { wordsOf } from "./action-words.ts";
import { type Attaching, AttachingList } from "./attachments.tsx";
import { type CommentEditor, useSending } from "./comment-drafts.ts";
import { useMentionable } from "./mentionable.ts";
import styles from "./request.module.css";

/** What is to be done with the note of the reviewed draft, to show later changes. An accepted draft has none. */
const reviewAfter = (draftId: string, action: RequestAction): (() => Promise<void>) =>
  action === "accept" ? () => dropReviewed(draftId) : noteReviewed(draftId);

/** Confirms a decision. The conversation's text goes with it and can be changed here. */
export function DecisionDialog({
  request,
  action,
  editor,
  attaching,
  away,
  isOffered,
  isReviewer,
  onClose,
}: {
  request: ReviewRequest;
  action: RequestAction;
  /** Undefined in a locked conversation: the decision has no text. */
  editor: CommentEditor | undefined;
  attaching: Attaching;
  away: ReturnType<typeof whyAway>;
  /** False once somebody else has answered. */
  isOffered: boolean;
  isReviewer: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const people = useMentionable(request);
  const deliver = async (draft: CommentDraft) => {
    const keep = isReviewer ? reviewAfter(request.topic.record, action) : undefined;
    return { body: await actOnRequest(request.id, action, draft), keep };
  };
  const { send, isPending, error } = useSending(editor, deliver, {
    onSent: ({ body, keep }) => {
      keep?.().catch(showFailure);
      onClose();
      showToast({ tone: "ok", text: t(body.sync ? "request.will_be_sent" : wordsOf(request, "done", action)) });
    },
  });
  const isOwed = action === "request-changes" && editor?.draft.content === "";
  const isReady =
    !isOwed &&
    !attaching.isBusy &&
    (editor === undefined || editor.draft.content !== "" || editor.draft.files.length === 0);
  const isLate = !isOffered && !isPending;
  const decide = () => isReady && !isPending && send();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      isPending={isPending}
      title={t(wordsOf(request, "ask", action))}
      actions={
        <>
          <Button isDisabled={isPending} onPress={onClose}>
            {t("action.close")}
          </Button>
          <Button
            variant={action === "decline" ? "danger" : "primary"}
            isDisabled={!isReady || isLate}
            isPending={isPending}
            onPress={decide}
          >
            {t(wordsOf(request, "action", action))}
          </Button>
        </>
      }
    >
      <p>{t(wordsOf(request, "means", action))}</p>
      {editor && (
        <div className={styles.compose}>
          <RichTextEditor
            label={t(action === "request-changes" ? "request.which_changes" : "request.with_comment")}
            short
            autoFocus
            people={people}
            value={editor.draft.content}
            onChange={editor.write}
            onSubmit={decide}
          />
          <AttachingList files={editor.draft.files} attaching={attaching} />
          {!isReady && !isOwed && <p className={styles.note}>{t("request.words_needed")}</p>}
        </div>
      )}
      {away && <InlineNotice tone="local">{t(`request.away.${away}`)}</InlineNotice>}
      {isLate && (
        <InlineNotice tone="warn">
          {t("request.answered")} <RequestStatusPill request={request} />
        </InlineNotice>
      )}
      {error && !isLate && <InlineNotice tone="danger">{error.message}</InlineNotice>}
    </Dialog>
  );
}
