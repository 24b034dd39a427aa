import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Navigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RecordBody } from "../../api-client/record-types.ts";
import { latestQuery, recordQuery } from "../../api-client/records.ts";
import { ApiFailure } from "../../api-client/request.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Busy, InlineNotice } from "../../components/notice.tsx";
import { usePageTitle } from "../../shell/page-title.ts";
import { PageFailure } from "../page-failure.tsx";
import { useArrival } from "./arrival.ts";
import { PublishedCard } from "./published-card.tsx";
import styles from "./record.module.css";
import { RecordBodyParts } from "./record-body-parts.tsx";
import { RecordActions, RecordHead } from "./record-head.tsx";
import { RecordSide } from "./record-side.tsx";
import { MissingRecord, RemovedRecord } from "./removed-record.tsx";

const route = getRouteApi("/records/$id");
const latestRoute = getRouteApi("/records/$id/latest");

/** The page of a record at `/records/{id}`; an unpublished draft redirects to its editor. */
export function RecordPage() {
  const { id } = route.useParams();
  const { file, entry } = route.useSearch();
  const { data, error, refetch } = usePageQuery(recordQuery(id));
  if (file && /\.zip$/i.test(file))
    return <Navigate to="/records/$id/files/$" params={{ id, _splat: file }} search={{ path: entry }} replace />;
  const refusal = error instanceof ApiFailure ? error : undefined;
  if (refusal?.tombstone) return <RemovedRecord id={id} tombstone={refusal.tombstone} />;
  if (data) return <Record record={data} />;
  if (!error) return <Busy />;
  const isDraft = refusal?.status === 404 && refusal.original.includes("not registered");
  if (isDraft) return <Navigate to="/uploads/$id" params={{ id }} replace />;
  const failure = { error, onRetry: () => void refetch() };
  return refusal?.status === 404 ? <MissingRecord id={id} {...failure} /> : <PageFailure {...failure} />;
}

/** `/records/{id}/latest`: redirects to the latest version. */
export function LatestPage() {
  const { id } = latestRoute.useParams();
  const { data, error, refetch } = usePageQuery(latestQuery(id));
  if (data) return <Navigate to="/records/$id" params={{ id: data.id }} replace />;
  return error ? <PageFailure error={error} onRetry={() => void refetch()} /> : <Busy />;
}

function Record({ record }: { record: RecordBody }) {
  const { t } = useTranslation();
  const arrival = useArrival(record.id);
  const { metadata, versions } = record;
  const title = metadata.title ?? t("library.untitled");
  usePageTitle({ label: t("place.library"), to: "/me/uploads" }, { label: title });
  return (
    <div className={styles.page}>
      <article className={styles.content}>
        {arrival === "published-here" && <PublishedCard record={record} />}
        {arrival === "published" && <InlineNotice tone="ok">{t("record.arrived.published")}</InlineNotice>}
        {arrival === "discarded" && <InlineNotice>{t("record.arrived.discarded")}</InlineNotice>}
        {!versions.is_latest && <OlderNotice id={record.id} />}
        <RecordHead record={record} title={title}>
          <RecordActions record={record} />
        </RecordHead>
        <RecordBodyParts record={record} />
      </article>
      <RecordSide record={record} />
    </div>
  );
}

function OlderNotice({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(latestQuery(id));
  if (!data || data.id === id) return null;
  return (
    <InlineNotice tone="warn">
      {t("record.older")}{" "}
      <Link to="/records/$id" params={{ id: data.id }}>
        {t("record.to_latest")}
      </Link>
    </InlineNotice>
  );
}
