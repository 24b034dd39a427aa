import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Inbox } from "lucide-react";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { type RequestSearch, requestsQuery } from "../../api-client/requests.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { RadioChoice } from "../../components/choice.tsx";
import { Busy, EmptyState, LoadFailure } from "../../components/notice.tsx";
import { plainText } from "../../components/rich-text.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { SearchField } from "../../components/text-field.tsx";
import { VirtualList } from "../../components/virtual-list.tsx";
import { userName } from "../../format/names.ts";
import { formatAgo } from "../../format/times.ts";
import { usePageTitle } from "../../shell/page-title.ts";
import { useTypedText } from "../library/library-search.ts";
import { workState } from "../library/work-state.ts";
import { RequestStatusPill } from "./request-status.tsx";
import styles from "./requests.module.css";

const route = getRouteApi("/me/requests");

export type RequestView = "needs_me" | "mine" | "all";

function searchOf(view: RequestView, me: string, q: string): RequestSearch {
  if (view === "needs_me") return { q, receiver: `user:${me}`, is_open: true };
  return view === "mine" ? { q, created_by: `user:${me}` } : { q };
}

/** The inbox of requests: what needs the person, what they opened, all they may read. */
export function RequestsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: "/me/requests" });
  const search = route.useSearch();
  const view: RequestView = search.view ?? "all";
  const q: string = search.q ?? "";
  const { data: status } = useQuery(syncStatusQuery);
  const me = status?.user?.id ?? "local";
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    ...requestsQuery(searchOf(view, me, q)),
    enabled: status !== undefined,
  });
  const [text, setText] = useTypedText(
    q,
    (next) => void navigate({ search: { view, q: next || undefined }, replace: true }),
  );
  usePageTitle({ label: t("place.requests") });
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const requests = data?.pages.flatMap((page) => page.hits.hits) ?? [];
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{t("place.requests")}</h1>
      <div className={styles.head}>
        <RadioChoice
          label={t("request.view")}
          hideLabel
          look="segments"
          value={view}
          onChange={(next) => void navigate({ search: { view: next as RequestView, q: q || undefined } })}
          options={(["all", "needs_me", "mine"] as const).map((id) => ({ id, label: t(`request.views.${id}`) }))}
        />
        <div className={styles.search}>
          <SearchField label={t("request.search")} value={text} onChange={setText} />
        </div>
      </div>
      {isPending && <Busy />}
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {data && requests.length === 0 && (
        <EmptyState icon={Inbox} title={t(q ? "library.no_hits" : `request.none.${view}`)}>
          {t(q ? "library.no_hits_help" : "request.none_help")}
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
          {(request) => <RequestRow request={request} isLocal={status?.state === "local"} />}
        </VirtualList>
      )}
    </div>
  );
}

function RequestRow({ request, isLocal }: { request: ReviewRequest; isLocal: boolean }) {
  const { t } = useTranslation();
  const { expanded, last_reply, sync } = request;
  const opener = userName(expanded?.created_by, request.created_by.user);
  const excerpt = last_reply?.payload.content ? plainText(last_reply.payload.content) : "";
  return (
    <Link className={styles.row ?? ""} to="/me/requests/$id" params={{ id: request.id }}>
      <span>
        <RequestStatusPill status={request.status} />
      </span>
      <div className={styles.words}>
        <div className={styles.title}>{request.title || expanded?.topic?.title || t("library.untitled")}</div>
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
