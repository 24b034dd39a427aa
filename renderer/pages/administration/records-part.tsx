import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { FileX2, Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type RemovedRecord, removedRecordsQuery } from "../../api-client/administration.ts";
import { restoreRecord } from "../../api-client/records.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { vocabularyQuery } from "../../api-client/vocabularies.ts";
import { Button } from "../../components/button.tsx";
import { Busy, EmptyState, LoadFailure } from "../../components/notice.tsx";
import { SearchField } from "../../components/text-field.tsx";
import { showToast } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import { titleText } from "../../format/names.ts";
import { formatFull } from "../../format/times.ts";
import styles from "./administration.module.css";
import { PageButtons } from "./page-buttons.tsx";
import { usePartSearch } from "./part-search.ts";

const size = 25;

/** All records of the server: a search that includes restricted ones, and the deleted ones, which no search finds. */
export function RecordsPart() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const { search: shown, change } = usePartSearch();
  const { page = 1 } = shown;
  const { data, error, refetch } = usePageQuery(removedRecordsQuery(page));
  const removed = data?.hits.hits ?? [];
  const search = () => {
    const q = text.trim();
    void navigate({ to: "/me/uploads", search: { view: "published", scope: "server", ...(q ? { q } : {}) } });
  };
  return (
    <div className={styles.panel}>
      <p className={styles.note}>{t("administration.records.help")}</p>
      <div className={styles.tools}>
        <div className={styles.search}>
          <SearchField label={t("administration.records.search")} value={text} onChange={setText} onSubmit={search} />
        </div>
        <Button icon={Search} onPress={search}>
          {t("administration.records.find")}
        </Button>
      </div>
      <section className={styles.section} aria-labelledby="removed">
        <h2 id="removed">{t("administration.records.removed")}</h2>
        {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Busy />}
        {data && removed.length === 0 && (
          <EmptyState icon={FileX2} title={t("administration.records.none")}>
            {t("administration.records.none_help")}
          </EmptyState>
        )}
        <ul aria-label={t("administration.records.removed")}>
          {removed.map((record) => (
            <RemovedRow key={record.id} record={record} />
          ))}
        </ul>
        <PageButtons page={page} size={size} total={data?.hits.total ?? 0} onPage={(next) => change({ page: next })} />
      </section>
    </div>
  );
}

function RemovedRow({ record }: { record: RemovedRecord }) {
  const { t } = useTranslation();
  const { id, title, tombstone } = record;
  const { data: reasons } = useQuery(vocabularyQuery("removalreasons"));
  const given = tombstone.removal_reason?.id;
  const restore = useChange(() => restoreRecord(id), {
    onSuccess: () => showToast({ tone: "ok", text: t("administration.records.restored", { title }) }),
  });
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        {tombstone.is_visible ? (
          <Link to="/records/$id" params={{ id }} className={styles.name ?? ""} dir="auto">
            {title}
          </Link>
        ) : (
          <span className={styles.name} dir="auto">
            {title}
          </span>
        )}
        <span className={styles.note}>
          {[
            t("administration.records.removed_at", { time: formatFull(tombstone.removal_date) }),
            given && titleText(reasons?.find((one) => one.id === given)?.title, given),
            tombstone.note,
            !tombstone.is_visible && t("administration.records.hidden"),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </span>
      <Button
        small
        isPending={restore.isPending}
        aria-label={t("administration.records.restore_one", { title })}
        onPress={() => restore.mutate()}
      >
        {t("administration.records.restore")}
      </Button>
    </li>
  );
}
