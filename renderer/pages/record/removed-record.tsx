import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ArchiveX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { isSuperuser, personQuery } from "../../api-client/people.ts";
import type { Tombstone } from "../../api-client/record-types.ts";
import { restoreRecord } from "../../api-client/records.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { userQuery, vocabularyQuery } from "../../api-client/vocabularies.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/notice.tsx";
import { useChange } from "../../components/use-change.ts";
import { titleText, userName } from "../../format/names.ts";
import { formatFull } from "../../format/times.ts";
import { usePageTitle } from "../../shell/page-title.ts";
import styles from "./record.module.css";

/** The tombstone of a deleted record: citation and reason. Superusers can restore it. */
export function RemovedRecord({ id, tombstone }: { id: string; tombstone: Tombstone }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: person } = useQuery(personQuery);
  const { data: status } = useQuery(syncStatusQuery);
  const { data: reasons } = useQuery(vocabularyQuery("removalreasons"));
  const { data: remover } = useQuery(userQuery(tombstone.removed_by.user));
  const restore = useChange(() => restoreRecord(id));
  usePageTitle({ label: t("place.library"), to: "/me/uploads" }, { label: t("removal.gone") });
  const given = tombstone.removal_reason?.id;
  const reason = given && titleText(reasons?.find((one) => one.id === given)?.title, given);
  const name = userName(remover, "");
  const when = formatFull(tombstone.removal_date);
  return (
    <>
      <h1 className="visually-hidden">{t("removal.gone")}</h1>
      <EmptyState
        icon={ArchiveX}
        title={t("removal.gone")}
        actions={
          <>
            <Button onPress={() => void navigate({ to: "/me/uploads" })}>{t("page.to_library")}</Button>
            {isSuperuser(person) && (
              <Button
                isDisabled={status?.online === false}
                isPending={restore.isPending}
                onPress={() => restore.mutate()}
              >
                {t("removal.restore")}
              </Button>
            )}
          </>
        }
      >
        {name ? t("removal.by", { name, when }) : t("removal.at", { when })}
      </EmptyState>
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
