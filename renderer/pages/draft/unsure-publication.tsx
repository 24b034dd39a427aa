import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { InlineNotice } from "../../components/notice.tsx";

/** The server that did not say whether it published this draft; undefined where nothing is open. */
export function useUnsureSite(draftId: string): string | undefined {
  const { data: status } = useQuery(syncStatusQuery);
  return status?.upstream?.unsure.some(({ id }) => id === draftId) ? status.upstream.name : undefined;
}

/** Begins the form while nobody knows whether the draft was published. */
export function UnsurePublication({ draftId }: { draftId: string }) {
  const { t } = useTranslation();
  const name = useUnsureSite(draftId);
  return name === undefined ? null : <InlineNotice tone="warn">{t("upstream.unsure", { name })}</InlineNotice>;
}
