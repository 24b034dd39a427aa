import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ArchiveX } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isSuperuser, personQuery } from "../../api-client/people.ts";
import type { Tombstone } from "../../api-client/record-types.ts";
import { restoreRecord } from "../../api-client/records.ts";
import { notificationsQuery, syncStatusQuery } from "../../api-client/sync.ts";
import { userQuery, vocabularyQuery } from "../../api-client/vocabularies.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/notice.tsx";
import { useChange } from "../../components/use-change.ts";
import { titleText, userName } from "../../format/names.ts";
import { formatFull } from "../../format/times.ts";
import { usePageTitle } from "../../shell/page-title.ts";
import { PageFailure } from "../page-failure.tsx";
import styles from "./record.module.css";

interface RemovedProps {
  remover: string;
  when: string;
  words?: string;
  actions?: ReactNode;
}

/** Says that the record was deleted, by whom and when. */
function Removed({ remover, when, words, actions }: RemovedProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: user } = useQuery(userQuery(remover));
  usePageTitle({ label: t("place.library"), to: "/me/uploads" }, { label: t("removal.gone") });
  const name = userName(user, "");
  return (
    <>
      <h1 className="visually-hidden">{t("removal.gone")}</h1>
      <EmptyState
        icon={ArchiveX}
        title={t("removal.gone")}
        actions={
          <>
            <Button onPress={() => void navigate({ to: "/me/uploads" })}>{t("page.to_library")}</Button>
            {actions}
          </>
        }
      >
        {name ? t("removal.by", { name, when: formatFull(when) }) : t("removal.at", { when: formatFull(when) })} {words}
      </EmptyState>
    </>
  );
}

interface MissingProps {
  id: string;
  error: Error;
  onRetry: () => void;
}

/** A record that is not there. Its owner may know by a notification that it was deleted without a page of its own. */
export function MissingRecord({ id, ...failure }: MissingProps) {
  const { t } = useTranslation();
  const { data } = useQuery(notificationsQuery);
  const notice = data?.hits.hits.find(({ record }) => record === id);
  if (!notice) return <PageFailure {...failure} />;
  return <Removed remover={notice.actor} when={notice.created} words={t("removal.hidden")} />;
}

/** The tombstone of a deleted record: citation and reason. Superusers can restore it. */
export function RemovedRecord({ id, tombstone }: { id: string; tombstone: Tombstone }) {
  const { t } = useTranslation();
  const { data: person } = useQuery(personQuery);
  const { data: status } = useQuery(syncStatusQuery);
  const { data: reasons } = useQuery(vocabularyQuery("removalreasons"));
  const restore = useChange(() => restoreRecord(id));
  const given = tombstone.removal_reason?.id;
  const reason = given && titleText(reasons?.find((one) => one.id === given)?.title, given);
  return (
    <>
      <Removed
        remover={tombstone.removed_by.user}
        when={tombstone.removal_date}
        actions={
          isSuperuser(person) && (
            <Button
              isDisabled={status?.online === false}
              isPending={restore.isPending}
              onPress={() => restore.mutate()}
            >
              {t("removal.restore")}
            </Button>
          )
        }
      />
      <dl className={styles.removed}>
        {reason && (
          <>
            <dt>{t("removal.reason")}</dt>
            <dd>{reason}</dd>
          </>
        )}
        {tombstone.note && (
          <>
            <dt>{t("removal.note")}</dt>
            <dd dir="auto">{tombstone.note}</dd>
          </>
        )}
        {tombstone.citation_text && (
          <>
            <dt>{t("removal.citation")}</dt>
            <dd dir="auto">{tombstone.citation_text}</dd>
          </>
        )}
      </dl>
    </>
  );
}
