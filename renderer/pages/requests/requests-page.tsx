import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Inbox } from "lucide-react";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { type RequestSearch, requestsQuery, waitingCountQuery } from "../../api-client/requests.ts";
import { notificationsQuery, syncStatusQuery } from "../../api-client/sync.ts";
import { RadioChoice } from "../../components/choice.tsx";
import { Busy, EmptyState } from "../../components/notice.tsx";
import { Select } from "../../components/select.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { SearchField } from "../../components/text-field.tsx";
import { VirtualList } from "../../components/virtual-list.tsx";
import { htmlWords } from "../../format/html-words.ts";
import { creatorName, userName } from "../../format/names.ts";
import { formatAgo } from "../../format/times.ts";
import { usePageTitle } from "../../shell/page-title.ts";
import { rowMark } from "../../shell/row-keys.ts";
import { useTypedText } from "../library/library-search.ts";
import { SearchFailure } from "../library/search-failure.tsx";
import { workState } from "../library/work-state.ts";
import { useInboxKeys } from "./inbox-keys.ts";
import { RequestStatusPill } from "./request-status.tsx";
import styles from "./requests.module.css";
import { type StatusFilter, statusFilters } from "./status-filters.ts";

const route = getRouteApi("/me/requests");

export type RequestView = "needs_me" | "mine" | "all";

function searchOf(view: RequestView, me: string, q: string, status: StatusFilter | undefined): RequestSearch {
  const which = status === "changes_requested" ? { changes_requested: true } : { ...(status && { status }) };
  const what = { q, ...which };
  if (view === "needs_me") return { ...what, waits_for: `user:${me}` };
  return view === "mine" ? { ...what, created_by: `user:${me}` } : what;
}

/** Unread notifications by request. */
function useUnread(): Map<string | null, string[]> {
  const { data } = useQuery(notificationsQuery);
  const news = Map.groupBy(data?.hits.hits.filter(({ read }) => !read) ?? [], ({ request }) => request);
  return new Map([...news].map(([request, all]) => [request, all.map(({ id }) => id)]));
}

/** The inbox: requests that need the user, requests they opened, all they may read. */
export function RequestsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: "/me/requests" });
  const search = route.useSearch();
  const view: RequestView = search.view ?? "all";
  const q: string = search.q ?? "";
  const only = view === "needs_me" ? undefined : search.status;
  const { data: status } = useQuery(syncStatusQuery);
  const me = status?.user?.id ?? "local";
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    ...requestsQuery(searchOf(view, me, q, only)),
    enabled: status !== undefined,
  });
  const typed = useTypedText(
    q,
    (next) => void navigate({ search: (now: typeof search) => ({ ...now, q: next || undefined }), replace: true }),
  );
  const unread = useUnread();
  useInboxKeys(unread);
  usePageTitle({ label: t("place.requests") });
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const requests = data?.pages.flatMap((page) => page.hits.hits) ?? [];
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{t("place.requests")}</h1>
      <div className={styles.head}>
        <ViewChoice
          view={view}
          me={status?.user?.id}
          onChange={(next) => void navigate({ search: (now: typeof search) => ({ ...now, view: next }) })}
        />
        <div className={styles.search}>
          <SearchField label={t("request.search")} {...typed} />
        </div>
        {view !== "needs_me" && (
          <Select
            look="bare"
            label={t("request.status_filter")}
            value={only ?? "any"}
            onChange={(next) =>
              void navigate({
                search: (now: typeof search) => ({ ...now, status: statusFilters.find((status) => status === next) }),
              })
            }
            options={[
              { id: "any", label: t("request.any_status") },
              ...statusFilters.map((id) => ({
                id,
                label: t(id === "submitted" ? "request.open" : `request.status.${id}`),
              })),
            ]}
          />
        )}
      </div>
      {isPending && <Busy />}
      {error && <SearchFailure error={error} q={q} onRetry={() => void refetch()} onTry={typed.onChange} />}
      {data && requests.length === 0 && (
        <EmptyState icon={Inbox} title={t(q || only ? "library.no_hits" : `request.none.${view}`)}>
          {t(q || only ? "library.no_hits_help" : view === "needs_me" ? "request.none_asked" : "request.none_help")}
        </EmptyState>
      )}
      {requests.length > 0 && (
        <VirtualList
          label={t("place.requests")}
          items={requests}
          keyOf={({ id }) => id}
          estimatePx={64}
          total={data?.pages[0]?.hits.total ?? requests.length}
          onEnd={onEnd}
        >
          {(request) => (
            <RequestRow request={request} isLocal={status?.state === "local"} isUnread={unread.has(request.id)} />
          )}
        </VirtualList>
      )}
    </div>
  );
}

interface ViewChoiceProps {
  view: RequestView;
  me: string | undefined;
  onChange: (view: RequestView) => void;
}

/** Chooses the view, with the number of waiting requests. */
function ViewChoice({ view, me = "", onChange }: ViewChoiceProps) {
  const { t } = useTranslation();
  const { data: needsMe = 0 } = useQuery({ ...waitingCountQuery(me), enabled: me !== "" });
  const counts: Partial<Record<RequestView, number>> = { needs_me: needsMe };
  return (
    <RadioChoice
      label={t("request.view")}
      hideLabel
      look="segments"
      value={view}
      onChange={(next) => onChange(next as RequestView)}
      options={(["all", "needs_me", "mine"] as const).map((id) => ({
        id,
        label: t(`request.views.${id}`),
        count: counts[id] ?? 0,
      }))}
    />
  );
}

/** The author of the last reply, if the request names them. */
function lastActor({ last_reply, expanded }: ReviewRequest): string | undefined {
  const people = [expanded?.created_by, expanded?.receiver];
  const actor = people.find((one) => one !== undefined && one.id === last_reply?.created_by.user);
  return actor && userName(actor, actor.id);
}

function RequestRow({ request, isLocal, isUnread }: { request: ReviewRequest; isLocal: boolean; isUnread: boolean }) {
  const { t } = useTranslation();
  const { expanded, last_reply, sync } = request;
  const opener = creatorName(request);
  const actor = lastActor(request);
  const words = last_reply?.payload.content ? htmlWords(last_reply.payload.content) : "";
  const excerpt = words && actor && actor !== opener ? `${actor}: ${words}` : words;
  return (
    <Link className={styles.row ?? ""} to="/me/requests/$id" params={{ id: request.id }} {...rowMark(request.id)}>
      <span>
        <RequestStatusPill request={request} />
      </span>
      <div className={styles.words}>
        <div className={`${styles.title} ${isUnread ? styles.unread : ""}`}>
          {isUnread && <span className={styles.dot} role="img" aria-label={t("activity.unread")} />}
          <bdi>{request.title || expanded?.topic?.title || t("library.untitled")}</bdi>
        </div>
        <div className={styles.meta}>
          {t("request.line", { number: request.number, name: opener })}
          {excerpt && ` · ${excerpt}`}
        </div>
      </div>
      <div className={styles.when}>
        {formatAgo(request.last_activity_at)}
        {sync && !isLocal && <StateWord state={workState(sync, undefined)} />}
      </div>
    </Link>
  );
}
