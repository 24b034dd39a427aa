import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queryClient } from "../../api-client/query-client.ts";
import { draftQuery, releaseDoi } from "../../api-client/records.ts";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useChange } from "../../components/use-change.ts";
import { useContentPart, useDraftSession, useIsLost, useReported, useShownProblems } from "./draft-context.ts";
import { FieldBlock } from "./fields/field-block.tsx";
import fields from "./fields/fields.module.css";
import { useReserveDoi } from "./use-reserve-doi.ts";

/** The DOI: reserved by the server, or an existing one. The server reserves and releases one only while there is a draft. */
export function DoiField() {
  const { t } = useTranslation();
  const session = useDraftSession();
  const { isChecked } = useShownProblems();
  const [pids, change] = useContentPart("pids");
  const isLost = useIsLost();
  const [isTyping, setTyping] = useState(false);
  const doi = pids.doi;
  const reload = () => queryClient.invalidateQueries({ queryKey: draftQuery(session.id).queryKey });
  const reserve = useReserveDoi();
  const release = useChange(() => releaseDoi(session.id), { onSuccess: reload });
  const problem = useReported("pids.doi", isChecked || doi !== undefined);
  const isOwn = doi && doi.provider !== "external";
  const setExternal = (identifier: string) =>
    change({ doi: identifier ? { identifier, provider: "external" } : undefined });
  return (
    <FieldBlock id="field-pids.doi" label={t("draft.doi")} help={t(isLost ? "draft.doi_help_lost" : "draft.doi_help")}>
      {isOwn ? (
        <div className={fields.row}>
          <code className={fields.rowText}>{doi.identifier}</code>
          {!isLost && (
            <Button small isPending={release.isPending} onPress={() => release.mutate()}>
              {t("draft.doi_release")}
            </Button>
          )}
        </div>
      ) : isTyping || doi ? (
        <TextField
          aria-label={t("draft.doi")}
          mono
          placeholder="10.1234/abcd"
          value={doi?.identifier ?? ""}
          onChange={setExternal}
          problem={problem}
        />
      ) : (
        <div className={fields.buttons}>
          {!isLost && (
            <Button small isPending={reserve.isPending} onPress={() => reserve.mutate()}>
              {t("draft.doi_reserve")}
            </Button>
          )}
          <Button small variant="quiet" onPress={() => setTyping(true)}>
            {t("draft.doi_have")}
          </Button>
        </div>
      )}
    </FieldBlock>
  );
}
