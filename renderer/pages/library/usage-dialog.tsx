import { Link } from "@tanstack/react-router";
import { ChartNoAxesColumn } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ownUsageQuery } from "../../api-client/usage.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Busy, LoadFailure } from "../../components/notice.tsx";
import { UsageTable } from "../../components/usage-table.tsx";
import { formatCount } from "../../format/amounts.ts";

/** The button that opens the views and downloads of the user's own records. */
export function UsageButton() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button small variant="quiet" icon={ChartNoAxesColumn} onPress={() => setOpen(true)}>
        {t("usage.title")}
      </Button>
      {isOpen && <UsageDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function UsageDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = usePageQuery(ownUsageQuery);
  const rows = (data?.records ?? []).map(({ id, metadata, stats }) => ({
    key: id,
    label: (
      <Link to="/records/$id" params={{ id }} dir="auto">
        {metadata.title ?? t("library.untitled")}
      </Link>
    ),
    views: stats?.all_versions.views ?? 0,
    downloads: stats?.all_versions.downloads ?? 0,
  }));
  const total = (kind: "views" | "downloads") => rows.reduce((sum, row) => sum + row[kind], 0);
  return (
    <Dialog
      isOpen
      wide
      onClose={onClose}
      title={t("usage.own")}
      actions={<Button onPress={onClose}>{t("action.close")}</Button>}
    >
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Busy />}
      {data && rows.length === 0 && <p>{t("usage.none")}</p>}
      {rows.length > 0 && (
        <>
          <p>{t("usage.total", { count: rows.length, views: total("views"), downloads: total("downloads") })}</p>
          <UsageTable caption={t("usage.own")} of={t("usage.record")} rows={rows} />
          {data?.isCut && <p>{t("usage.cut", { shown: formatCount(rows.length), total: formatCount(data.total) })}</p>}
        </>
      )}
    </Dialog>
  );
}
