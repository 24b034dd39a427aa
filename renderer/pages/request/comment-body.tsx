import { useMutation, useQuery } from "@tanstack/react-query";
import { Link2, PencilLine, Quote, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RequestEvent, ReviewRequest } from "../../api-client/request-types.ts";
import { deleteComment, editComment } from "../../api-client/requests.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { type MenuAction, MenuButton } from "../../components/menu.tsx";
import { RichText } from "../../components/rich-text.tsx";
import { RichTextEditor } from "../../components/rich-text-editor.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { showFailure, showToast } from "../../components/toast-queue.ts";
import { formatAgo, formatFull } from "../../format/times.ts";
import { workState } from "../library/work-state.ts";
import styles from "./request.module.css";

export interface CommentBodyProps {
  request: ReviewRequest;
  comment: RequestEvent;
  name: string;
  onQuote: (html: string) => void;
  isReply?: boolean;
}

/** Author, time, state if unsent, the words, and what one may do with them. */
export function CommentBody({ request, comment, name, onQuote, isReply = false }: CommentBodyProps) {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const [doing, setDoing] = useState<"edit" | "delete" | null>(null);
  const content = comment.payload.content ?? "";
  const remove = useMutation({
    mutationFn: () => deleteComment(request.id, comment.id),
    onError: showFailure,
    onSettled: () => setDoing(null),
  });
  const link = `${location.origin}/me/requests/${request.id}#commentevent-${comment.parent_id ? `${comment.parent_id}_` : ""}${comment.id}`;
  const copyLink = () =>
    void navigator.clipboard.writeText(link).then(() => showToast({ tone: "ok", text: t("action.copied") }));
  const actions: MenuAction[] = [
    { id: "quote", label: t("request.quote"), icon: Quote, onAction: () => onQuote(content) },
    { id: "link", label: t("request.copy_link"), icon: Link2, onAction: copyLink },
    ...(comment.permissions?.can_update_comment
      ? [{ id: "edit", label: t("action.edit"), icon: PencilLine, onAction: () => setDoing("edit") }]
      : []),
    ...(comment.permissions?.can_delete_comment
      ? [
          {
            id: "delete",
            label: t("action.delete"),
            icon: Trash2,
            isDangerous: true,
            onAction: () => setDoing("delete"),
          },
        ]
      : []),
  ];
  return (
    <>
      <div className={isReply ? styles.replyHead : styles.boxHead}>
        <span className={styles.name}>{name}</span>
        <time className={styles.time} dateTime={comment.created} title={formatFull(comment.created)}>
          {formatAgo(comment.created)}
        </time>
        {comment.revision_id > 1 && <span className={styles.time}>{t("request.edited")}</span>}
        {comment.sync && <StateWord state={workState(comment.sync, status)} reason={comment.sync.message} />}
        <span className={styles.push} />
        <MenuButton label={t("request.comment_more", { name })} actions={actions} />
      </div>
      <div className={isReply ? "" : styles.body}>
        {doing === "edit" ? (
          <EditForm request={request} comment={comment} onClose={() => setDoing(null)} />
        ) : (
          <RichText html={content} />
        )}
      </div>
      <ConfirmDialog
        title={t("request.delete_title")}
        isOpen={doing === "delete"}
        onClose={() => setDoing(null)}
        onConfirm={() => remove.mutate()}
        isPending={remove.isPending}
        confirmLabel={t("action.delete")}
        isDangerous
      >
        {t("request.delete_body")}
      </ConfirmDialog>
    </>
  );
}

function EditForm({
  request,
  comment,
  onClose,
}: {
  request: ReviewRequest;
  comment: RequestEvent;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState(comment.payload.content ?? "");
  const save = useMutation({
    mutationFn: () => editComment(request.id, comment.id, text),
    onSuccess: onClose,
    onError: showFailure,
  });
  return (
    <div className={styles.compose}>
      <RichTextEditor
        label={t("request.comment")}
        hideLabel
        short
        value={text}
        onChange={setText}
        onSubmit={() => text && save.mutate()}
      />
      <div className={styles.composeFoot}>
        <Button small variant="primary" isDisabled={!text} isPending={save.isPending} onPress={() => save.mutate()}>
          {t("action.save")}
        </Button>
        <Button small variant="quiet" onPress={onClose}>
          {t("action.cancel")}
        </Button>
      </div>
    </div>
  );
}
