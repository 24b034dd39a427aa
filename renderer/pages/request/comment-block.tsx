import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RequestEvent, ReviewRequest } from "../../api-client/request-types.ts";
import { repliesQuery } from "../../api-client/requests.ts";
import { Avatar } from "../../components/avatar.tsx";
import { Button } from "../../components/button.tsx";
import { userName } from "../../format/names.ts";
import { Anchored } from "./anchored.tsx";
import { CommentBody } from "./comment-body.tsx";
import { LogLine } from "./log-line.tsx";
import { ReplyEditor } from "./reply-editor.tsx";
import styles from "./request.module.css";

export interface CommentBlockProps {
  request: ReviewRequest;
  /** A comment, or one that was deleted and has replies. */
  comment: RequestEvent;
  /** The comment or reply that the address names. */
  target: string | undefined;
  onQuote: (html: string) => void;
}

/** A comment with its replies, one level deep, oldest first. */
export function CommentBlock({ request, comment, target, onQuote }: CommentBlockProps) {
  const isDeleted = comment.type !== "C";
  const name = userName(comment.expanded?.created_by, comment.created_by.user);
  return (
    <article className={styles.comment} aria-label={name}>
      <span className={styles.face}>
        <Avatar name={name} />
      </span>
      <Anchored id={comment.id} target={target} className={styles.box}>
        {isDeleted ? (
          <div className={styles.boxHead}>
            <LogLine event={comment} />
          </div>
        ) : (
          <CommentBody request={request} comment={comment} name={name} onQuote={onQuote} />
        )}
        <Replies request={request} comment={comment} target={target} onQuote={onQuote} />
        {comment.permissions?.can_reply_comment && <ReplyFoot request={request} comment={comment} />}
      </Anchored>
    </article>
  );
}

function Replies({ request, comment, target, onQuote }: CommentBlockProps) {
  const { t } = useTranslation();
  const { children = [], children_count = 0 } = comment;
  const isAway = target !== undefined && target !== comment.id && !children.some(({ id }) => id === target);
  const [isWhole, setWhole] = useState(false);
  const whole = useQuery({
    ...repliesQuery(request.id, comment.id),
    enabled: children_count > children.length && (isWhole || isAway),
  });
  const replies = whole.data?.hits.hits ?? children.toReversed();
  if (replies.length === 0) return null;
  return (
    <>
      {children_count > replies.length && (
        <div className={styles.foot}>
          <Button small variant="link" isPending={whole.isFetching} onPress={() => setWhole(true)}>
            {t("request.all_replies", { count: children_count })}
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
                  name={userName(reply.expanded?.created_by, reply.created_by.user)}
                  onQuote={onQuote}
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

function ReplyFoot({ request, comment }: { request: ReviewRequest; comment: RequestEvent }) {
  const { t } = useTranslation();
  const [isReplying, setReplying] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const wasReplying = useRef(false);
  useEffect(() => {
    // Who replied by keyboard goes on from where the editor was opened.
    if (wasReplying.current && !isReplying) opener.current?.focus();
    wasReplying.current = isReplying;
  }, [isReplying]);
  return (
    <div className={isReplying ? styles.answer : styles.foot}>
      {isReplying ? (
        <ReplyEditor request={request} parent={comment.id} onClose={() => setReplying(false)} />
      ) : (
        <Button ref={opener} small variant="quiet" onPress={() => setReplying(true)}>
          {t("request.reply")}
        </Button>
      )}
    </div>
  );
}
