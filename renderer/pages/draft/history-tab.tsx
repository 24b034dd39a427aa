import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RecordBody } from "../../api-client/record-types.ts";
import { versionsQuery } from "../../api-client/records.ts";
import { formatFull } from "../../format/times.ts";
import styles from "./draft.module.css";
import { RemovedFilesList } from "./files/removed-files.tsx";

/** Files removed lately, and earlier published versions, each with a comparison. */
export function HistoryTab({ body }: { body: RecordBody }) {
  const { t } = useTranslation();
  const isFirst = body.versions.index === 1 && body.status !== "published";
  const { data } = useQuery({ ...versionsQuery(body.id), enabled: !isFirst });
  const versions = data?.hits.hits ?? [];
  return (
    <div className={styles.beside}>
      <dl className={styles.facts}>
        <dt>{t("draft.begun")}</dt>
        <dd>{formatFull(body.created)}</dd>
        <dt>{t("draft.changed")}</dt>
        <dd>{formatFull(body.updated)}</dd>
      </dl>
      <RemovedFilesList />
      {versions.length === 0 && <p className={styles.quiet}>{t("draft.no_versions")}</p>}
      {versions.map(({ id, metadata, versions: { index }, created }) => (
        <div key={id} className={styles.version}>
          <Link to="/records/$id" params={{ id }}>
            {t("library.version", { index: metadata.version ?? index })}
          </Link>
          <span>{formatFull(created)}</span>
          <Link to="/records/$id/compare/$other" params={{ id, other: `draft:${body.id}` }}>
            {t("draft.compare_with")}
          </Link>
        </div>
      ))}
    </div>
  );
}
