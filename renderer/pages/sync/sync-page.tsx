import { useTranslation } from "react-i18next";
import { usePageTitle } from "../../shell/page-title.ts";
import styles from "./sync.module.css";
import { SyncPanel } from "./sync-panel.tsx";

/** The sync panel as a page. */
export function SyncPage() {
  const { t } = useTranslation();
  usePageTitle({ label: t("sync.title") });
  return (
    <div className={styles.page}>
      <h1>{t("sync.title")}</h1>
      <SyncPanel />
    </div>
  );
}
