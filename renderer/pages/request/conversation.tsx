import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { CommentDraft } from "../../../shared/comments/comment-draft.schema.ts";
import { blockingError } from "../../api-client/blocking-error.ts";
import { oneMorePage } from "../../api-client/one-more-page.ts";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { focusedPageQuery, newestEventsQuery, timelineQuery } from "../../api-client/requests.ts";
import { Button } from "../../components/button.tsx";
import { Busy, LoadFailure } from "../../components/notice.tsx";
import { Anchored } from "./anchored.tsx";
import { CommentBlock } from "./comment-block.tsx";
import { Compose } from "./compose.tsx";
import { focusComposer } from "./focus-composer.ts";
import { LogLine } from "./log-line.tsx";
import { QuoteSelection } from "./quote-selection.tsx";
import styles from "./request.module.css";
import type { Writing } from "./request-ask.tsx";
import { RequestOpening } from "./request-opening.tsx";
import { isThread } from "./use-replies.ts";

/** The event in the address: a comment, or a reply as `<parent>_<reply>`. */
function useFocus() {
  const { hash } = useLocation();
  const [event, reply] = hash.startsWith("commentevent-") ? hash.slice("commentevent-".length).split("_") : [];
  return { event, target: reply ?? event };
}

/** The timeline, oldest first, with an editor at its end. */
export function Conversation({ request, writing }: { request: ReviewRequest; writing: Writing }) {
  const { t } = useTranslation();
  const { editor } = writing;
  const { event, target } = useFocus();
  const focused = useQuery(focusedPageQuery(request.id, event));
  const timeline = useInfiniteQuery({
    ...timelineQuery(request.id, focused.data ?? 1),
    enabled: focused.data !== undefined,
  });
  const error = blockingError(timeline);
  if (error) return <LoadFailure error={error} onRetry={() => void timeline.refetch()} />;
  if (!timeline.data) return <Busy />;
  const events = timeline.data.pages.flatMap((page) => page.hits.hits);
  const quote = (html: string) => {
    editor.add({ content: `<blockquote>${html}</blockquote><p></p>`, files: [] });
    focusComposer();
  };
  const takeBack = (draft: CommentDraft) => {
    editor.add(draft);
    focusComposer();
  };
  return (
    <div className={styles.compose}>
      {timeline.hasPreviousPage && (
        <Button
          isPending={timeline.isFetchingPreviousPage}
          onPress={() => void oneMorePage(timeline.data?.pages.length ?? 0, timeline.fetchPreviousPage)}
        >
          {t("request.earlier")}
        </Button>
      )}
      {timeline.hasNextPage && <ToNewest request={request} />}
      {(events.length > 0 || !timeline.hasPreviousPage) && (
        <ol className={styles.timeline} aria-label={t("request.conversation")}>
          {!timeline.hasPreviousPage && <RequestOpening request={request} />}
          {events.map((one) => (
            <li key={one.id}>
              {isThread(one) ? (
                <CommentBlock request={request} comment={one} target={target} onQuote={quote} onTakenBack={takeBack} />
              ) : (
                <Anchored id={one.id} target={target} className={styles.line}>
                  <LogLine event={one} />
                </Anchored>
              )}
            </li>
          ))}
        </ol>
      )}
      {timeline.hasNextPage && (
        <Button
          isPending={timeline.isFetchingNextPage}
          onPress={() => void oneMorePage(timeline.data?.pages.length ?? 0, timeline.fetchNextPage)}
        >
          {t("request.later")}
        </Button>
      )}
      <QuoteSelection onQuote={quote} />
      <Compose request={request} writing={writing} />
    </div>
  );
}

/** In a long conversation, the way to its end. */
function ToNewest({ request: { id } }: { request: ReviewRequest }) {
  const { t } = useTranslation();
  const { data } = useQuery(newestEventsQuery(id));
  const [newest] = data?.hits.hits ?? [];
  if (!newest) return null;
  return (
    <Link to="/me/requests/$id" params={{ id }} hash={`commentevent-${newest.id}`}>
      {t("request.newest")}
    </Link>
  );
}
