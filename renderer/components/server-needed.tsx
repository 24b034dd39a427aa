import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { syncStatusQuery, whyAway } from "../api-client/sync.ts";
import { InlineNotice } from "./notice.tsx";

/** Says why the server, which is needed here, cannot be used now: none is connected, sync is paused, or it is away. */
export function ServerNeeded() {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  if (!status || status.online) return null;
  const reason = whyAway(status) ?? "offline";
  return <InlineNotice tone={reason === "local" ? "info" : "warn"}>{t(`state.server_needed.${reason}`)}</InlineNotice>;
}
