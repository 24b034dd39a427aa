import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { RecordBody } from "../../api-client/record-types.ts";
import { syncStatusQuery, whyAway } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { LinksTab } from "./links-tab.tsx";
import { PeopleTab } from "./people-tab.tsx";
import { RequestsTab } from "./requests-tab.tsx";
import styles from "./share.module.css";

/** Shares a record or draft with users or by link. */
export function ShareDialog({ record, onClose }: { record: RecordBody; onClose: () => void }) {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const hasUpstream = status?.upstream !== undefined;
  const isBlocked = hasUpstream && whyAway(status) !== undefined;
  return (
    <Dialog
      isOpen
      wide
      onClose={onClose}
      title={t("share.title")}
      actions={<Button onPress={onClose}>{t("action.done")}</Button>}
    >
      {isBlocked && (
        <InlineNotice tone="local">
          {t("upstream.needs_network.share", { name: status?.upstream?.name ?? "" })}
        </InlineNotice>
      )}
      {!isBlocked && (
        <Tabs
          label={t("share.title")}
          items={[
            {
              id: "people",
              label: t(hasUpstream ? "share.people" : "share.people_and_groups"),
              content: (
                <Queued>
                  <PeopleTab id={record.id} />
                </Queued>
              ),
            },
            {
              id: "links",
              label: t("share.links"),
              content: (
                <Queued>
                  <LinksTab record={record} server={status?.server ?? null} />
                </Queued>
              ),
            },
            ...(hasUpstream
              ? []
              : [{ id: "requests", label: t("share.requests.title"), content: <RequestsTab record={record} /> }]),
          ]}
        />
      )}
    </Dialog>
  );
}

/** While offline, says that changes are sent later. */
function Queued({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const isAway = status && !status.online && status.upstream === undefined;
  return (
    <div className={styles.panel}>
      {isAway && (
        <InlineNotice tone="local">{t(status.state === "local" ? "share.no_server" : "share.offline")}</InlineNotice>
      )}
      {children}
    </div>
  );
}
