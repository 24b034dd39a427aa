import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { publicationDoiQuery } from "../../api-client/records.ts";
import { syncStatusQuery, whyAway } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useDraft, useField } from "./draft-context.ts";
import styles from "./publish-doi.module.css";
import { useReserveDoi } from "./use-reserve-doi.ts";

/** The DOI that publishing gives, and whether it lacks a publisher. */
export function usePublicationDoi() {
  const { session, view } = useDraft();
  const { data: doi } = useQuery(publicationDoiQuery(session.id));
  const isOwnDoi = doi?.source === "own" || doi?.source === "on_publish";
  return { doi, needsPublisher: isOwnDoi, lacksPublisher: isOwnDoi && !view.content.metadata.publisher?.trim() };
}

/** The DOI of the record, or why it gets none. Offers to reserve one. */
export function PublicationDoi() {
  return (
    <div className={styles.doi}>
      <DoiOrNone />
    </div>
  );
}

function DoiOrNone() {
  const { t } = useTranslation();
  const { doi } = usePublicationDoi();
  const { data: status } = useQuery(syncStatusQuery);
  const reserve = useReserveDoi();
  const isAway = whyAway(status) !== undefined;
  if (!doi) return null;
  // Another server makes its DOIs itself: none is shown before it is theirs.
  if (status?.upstream && doi.source === "on_publish") return t("upstream.doi", { name: status.upstream.name });
  if (doi.identifier !== null)
    return (
      <>
        <code>{doi.identifier}</code>
        <small>{t(`draft.publish_doi.${doi.source}`)}</small>
      </>
    );
  return (
    <>
      {t("draft.publish_doi.none")}
      <small>{t(`draft.publish_doi.${doi.source}`)}</small>
      {doi.source === "on_request" && (
        <span className={styles.action}>
          <Button small isDisabled={isAway} isPending={reserve.isPending} onPress={() => reserve.mutate()}>
            {t("draft.doi_reserve")}
          </Button>
          {isAway && <small>{t("draft.publish_doi.away")}</small>}
        </span>
      )}
    </>
  );
}

/** A DOI of the service cannot be registered without a publisher (records 3.4). */
export function DoiPublisher() {
  const { t } = useTranslation();
  const publisher = useField("publisher");
  return (
    <TextField
      label={t("draft.publisher")}
      isRequired
      description={t("draft.publish_doi.publisher")}
      value={publisher.value ?? ""}
      onChange={publisher.set}
      onBlur={publisher.onBlur}
    />
  );
}
