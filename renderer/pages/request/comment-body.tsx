import { useQuery } from "@tanstack/react-query";
import { Link2, PencilLine, Quote, Trash2, Undo2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CommentDraft } from "../../../shared/comments/comment-draft.schema.ts";
import { contentOfComment, keptFile } from "../../api-client/attachments.ts";
import { isSuperuser, personQuery } from "../../api-client/people.ts";
import type { RequestEvent, ReviewRequest } from "../../api-client/request-types.ts";
import { deleteComment } from "../../api-client/requests.ts";
import { syncStatusQuery, withdrawOperation } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { copyText } from "../../components/copy-text.ts";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { type MenuAction, MenuButton } from "../../components/menu.tsx";
import { RichText } from "../../components/rich-text.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { useChange } from "../../components/use-change.ts";
import { formatAgo, formatFull } from "../../format/times.ts";
import { workState } from "../library/work-state.ts";
import { AttachmentList } from "./attachments.tsx";
import { EditForm } from "./edit-form.tsx";
import { PlaceLink } from "./place-link.tsx";
import styles from "./request.module.css";

export interface CommentBodyProps {
  request: ReviewRequest;
  comment: RequestEvent;
  name: string;
  onQuote: (html: string) => void;
  /** Puts the text and files back into the editor; undefined if the comment cannot be withdrawn. */
  onTakenBack: ((draft: CommentDraft) => void) | undefined;
  isReply?: boolean;
}

/** The comment's address on the server, where every reader finds it. */
function copyLink(server: string | null | undefined, request: ReviewRequest, comment: RequestEvent) {
  const { id, parent_id } = comment;
  const link = `${server ?? location.origin}/me/requests/${request.id}#commentevent-${parent_id ? `${parent_id}_` : ""}${id}`;
  void copyText(link);
}

/** Author, time, sync state, text, and actions. */
export function CommentBody({ request, comment, name, onQuote, onTakenBack, isReply = false }: CommentBodyProps) {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const { data: person } = useQuery(personQuery);
  const [doing, setDoing] = useState<"edit" | "delete" | null>(null);
  const menu = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    // Returns the keyboard focus after editing, unless the user moved it.
    if (wasEditing.current && doing !== "edit" && document.activeElement === document.body) menu.current?.focus();
    wasEditing.current = doing === "edit";
  }, [doing]);
  const content = comment.payload.content ?? "";
  const may = comment.permissions;
  const actions: MenuAction[] = [
    { id: "quote", label: t("request.quote"), icon: Quote, onAction: () => onQuote(content) },
    {
      id: "link",
      label: t("request.copy_link"),
      icon: Link2,
      onAction: () => copyLink(status?.server, request, comment),
    },
  ];
  if (may?.can_update_comment)
    actions.push({ id: "edit", label: t("action.edit"), icon: PencilLine, onAction: () => setDoing("edit") });
  // A reviewer may delete any comment (requests 3.1), but is not tempted to delete the author's.
  if (may?.can_delete_comment && (comment.created_by.user === person?.id || isSuperuser(person)))
    actions.push({
      id: "delete",
      label: t("action.delete"),
      icon: Trash2,
      isDangerous: true,
      onAction: () => setDoing("delete"),
    });
  return (
    <>
      <div className={isReply ? styles.replyHead : styles.boxHead}>
        <span className={styles.name}>{name}</span>
        <time className={styles.time} dateTime={comment.created} title={formatFull(comment.created)}>
          {formatAgo(comment.created)}
        </time>
        {comment.updated !== comment.created && <span className={styles.time}>{t("request.edited")}</span>}
        {comment.sync && <StateWord state={workState(comment.sync, status)} reason={comment.sync.message} />}
        {onTakenBack && <TakeBack comment={comment} onTakenBack={onTakenBack} />}
        <span className={styles.push} />
        <MenuButton ref={menu} label={t("request.comment_more", { name })} actions={actions} />
      </div>
      <div className={isReply ? "" : styles.body}>
        {doing === "edit" ? (
          <EditForm request={request} comment={comment} onClose={() => setDoing(null)} />
        ) : (
          <>
            <PlaceLink request={request} comment={comment} />
            <div data-quotable>
              <RichText html={content} />
            </div>
            <AttachmentList request={request.id} files={(comment.expanded?.files ?? []).map(keptFile)} />
          </>
        )}
      </div>
      {doing === "delete" && <DeleteDialog request={request} comment={comment} onClose={() => setDoing(null)} />}
    </>
  );
}

/** Withdraws an unsent comment, to rewrite or drop it. */
function TakeBack({ comment, onTakenBack }: { comment: RequestEvent; onTakenBack: (draft: CommentDraft) => void }) {
  const { t } = useTranslation();
  const unsent = comment.sync?.operations.find(({ kind }) => kind === "comment.create");
  const withdraw = useChange(withdrawOperation, {
    onSuccess: () => onTakenBack(contentOfComment(comment)),
  });
  if (!unsent || comment.sync?.state !== "pending") return null;
  return (
    <Button small variant="link" icon={Undo2} isPending={withdraw.isPending} onPress={() => withdraw.mutate(unsent.id)}>
      {t("request.take_back")}
    </Button>
  );
}

function DeleteDialog({
  request,
  comment,
  onClose,
}: {
  request: ReviewRequest;
  comment: RequestEvent;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const isUnsent = comment.sync?.operations.some(({ kind }) => kind === "comment.create") ?? false;
  const remove = useChange(() => deleteComment(request.id, comment.id), { onSettled: onClose });
  return (
    <ConfirmDialog
      title={t("request.delete_title")}
      isOpen
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending}
      confirmLabel={t("action.delete")}
      isDangerous
    >
      {t(isUnsent ? "request.delete_unsent" : "request.delete_body")}
    </ConfirmDialog>
  );
}
