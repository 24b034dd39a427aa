import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordBody } from "../../api-client/record-types.ts";
import { refresh, removeRecord } from "../../api-client/records.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { vocabularyQuery } from "../../api-client/vocabularies.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { Select } from "../../components/select.tsx";
import { ServerNeeded } from "../../components/server-needed.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useChange } from "../../components/use-change.ts";
import { titleText } from "../../format/names.ts";
import { plainCitation } from "./plain-citation.ts";
import styles from "./record.module.css";

/** Deletes a published record. The superuser fills in its tombstone (records 4.7). */
export function RemoveDialog({ record, onClose: close }: { record: RecordBody; onClose: () => void }) {
  const { t } = useTranslation();
  const form = useId();
  const { data: reasons = [] } = useQuery(vocabularyQuery("removalreasons"));
  const { data: status } = useQuery(syncStatusQuery);
  const [reason, setReason] = useState<string | null>(null);
  const [note, setNote] = useState("");
  // The tombstone is public, so it does not start with the citation of a restricted record.
  const [suggested] = useState(() => (record.access.record === "restricted" ? "" : plainCitation(record)));
  const [citation, setCitation] = useState(suggested);
  const remove = useChange(
    () =>
      removeRecord(record.id, {
        ...(reason ? { removal_reason: { id: reason } } : {}),
        note: note.trim(),
        citation_text: citation.trim(),
      }),
    { showsErrorHere: true, onDone: close },
  );
  const onClose = () => {
    close();
    // Somebody else deleted it. The typed note stays until here.
    if (remove.error) void refresh(record.id);
  };
  // If the list of reasons cannot be loaded, the note must give the reason.
  const lacksReason = reasons.length > 0 ? reason === null : note.trim() === "";
  const isAway = status !== undefined && !status.online;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      keepsOpen={note !== "" || citation !== suggested}
      isPending={remove.isPending}
      title={t("removal.title")}
      actions={
        <>
          <Button isDisabled={remove.isPending} onPress={onClose}>
            {t("action.cancel")}
          </Button>
          <Button
            type="submit"
            form={form}
            variant="danger"
            isDisabled={isAway || lacksReason}
            isPending={remove.isPending}
          >
            {t("removal.delete")}
          </Button>
        </>
      }
    >
      <p>{t("removal.means")}</p>
      <form
        id={form}
        className={styles.section}
        onSubmit={(event) => {
          event.preventDefault();
          remove.mutate();
        }}
      >
        <Select
          label={t("removal.reason")}
          value={reason}
          onChange={setReason}
          placeholder={t("removal.choose_reason")}
          isRequired
          isDisabled={reasons.length === 0}
          options={reasons.map(({ id, title }) => ({ id, label: titleText(title, id) }))}
        />
        <TextField
          label={t("removal.note")}
          description={t("removal.note_help")}
          value={note}
          onChange={setNote}
          rows={2}
        />
        <TextField label={t("removal.citation")} value={citation} onChange={setCitation} rows={3} />
      </form>
      <ServerNeeded />
      {remove.error && <InlineNotice tone="danger">{remove.error.message}</InlineNotice>}
    </Dialog>
  );
}
