import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { focusedPageQuery, timelineQuery } from "../../api-client/requests.ts";
import { Button } from "../../components/button.tsx";
import { Busy, LoadFailure } from "../../components/notice.tsx";
import { CommentBlock } from "./comment-block.tsx";
import { useCommentDraft } from "./comment-drafts.ts";
import { Compose } from "./compose.tsx";
import { LogLine } from "./log-line.tsx";
import styles from "./request.module.css";

/** The event named by the address: a comment, or a reply as `<parent>_<reply>`. */
function useFocus() {
  const { hash } = useLocation();
  const [event, reply] = hash.startsWith("commentevent-") ? hash.slice("commentevent-".length).split("_") : [];
  return { event, target: reply ?? event };
}

/** The timeline, oldest first, and the place to write at its end. */
export function Conversation({ request }: { request: ReviewRequest }) {
  const { t } = useTranslation();
  const { event, target } = useFocus();
  const [text, setText] = useCommentDraft(request.id);
  const focused = useQuery(focusedPageQuery(request.id, event));
  const timeline = useInfiniteQuery({
    ...timelineQuery(request.id, focused.data ?? 1),
    enabled: focused.data !== undefined,
  });
  const isLoaded = timeline.data !== undefined;
  useEffect(() => {
    if (isLoaded && target) document.getElementById(`commentevent-${target}`)?.scrollIntoView({ block: "center" });
  }, [isLoaded, target]);
  if (timeline.error) return <LoadFailure error={timeline.error} onRetry={() => void timeline.refetch()} />;
  if (!timeline.data) return <Busy />;
  const events = timeline.data.pages.flatMap((page) => page.hits.hits);
  const quote = (html: string) => {
    setText(`${text}<blockquote>${html}</blockquote><p></p>`);
    document.getElementById("compose")?.scrollIntoView({ block: "center" });
  };
  return (
    <div className={styles.compose}>
      {timeline.hasPreviousPage && (
        <Button isPending={timeline.isFetchingPreviousPage} onPress={() => void timeline.fetchPreviousPage()}>
          {t("request.earlier")}
        </Button>
      )}
      {events.length > 0 && (
        <ol className={styles.timeline} aria-label={t("request.conversation")}>
          {events.map((one) => (
            <li key={one.id}>
              {one.type === "C" ? (
                <CommentBlock request={request} comment={one} target={target} onQuote={quote} />
              ) : (
                <LogLine event={one} />
              )}
            </li>
          ))}
        </ol>
      )}
      {timeline.hasNextPage && (
        <Button isPending={timeline.isFetchingNextPage} onPress={() => void timeline.fetchNextPage()}>
          {t("request.later")}
        </Button>
      )}
      <Compose request={request} text={text} onChange={setText} />
    </div>
  );
}
