import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { administeredPeopleQuery, overviewQuery } from "../../api-client/administration.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Busy, LoadFailure } from "../../components/notice.tsx";
import { ProgressBar, UsageBar } from "../../components/progress.tsx";
import { formatBytes } from "../../format/amounts.ts";
import styles from "./administration.module.css";

const byStorage = { q: "", state: "", role: "", sort: "storage", page: 1 };

/** The server's disk, and who uses it. A person's own page sets their quota. */
export function StoragePart() {
  const { t } = useTranslation();
  const { data, error, refetch } = usePageQuery(overviewQuery);
  const { data: list } = useQuery(administeredPeopleQuery(byStorage));
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Busy />;
  const { used_bytes, free_bytes, total_bytes, quota_bytes, holds_files } = data.storage;
  const usedHere = holds_files === false ? 0 : used_bytes;
  const parts = [
    ...(holds_files === false ? [] : [{ id: "used", color: "var(--accent)", value: used_bytes }]),
    { id: "other", color: "var(--border-control)", value: Math.max(0, total_bytes - free_bytes - usedHere) },
    { id: "free", color: "var(--border)", value: free_bytes },
  ].map((part) => ({ ...part, label: t(`administration.storage.${part.id as "used" | "other" | "free"}`) }));
  const people = list?.hits.hits.filter(({ storage }) => storage.used_bytes > 0) ?? [];
  return (
    <div className={styles.panel}>
      <UsageBar label={t("administration.storage.disk")} parts={parts} />
      <dl className={styles.facts}>
        {parts.map(({ id, label, value, color }) => (
          <div key={id} style={{ display: "contents" }}>
            <dt>
              <span className={styles.swatch} style={{ background: color }} />
              {label}
            </dt>
            <dd>{formatBytes(value)}</dd>
          </div>
        ))}
        {holds_files === false && (
          <>
            <dt>{t("administration.storage.elsewhere")}</dt>
            <dd>{formatBytes(used_bytes)}</dd>
          </>
        )}
        <dt>{t("administration.storage.quota")}</dt>
        <dd>{formatBytes(quota_bytes)}</dd>
      </dl>
      <section className={styles.section} aria-labelledby="largest">
        <h2 id="largest">{t("administration.storage.people")}</h2>
        <p className={styles.note}>{t("administration.storage.people_help")}</p>
        {list && people.length === 0 && <p className={styles.note}>{t("administration.storage.nobody")}</p>}
        <ul aria-label={t("administration.storage.people")}>
          {people.map(({ id, profile, username, storage }) => (
            <li key={id}>
              <Link to="/people/$id" params={{ id }} className={styles.row ?? ""}>
                <span className={styles.words}>
                  <ProgressBar
                    label={profile.full_name || username}
                    value={storage.quota_bytes > 0 ? storage.used_bytes / storage.quota_bytes : 1}
                    text={t("administration.storage.of", {
                      used: formatBytes(storage.used_bytes),
                      quota: formatBytes(storage.quota_bytes),
                    })}
                  />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
