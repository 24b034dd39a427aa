import { useTranslation } from "react-i18next";
import { Tabs } from "../../components/tabs.tsx";
import { CommentsTab } from "./comments-tab.tsx";
import { useDraftPart } from "./draft-context.ts";
import { DraftStatus } from "./draft-status.tsx";
import { HistoryTab } from "./history-tab.tsx";
import { WhoTab } from "./who-tab.tsx";

/** Next to the form: status, people, review comments, versions. */
export function DraftInspector() {
  const { t } = useTranslation();
  const body = useDraftPart((view) => view.body);
  return (
    <Tabs
      label={t("draft.beside")}
      items={[
        { id: "status", label: t("draft.status"), content: <DraftStatus /> },
        { id: "people", label: t("share.people"), content: <WhoTab body={body} /> },
        { id: "comments", label: t("draft.comments"), content: <CommentsTab body={body} /> },
        { id: "history", label: t("draft.history"), content: <HistoryTab body={body} /> },
      ]}
    />
  );
}
