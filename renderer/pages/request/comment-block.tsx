import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RequestEvent, ReviewRequest } from "../../api-client/request-types.ts";
import { repliesQuery } from "../../api-client/requests.ts";
import { Avatar } from "../../components/avatar.tsx";
import { Button } from "../../components/button.tsx";
import { userName } from "../../format/names.ts";
import { CommentBody } from "./comment-body.tsx";
import { ReplyEditor } from "./reply-editor.tsx";
import styles from "./request.module.css";

export interface CommentBlockProps {
  request: ReviewRequest;
  comment: RequestEvent;
  /** The comment or reply that the address names. */
  target: string | undefined;
  onQuote: (html: string) => void;
}

/** A comment with its replies, one level deep, oldest first. */
export function CommentBlock({ request, comment, target, onQuote }: CommentBlockProps) {
  const { t } = useTranslation();
  const { children = [], children_count = 0 } = comment;
  const isAway = target !== undefined && target !== comment.id && !children.some(({ id }) => id === target);
  const [isWhole, setWhole] = useState(false);
  const [isReplying, setReplying] = useState(false);
  const whole = useQuery({
    ...repliesQuery(request.id, comment.id),
    enabled: children_count > children.length && (isWhole || isAway),
  });
  const replies = whole.data?.hits.hits ?? children.toReversed();
  const name = userName(comment.expanded?.created_by, comment.created_by.user);
  return (
    <article className={styles.comment}>
      <span className={styles.face}>
        <Avatar name={name} />
      </span>
      <div
        id={`commentevent-${comment.id}`}
        className={`${styles.box} ${target === comment.id ? styles.highlight : ""}`}
      >
        <CommentBody request={request} comment={comment} name={name} onQuote={onQuote} />
        {children_count > replies.length && (
          <div className={styles.foot}>
            <Button small variant="link" isPending={whole.isFetching} onPress={() => setWhole(true)}>
              {t("request.all_replies", { count: children_count })}
            </Button>
          </div>
        )}
        {replies.length > 0 && (
          <ol className={styles.replies}>
            {replies.map((reply) => (
              <li
                key={reply.id}
                id={`commentevent-${reply.id}`}
                className={`${styles.reply} ${target === reply.id ? styles.highlight : ""}`}
              >
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
              </li>
            ))}
          </ol>
        )}
        {!request.is_locked && (
          <div className={styles.foot}>
            {isReplying ? (
              <ReplyEditor request={request} parent={comment.id} onClose={() => setReplying(false)} />
            ) : (
              <Button small variant="quiet" onPress={() => setReplying(true)}>
                {t("request.reply")}
              </Button>
            )}
          </div>
        )}
      </div>
    </article>
  );
}
