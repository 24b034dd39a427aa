import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FilePlus2 } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { RecordBody, Tombstone } from "../../api-client/record-types.ts";
import { userQuery } from "../../api-client/vocabularies.ts";
import { Button } from "../../components/button.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { userName } from "../../format/names.ts";
import { formatFull } from "../../format/times.ts";
import styles from "./draft.module.css";
import { DropWords } from "./drop-words.tsx";
import { HeadTitle } from "./head-title.tsx";
import type { Remake } from "./use-remake.ts";
import { useUndoCommands } from "./use-undo-commands.ts";

/** Why a draft that is open can no longer be saved. */
export type Loss =
  | { kind: "discarded" | "withdrawn" }
  | { kind: "edit_discarded" | "published"; record: RecordBody }
  | { kind: "deleted"; tombstone: Tombstone | undefined };

/** Who did what to the draft and when, as far as it is known. */
function useStatement(loss: Loss): string {
  const { t } = useTranslation();
  const tombstone = loss.kind === "deleted" ? loss.tombstone : undefined;
  const by = tombstone?.removed_by?.user;
  const { data: remover } = useQuery({ ...userQuery(by ?? ""), enabled: by !== undefined });
  if (tombstone) {
    const when = formatFull(tombstone.removal_date);
    return t("draft.lost.deleted_by", { name: userName(remover, t("activity.someone")), when });
  }
  if (loss.kind === "published") return t("draft.lost.published", { when: formatFull(loss.record.updated) });
  return t(`draft.lost.${loss.kind}`);
}

/** Stands in place of the head of a draft that is gone: what happened, and a way on with the words in the form. */
export function LostHead({ loss, remake }: { loss: Loss; remake: Remake }) {
  const { t } = useTranslation();
  const statement = useStatement(loss);
  const place = useRef<HTMLDivElement>(null);
  useUndoCommands();
  // What had the focus may be gone with the draft. A field of the form keeps it.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header className={`${styles.head} ${styles.lostHead}`}>
      <HeadTitle />
      <div ref={place} tabIndex={-1} className={styles.lost}>
        <InlineNotice
          tone="danger"
          actions={
            <>
              <Button variant="primary" icon={FilePlus2} isPending={remake.isPending} onPress={() => remake.mutate()}>
                {t("draft.lost.remake")}
              </Button>
              {"record" in loss && (
                <Link to="/records/$id" params={{ id: loss.record.id }}>
                  {t("draft.lost.to_record")}
                </Link>
              )}
              <DropWords isDisabled={remake.isPending} />
            </>
          }
        >
          <h2>{statement}</h2>
          {t("draft.lost.kept")}
        </InlineNotice>
      </div>
    </header>
  );
}
