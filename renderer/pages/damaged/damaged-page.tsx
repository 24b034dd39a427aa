import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { salvage, salvageQuery } from "../../api-client/salvage.ts";
import { reachQuery } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { Busy, InlineNotice } from "../../components/notice.tsx";
import { showToast } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import styles from "./damaged.module.css";

const againMs = 1000;

/**
 * Replaces every page while the library cannot be read: the problem, what is safe, and the repair (hosts-and-sync 7).
 * Polls while Carrel is still starting.
 */
export function DamagedPage() {
  const { t } = useTranslation();
  const { data } = useQuery(salvageQuery);
  useQuery({ ...reachQuery, refetchInterval: data ? false : againMs });
  const mend = useChange(salvage, {
    showsErrorHere: true,
    onSuccess: (count) => showToast({ tone: count > 0 ? "ok" : "danger", text: t("damaged.done", { count }) }),
  });
  if (!data) return <Busy />;
  return (
    <main className={styles.page}>
      <div className={styles.column}>
        <h1>{t("damaged.title")}</h1>
        <p className={styles.lead}>{t("damaged.lead")}</p>
        <ul>
          <li>{t("damaged.saved")}</li>
          <li>{t("damaged.fetched")}</li>
          <li>{t("damaged.kept")}</li>
        </ul>
        {mend.error && <InlineNotice tone="danger">{mend.error.message}</InlineNotice>}
        <div>
          <Button variant="primary" isPending={mend.isPending} onPress={() => mend.mutate()}>
            {t("damaged.mend")}
          </Button>
        </div>
        <p className={styles.foot}>{t("damaged.backup")}</p>
        <p className={styles.foot}>
          <code>{data.damage}</code>
        </p>
      </div>
    </main>
  );
}
