import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import { isSuperuser, mayAdminister, personQuery } from "../../api-client/people.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState, InlineNotice } from "../../components/notice.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { usePageTitle } from "../../shell/page-title.ts";
import { GroupList } from "../groups/group-list.tsx";
import styles from "./people.module.css";
import { PeopleList } from "./people-list.tsx";

const route = getRouteApi("/people");

/** Users and groups. Only administrators change them, and only on the server (hosts-and-sync 3). */
export function PeoplePage() {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: "/people" });
  const { view = "people" } = route.useSearch();
  const { data: person } = useQuery(personQuery);
  const { data: status } = useQuery(syncStatusQuery);
  usePageTitle({ label: t("place.people") });
  const may = mayAdminister(person);
  const isAway = status !== undefined && !status.online;
  if (status?.state === "local")
    return (
      <div className={styles.page}>
        <h1>{t("place.people")}</h1>
        <EmptyState
          icon={Users}
          title={t("people.alone")}
          actions={<Button onPress={() => void navigate({ to: "/settings" })}>{t("settings.connect")}</Button>}
        >
          {t("people.alone_help")}
        </EmptyState>
      </div>
    );
  return (
    <div className={styles.page}>
      <h1>{t("place.people")}</h1>
      {person && !may && <InlineNotice>{t("people.read_only")}</InlineNotice>}
      {isAway && <InlineNotice tone="warn">{t("people.away")}</InlineNotice>}
      <Tabs
        label={t("place.people")}
        selected={view}
        onSelect={(next) =>
          void navigate({ search: next === "people" ? {} : { view: next as typeof view }, replace: true })
        }
        items={[
          {
            id: "people",
            label: t("people.people"),
            content: <PeopleList mayManage={may} mayInvite={isSuperuser(person)} />,
          },
          {
            id: "groups",
            label: t("people.groups"),
            content: <GroupList mayChange={may && !isAway} person={person} />,
          },
        ]}
      />
    </div>
  );
}
