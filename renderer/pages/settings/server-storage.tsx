import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { serverStorageQuery, syncStatusQuery } from "../../api-client/sync.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { ProgressBar } from "../../components/progress.tsx";
import { formatBytes } from "../../format/amounts.ts";
import styles from "./settings.module.css";

/** How much of their storage on the server the user has used; nothing where no server is connected. */
export function ServerStorage() {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const isConnected = Boolean(status?.server);
  const { data, error } = usePageQuery({ ...serverStorageQuery, enabled: isConnected });
  if (!isConnected) return null;
  return (
    <div>
      {data && (
        <ProgressBar
          label={t("storage.on_server")}
          value={data.used_bytes / data.quota_bytes}
          text={t("storage.of_quota", { used: formatBytes(data.used_bytes), quota: formatBytes(data.quota_bytes) })}
        />
      )}
      {error && <p className={styles.help}>{t("storage.on_server_unknown")}</p>}
    </div>
  );
}
