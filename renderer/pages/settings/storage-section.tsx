import { useTranslation } from "react-i18next";
import { freeStorage, storageQuery } from "../../api-client/sync.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Button } from "../../components/button.tsx";
import { LoadFailure } from "../../components/notice.tsx";
import { UsageBar } from "../../components/progress.tsx";
import { showToast } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import { formatBytes } from "../../format/amounts.ts";
import { OpenLibrary } from "../welcome/open-library.tsx";
import { LargestRecords } from "./largest-records.tsx";
import { ServerStorage } from "./server-storage.tsx";
import styles from "./settings.module.css";

const kinds = [
  { id: "records", color: "var(--accent)" },
  { id: "unsent", color: "var(--warn)" },
  { id: "cached", color: "var(--info)" },
] as const;

/** Storage by kind, with a button that drops copies of files on the server. */
export function StorageSection() {
  const { t } = useTranslation();
  const { data, error, refetch } = usePageQuery(storageQuery);
  const free = useChange(freeStorage, { onSuccess: () => showToast({ tone: "ok", text: t("settings.freed") }) });
  const parts = kinds.map(({ id, color }) => ({ id, color, label: t(`settings.kind.${id}`), value: data?.[id] ?? 0 }));
  return (
    <section className={styles.section} id="storage" aria-labelledby="storage-head">
      <h2 id="storage-head">{t("settings.storage")}</h2>
      <p className={styles.help}>{t("settings.storage_help")}</p>
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <UsageBar label={t("settings.storage")} parts={parts} />
          <dl className={styles.facts}>
            {parts.map((part) => (
              <div key={part.id} style={{ display: "contents" }}>
                <dt>
                  <span className={styles.swatch} style={{ background: part.color }} />
                  {part.label}
                </dt>
                <dd>{formatBytes(part.value)}</dd>
              </div>
            ))}
            <dt>{t("storage.reserved")}</dt>
            <dd>
              {formatBytes(data.reserved)}
              <span className={styles.help}> {t("storage.reserved_help")}</span>
            </dd>
            <dt>{t("storage.location")}</dt>
            <dd>
              <code>{data.location}</code>
            </dd>
          </dl>
          <div className={styles.actions}>
            <Button isDisabled={data.cached === 0} isPending={free.isPending} onPress={() => free.mutate()}>
              {t("settings.free")}
            </Button>
          </div>
          <ServerStorage />
          <LargestRecords />
          <details className={styles.more}>
            <summary>{t("storage.move")}</summary>
            <p className={styles.help}>{t("storage.move_help")}</p>
            <OpenLibrary />
          </details>
        </>
      )}
    </section>
  );
}
