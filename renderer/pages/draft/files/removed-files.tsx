import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { RemovedFiles } from "../../../api-client/record-types.ts";
import { removedFilesQuery } from "../../../api-client/records.ts";
import { Button } from "../../../components/button.tsx";
import { showToast } from "../../../components/toast-queue.ts";
import { useChange } from "../../../components/use-change.ts";
import { formatBytes } from "../../../format/amounts.ts";
import { splitPath } from "../../../format/names.ts";
import { formatFull } from "../../../format/times.ts";
import { useDraftSession } from "../draft-context.ts";
import styles from "./files.module.css";

/** Files removed within a day, each with a button that restores it. Nothing without such files. */
export function RemovedFilesList() {
  const { t } = useTranslation();
  const session = useDraftSession();
  const { data } = useQuery(removedFilesQuery(session.id));
  const entries = data?.entries ?? [];
  if (entries.length === 0) return null;
  return (
    <section className={styles.removed} aria-labelledby="removed-files">
      <h3 id="removed-files">{t("files.removed_title")}</h3>
      <p>{t("files.removed_help")}</p>
      <ul>
        {entries.map((entry) => (
          <li key={entry.version_id}>
            <RemovedFile entry={entry} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function RemovedFile({ entry: { key, version_id, size, removed } }: { entry: RemovedFiles["entries"][number] }) {
  const { t } = useTranslation();
  const session = useDraftSession();
  const restore = useChange(() => session.files.restore({ key, versionId: version_id }), {
    onSuccess: (name) => showToast({ tone: "ok", text: t("files.restored", { name: splitPath(name).name }) }),
  });
  return (
    <div className={styles.removedRow}>
      <span className={styles.name} title={key}>
        {key}
      </span>
      <Button
        small
        aria-label={t("files.restore_one", { name: key })}
        isPending={restore.isPending}
        onPress={() => restore.mutate()}
      >
        {t("files.restore")}
      </Button>
      <small>
        {formatBytes(size)} · {formatFull(removed)}
      </small>
    </div>
  );
}
