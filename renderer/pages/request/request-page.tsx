import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { personQuery } from "../../api-client/people.ts";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { requestQuery } from "../../api-client/requests.ts";
import { markRead, notificationsQuery, syncStatusQuery } from "../../api-client/sync.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Busy, InlineNotice } from "../../components/notice.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { showFailure } from "../../components/toast-queue.ts";
import { usePageTitle } from "../../shell/page-title.ts";
import { workState } from "../library/work-state.ts";
import { PageFailure } from "../page-failure.tsx";
import { RequestStatusPill } from "../requests/request-status.tsx";
import { useAttaching } from "./attachments.tsx";
import { ChangesNotice } from "./changes-notice.tsx";
import { useCommentDraft } from "./comment-drafts.ts";
import { LockButton } from "./lock-button.tsx";
import { MuteButton } from "./mute-button.tsx";
import { asksForAccess, mayLock, type Part, partIn } from "./part.ts";
import styles from "./request.module.css";
import { RequestAsk } from "./request-ask.tsx";
import { RequestTabs } from "./request-tabs.tsx";
import { reviewerNames } from "./reviewer-names.ts";
import { SinceReview } from "./since-review.tsx";

const route = getRouteApi("/me/requests/$id");

/** A request at `/me/requests/{id}`; `#commentevent-{id}` opens the timeline page of that comment. */
export function RequestPage() {
  const { id } = route.useParams();
  const { data, error, refetch } = usePageQuery(requestQuery(id));
  if (error) return <PageFailure error={error} onRetry={() => void refetch()} />;
  return data ? <Request request={data} /> : <Busy />;
}

/** Marks notifications of the visible request as read. */
function useSeen(id: string) {
  const { data } = useQuery(notificationsQuery);
  const unread = data?.hits.hits.filter(({ request, read }) => request === id && !read).map((one) => one.id) ?? [];
  const key = unread.join();
  useEffect(() => {
    if (key) markRead(key.split(",")).catch(showFailure);
  }, [key]);
}

function Request({ request }: { request: ReviewRequest }) {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const { data: person } = useQuery(personQuery);
  useSeen(request.id);
  const title = request.title || request.expanded?.topic?.title || t("library.untitled");
  usePageTitle({ label: t("place.requests"), to: "/me/requests" }, { label: title });
  const part = partIn(request, person);
  const editor = useCommentDraft(request.id, "");
  const writing = { editor, attaching: useAttaching(request.id, editor) };
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 dir="auto">{title}</h1>
        <div className={styles.meta}>
          <RequestStatusPill request={request} />
          <span>#{request.number}</span>
          {asksForAccess(request) && <span>{t("request.owner", { name: reviewerNames(request) })}</span>}
          <TopicLink request={request} part={part} />
          {request.sync && <StateWord state={workState(request.sync, status)} />}
          <span className={styles.tools}>
            <MuteButton id={request.id} />
            {mayLock(request, part) && <LockButton request={request} />}
          </span>
        </div>
      </header>
      <RequestAsk request={request} part={part} writing={writing} />
      <SinceReview request={request} part={part} />
      <ChangesNotice request={request} part={part} />
      {request.is_locked && (
        <InlineNotice>{t(part.isReviewer ? "request.locked_by_you" : "request.locked")}</InlineNotice>
      )}
      <RequestTabs request={request} part={part} writing={writing} />
    </div>
  );
}

/** Link to the topic, for users who may open it. */
function TopicLink({ request, part }: { request: ReviewRequest; part: Part }) {
  const { t } = useTranslation();
  const params = { id: request.topic.record };
  if (request.status === "accepted" || asksForAccess(request))
    return (
      <Link to="/records/$id" params={params}>
        {t("request.open_record")}
      </Link>
    );
  if (!part.isCreator && !part.isSuperuser && request.status !== "submitted") return null;
  return (
    <Link to="/uploads/$id" params={params}>
      {t("request.open_draft")}
    </Link>
  );
}
