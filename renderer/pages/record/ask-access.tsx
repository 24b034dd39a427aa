import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { askForAccess } from "../../api-client/access.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { RichText } from "../../components/rich-text.tsx";
import { ServerNeeded } from "../../components/server-needed.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useChange } from "../../components/use-change.ts";

/** Whether the owner takes requests for the restricted files (interoperability 14). */
export const takesRequests = ({ is_published, parent }: RecordBody): boolean =>
  is_published && parent.access.settings.allow_user_requests;

/** Asks the owner of a record for access to its files. */
export function AskDialog({ record, onClose }: { record: RecordBody; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [message, setMessage] = useState("");
  const conditions = record.parent.access.settings.accept_conditions_text;
  const ask = useChange(() => askForAccess(record.id, message), {
    showsErrorHere: true,
    onDone: ({ id }) => navigate({ to: "/me/requests/$id", params: { id } }),
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      keepsOpen={message !== ""}
      isPending={ask.isPending}
      title={t("record.ask_access.title")}
      actions={
        <>
          <Button isDisabled={ask.isPending} onPress={onClose}>
            {t("action.close")}
          </Button>
          <Button variant="primary" isPending={ask.isPending} onPress={() => ask.mutate()}>
            {t("record.ask_access.send")}
          </Button>
        </>
      }
    >
      <p>{t("record.ask_access.help")}</p>
      <ServerNeeded />
      {conditions && <RichText html={conditions} />}
      <TextField
        label={t("record.ask_access.message")}
        rows={5}
        maxLength={5000}
        value={message}
        onChange={setMessage}
      />
      {ask.error && <InlineNotice tone="danger">{ask.error.message}</InlineNotice>}
    </Dialog>
  );
}
