import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { syncStatusQuery, whyNoAnswer } from "../api-client/sync.ts";
import { InlineNotice } from "./notice.tsx";
import { ServerReasonIsShown } from "./server-reason.ts";

/** Says why the server, which is needed here, cannot be used now, and leads to the settings if none is connected. */
export function ServerNeeded() {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  if (!status || status.online) return null;
  const reason = whyNoAnswer(status);
  if (reason !== "local") return <InlineNotice tone="warn">{t(`state.server_needed.${reason}`)}</InlineNotice>;
  return (
    <InlineNotice>
      {t("state.server_needed.local")}{" "}
      <Link to="/settings/{-$page}" params={{ page: "server" }}>
        {t("state.server_needed.connect")}
      </Link>
    </InlineNotice>
  );
}

/** A page that needs the server. Offline, one notice says why it cannot be used; content read before stays. */
export function OnServer({ children }: { children: ReactNode }) {
  const { data: status } = useQuery(syncStatusQuery);
  return (
    <ServerReasonIsShown value={status?.online === false}>
      <ServerNeeded />
      {children}
    </ServerReasonIsShown>
  );
}
