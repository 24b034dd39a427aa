import { useQuery } from "@tanstack/react-query";
import { PenLine } from "lucide-react";
import { useTranslation } from "react-i18next";
import { presenceQuery } from "../../../api-client/presence.ts";
import { useDraftSession } from "../draft-context.ts";
import styles from "../people-here.module.css";
import { MergeNotice } from "./merge-notice.tsx";

/** Under a field: who else edits it, and its conflict. */
export function FieldNotes({ field }: { field: string }) {
  const { t } = useTranslation();
  const session = useDraftSession();
  const { data: people } = useQuery(presenceQuery(session.id));
  const here = people.filter(
    (person) => person.field === (field.startsWith("custom_fields.") ? field : `metadata.${field}`),
  );
  return (
    <>
      {here.map(({ seat, name }) => (
        <span key={seat} className={styles.writing}>
          <PenLine size={12} aria-hidden="true" />
          {t("draft.writing", { name })}
        </span>
      ))}
      <MergeNotice field={field} />
    </>
  );
}
