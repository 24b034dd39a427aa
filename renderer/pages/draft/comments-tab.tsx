import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { blockingError } from "../../api-client/blocking-error.ts";
import { oneMorePage } from "../../api-client/one-more-page.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import type { RequestEvent } from "../../api-client/request-types.ts";
import { timelineQuery } from "../../api-client/requests.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { Busy, LoadFailure } from "../../components/notice.tsx";
import { RichText } from "../../components/rich-text.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { useFieldLabel } from "../../components/use-field-label.ts";
import { nameOrNumber } from "../../format/names.ts";
import { formatAgo } from "../../format/times.ts";
import { workState } from "../library/work-state.ts";
import { fieldName, placeOf } from "../request/place.ts";
import { isThread, useReplies } from "../request/use-replies.ts";
import styles from "./draft.module.css";
import { goToField } from "./draft-status.tsx";

/** Comments of the draft's review next to the form, with links to reply. */
export function CommentsTab({ body }: { body: RecordBody }) {
  const { t } = useTranslation();
  const { review } = body.parent;
  const timeline = useInfiniteQuery({ ...timelineQuery(review?.id ?? "", 1), enabled: Boolean(review) });
  if (!review) return <p className={styles.quiet}>{t("draft.no_review")}</p>;
  const error = blockingError(timeline);
  if (error) return <LoadFailure error={error} onRetry={() => void timeline.refetch()} />;
  if (!timeline.data) return <Busy />;
  const comments = timeline.data.pages.flatMap((page) => page.hits.hits).filter(isThread);
  return (
    <div className={styles.beside}>
      {comments.length === 0 && <p className={styles.quiet}>{t("draft.no_comments")}</p>}
      {comments.map((comment) => (
        <Thread key={comment.id} request={review.id} comment={comment} />
      ))}
      {timeline.hasNextPage && (
        <div>
          <Button
            small
            isPending={timeline.isFetchingNextPage}
            onPress={() => void oneMorePage(timeline.data?.pages.length ?? 0, timeline.fetchNextPage)}
          >
            {t("request.later")}
          </Button>
        </div>
      )}
      <Link to="/me/requests/$id" params={{ id: review.id }}>
        {t("draft.to_review")}
      </Link>
    </div>
  );
}

/** A comment and its replies. */
function Thread({ request, comment }: { request: string; comment: RequestEvent }) {
  const { t } = useTranslation();
  const { replies, hidden, showAll, isFetching } = useReplies(request, comment);
  return (
    <article className={styles.thread}>
      <CommentView request={request} event={comment} />
      {hidden > 0 && (
        <Button small variant="link" isPending={isFetching} onPress={showAll}>
          {t("request.earlier_replies", { count: hidden })}
        </Button>
      )}
      {replies.length > 0 && (
        <ol className={styles.replies}>
          {replies.map((reply) => (
            <li key={reply.id}>
              <CommentView request={request} event={reply} parent={comment.id} />
            </li>
          ))}
        </ol>
      )}
    </article>
  );
}

function CommentView({ request, event, parent }: { request: string; event: RequestEvent; parent?: string }) {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const labelOf = useFieldLabel();
  const about = placeOf(event);
  const { id, type, created, created_by, expanded, payload, sync } = event;
  const name = nameOrNumber(expanded?.created_by, created_by.user);
  if (type !== "C")
    return (
      <p className={styles.quiet}>{t(parent ? "request.reply_deleted" : "request.event.comment_deleted", { name })}</p>
    );
  return (
    <div className={styles.said}>
      <header>
        <b>{name}</b>
        <Link to="/me/requests/$id" params={{ id: request }} hash={`commentevent-${parent ? `${parent}_` : ""}${id}`}>
          {formatAgo(created)}
        </Link>
      </header>
      {sync && <StateWord state={workState(sync, status)} reason={sync.message} />}
      {about && (
        <Button small variant="link" onPress={() => goToField("field" in about ? about.field : "files")}>
          {t("request.place.on", { place: "field" in about ? labelOf(fieldName(about.field)) : about.file })}
        </Button>
      )}
      <RichText html={payload?.content ?? ""} />
    </div>
  );
}
