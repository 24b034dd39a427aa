import { useMutation, useQuery } from "@tanstack/react-query";
import { Check, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { actOnRequest, addComment, type RequestAction } from "../../api-client/requests.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { RichText } from "../../components/rich-text.tsx";
import { RichTextEditor } from "../../components/rich-text-editor.tsx";
import { showFailure, showToast } from "../../components/toast-queue.ts";
import styles from "./request.module.css";

/** The actions this person has now; a decision already queued offers none. */
function actionsFor(request: ReviewRequest, me: string): RequestAction[] {
  if (request.sync?.operations.some(({ kind }) => kind.startsWith("request."))) return [];
  const isCreator = request.created_by.user === me;
  const isReviewer = request.receiver.user === me;
  if (request.status === "draft") return isCreator ? ["submit", "cancel"] : [];
  if (request.status !== "submitted") return [];
  return [...(isReviewer ? (["decline", "accept"] as const) : []), ...(isCreator ? (["cancel"] as const) : [])];
}

/** Where a comment is written, and the decisions beside it. What is written is kept until it is sent. */
export function Compose({
  request,
  text,
  onChange,
}: {
  request: ReviewRequest;
  text: string;
  onChange: (html: string) => void;
}) {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const [asked, setAsked] = useState<RequestAction | null>(null);
  const send = useMutation({
    mutationFn: () => addComment(request.id, text),
    onSuccess: () => onChange(""),
    onError: showFailure,
  });
  const actions = actionsFor(request, status?.user?.id ?? "local");
  return (
    <div className={styles.compose} id="compose">
      {!request.is_locked && (
        <RichTextEditor
          label={t("request.comment")}
          value={text}
          onChange={onChange}
          onSubmit={() => text && send.mutate()}
        />
      )}
      <div className={styles.composeFoot}>
        {!request.is_locked && (
          <Button isDisabled={!text} isPending={send.isPending} onPress={() => send.mutate()}>
            {t("request.send_comment")}
          </Button>
        )}
        {text && <span className={styles.note}>{t("request.kept")}</span>}
        <span className={styles.push} />
        {actions.map((action) => (
          <Button
            key={action}
            variant={
              action === "accept" || action === "submit" ? "primary" : action === "decline" ? "danger" : "secondary"
            }
            icon={action === "accept" ? Check : X}
            onPress={() => setAsked(action)}
          >
            {t(`request.action.${action}`)}
          </Button>
        ))}
      </div>
      {asked && (
        <DecisionDialog
          request={request}
          action={asked}
          comment={request.is_locked ? "" : text}
          isAway={status !== undefined && !status.online}
          onClose={() => setAsked(null)}
          onDone={() => onChange("")}
        />
      )}
    </div>
  );
}

function DecisionDialog({
  request,
  action,
  comment,
  isAway,
  onClose,
  onDone,
}: {
  request: ReviewRequest;
  action: RequestAction;
  comment: string;
  isAway: boolean;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const act = useMutation({
    mutationFn: () => actOnRequest(request.id, action, comment),
    onSuccess: (body) => {
      onDone();
      onClose();
      showToast({ tone: "ok", text: t(body.sync ? "request.will_be_sent" : `request.done.${action}`) });
    },
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t(`request.ask.${action}`)}
      actions={
        <>
          <Button onPress={onClose}>{t("action.close")}</Button>
          <Button
            variant={action === "decline" ? "danger" : "primary"}
            isPending={act.isPending}
            onPress={() => act.mutate()}
          >
            {t(`request.action.${action}`)}
          </Button>
        </>
      }
    >
      <p>{t(`request.means.${action}`)}</p>
      {comment && (
        <div>
          <p className={styles.note}>{t("request.with_comment")}</p>
          <RichText html={comment} />
        </div>
      )}
      {isAway && <InlineNotice tone="local">{t("request.offline")}</InlineNotice>}
      {act.error && <InlineNotice tone="danger">{act.error.message}</InlineNotice>}
    </Dialog>
  );
}
