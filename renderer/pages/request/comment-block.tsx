import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CommentDraft } from "../../../shared/comments/comment-draft.schema.ts";
import { addToCommentDraft } from "../../api-client/comment-drafts.ts";
import type { RequestEvent, ReviewRequest } from "../../api-client/request-types.ts";
import { Avatar } from "../../components/avatar.tsx";
import { Button } from "../../components/button.tsx";
import { showFailure } from "../../components/toast-queue.ts";
import { nameOrNumber } from "../../format/names.ts";
import { Anchored } from "./anchored.tsx";
import { CommentBody, type CommentBodyProps } from "./comment-body.tsx";
import { LogLine } from "./log-line.tsx";
import { addressOfPlace, editorOfPlace, placeOf } from "./place.ts";
import { ReplyEditor, replyPlace } from "./reply-editor.tsx";
import styles from "./request.module.css";
import { useReplies } from "./use-replies.ts";

export interface CommentBlockProps {
  request: ReviewRequest;
  /** A comment, or a deleted one with replies. */
  comment: RequestEvent;
  /** The comment or reply in the address. */
  target: string | undefined;
  onQuote: (html: string) => void;
  onTakenBack: (draft: CommentDraft) => void;
}

/** A comment with its replies, oldest first. */
export function CommentBlock({ request, comment, target, onQuote, onTakenBack }: CommentBlockProps) {
  const [isReplying, setReplying] = useState(false);
  const navigate = useNavigate();
  const about = placeOf(comment);
  const isDeleted = comment.type !== "C";
  const name = nameOrNumber(comment.expanded?.created_by, comment.created_by.user);
  const takeReplyBack = (draft: CommentDraft) =>
    addToCommentDraft(request.id, replyPlace(comment.id), draft).then(() => setReplying(true), showFailure);
  // A comment on a field or file goes back to its place.
  const takeBack = (draft: CommentDraft) => {
    if (!about) return onTakenBack(draft);
    const { tab, hash } = addressOfPlace(about);
    addToCommentDraft(request.id, editorOfPlace(about), draft)
      .then(() => navigate({ to: "/me/requests/$id", params: { id: request.id }, search: { tab }, hash }))
      .catch(showFailure);
  };
  return (
    <article className={styles.comment} aria-label={name}>
      <span className={styles.face}>
        <Avatar name={name} user={comment.expanded?.created_by} />
      </span>
      <Anchored id={comment.id} target={target} className={styles.box}>
        {isDeleted ? (
          <div className={styles.boxHead}>
            <LogLine event={comment} />
          </div>
        ) : (
          <CommentBody request={request} comment={comment} name={name} onQuote={onQuote} onTakenBack={takeBack} />
        )}
        <Replies
          request={request}
          comment={comment}
          target={target}
          onQuote={onQuote}
          onTakenBack={isReplying ? undefined : takeReplyBack}
        />
        {comment.permissions?.can_reply_comment && (
          <ReplyFoot request={request} comment={comment} isReplying={isReplying} onReplying={setReplying} />
        )}
      </Anchored>
    </article>
  );
}

type RepliesProps = Omit<CommentBlockProps, "onTakenBack"> & Pick<CommentBodyProps, "onTakenBack">;

function Replies({ request, comment, target, onQuote, onTakenBack }: RepliesProps) {
  const { t } = useTranslation();
  const { replies, hidden, showAll, isFetching } = useReplies(request.id, comment, target);
  if (replies.length === 0) return null;
  return (
    <>
      {hidden > 0 && (
        <div className={styles.foot}>
          <Button small variant="link" isPending={isFetching} onPress={showAll}>
            {t("request.earlier_replies", { count: hidden })}
          </Button>
        </div>
      )}
      <ol className={styles.replies}>
        {replies.map((reply) => (
          <li key={reply.id}>
            <Anchored id={reply.id} target={target} className={styles.reply}>
              {reply.type === "C" ? (
                <CommentBody
                  request={request}
                  comment={reply}
                  name={nameOrNumber(reply.expanded?.created_by, reply.created_by.user)}
                  onQuote={onQuote}
                  onTakenBack={onTakenBack}
                  isReply
                />
              ) : (
                <span className={styles.note}>{t("request.reply_deleted")}</span>
              )}
            </Anchored>
          </li>
        ))}
      </ol>
    </>
  );
}

interface ReplyFootProps {
  request: ReviewRequest;
  comment: RequestEvent;
  isReplying: boolean;
  onReplying: (isReplying: boolean) => void;
}

function ReplyFoot({ request, comment, isReplying, onReplying }: ReplyFootProps) {
  const { t } = useTranslation();
  const opener = useRef<HTMLButtonElement>(null);
  const wasReplying = useRef(false);
  useEffect(() => {
    // Returns the keyboard focus to the button that opened the editor.
    if (wasReplying.current && !isReplying) opener.current?.focus();
    wasReplying.current = isReplying;
  }, [isReplying]);
  return (
    <div className={isReplying ? styles.answer : styles.foot}>
      {isReplying ? (
        <ReplyEditor request={request} parent={comment.id} onClose={() => onReplying(false)} />
      ) : (
        <Button ref={opener} small variant="quiet" onPress={() => onReplying(true)}>
          {t("request.reply")}
        </Button>
      )}
    </div>
  );
}
