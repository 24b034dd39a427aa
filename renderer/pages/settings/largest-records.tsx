import { useQuery } from "@tanstack/react-query";
import { HardDrive } from "lucide-react";
import { useTranslation } from "react-i18next";
import { largestQuery, releaseRecord } from "../../api-client/keeping.ts";
import type { RecordStorage } from "../../api-client/sync-types.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/notice.tsx";
import { useChange } from "../../components/use-change.ts";
import { formatBytes } from "../../format/amounts.ts";
import { ObjectLink } from "../sync/object-link.tsx";
import { useRules } from "./keeping-section.tsx";
import styles from "./settings.module.css";

/** The largest records on this computer, each with a button that removes its downloaded files. */
export function LargestRecords() {
  const { t } = useTranslation();
  const { data } = useQuery(largestQuery);
  const rows = data?.filter(({ here }) => here > 0) ?? [];
  if (!data) return null;
  if (rows.length === 0)
    return (
      <EmptyState icon={HardDrive} title={t("storage.none")}>
        {t("storage.none_help")}
      </EmptyState>
    );
  return (
    <table className={styles.table}>
      <caption>{t("storage.largest")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("storage.record")}</th>
          <th scope="col" className={styles.number}>
            {t("storage.here")}
          </th>
          <th scope="col">
            <span className="visually-hidden">{t("storage.remove")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((record) => (
          <Row key={`${record.kind}/${record.id}`} record={record} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ record }: { record: RecordStorage }) {
  const { t } = useTranslation();
  const { rules } = useRules();
  const release = useChange(() => releaseRecord(record.id));
  const isAllUnsent = record.unsent >= record.here;
  const note = isAllUnsent
    ? t("storage.only_here")
    : rules?.records.includes(record.id)
      ? t("storage.kept")
      : t("storage.of_all", { count: record.files, size: formatBytes(record.bytes) });
  return (
    <tr>
      <td>
        <span className={styles.record} dir="auto">
          <ObjectLink object={record} onLeave={undefined}>
            {record.title || t("library.untitled")}
          </ObjectLink>
        </span>
        <span className={styles.note}>{note}</span>
      </td>
      <td className={styles.number}>{formatBytes(record.here)}</td>
      <td>
        <Button small isDisabled={isAllUnsent} isPending={release.isPending} onPress={() => release.mutate()}>
          {t("storage.remove")}
        </Button>
      </td>
    </tr>
  );
}
