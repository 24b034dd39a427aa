import { useQuery } from "@tanstack/react-query";
import { Check, CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { syncStatusQuery, trayQuery } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { formatClock } from "../../format/times.ts";
import styles from "./draft.module.css";
import { useDraft } from "./draft-context.ts";
import { DropWords } from "./drop-words.tsx";
import type { Remake } from "./use-remake.ts";

interface SavedLineProps {
  remake: Remake;
}

/** Whether the draft is saved. A failure stays until a save succeeds, so that its buttons can be pressed meanwhile. */
export function SavedLine({ remake }: SavedLineProps) {
  const { t } = useTranslation();
  const { session, view } = useDraft();
  const { data: status } = useQuery(syncStatusQuery);
  const { data: tray } = useQuery(trayQuery);
  if (view.failure !== null)
    return (
      <span className={`${styles.saved} ${styles.savedFailed}`} role="alert">
        <CircleAlert size={13} aria-hidden="true" />
        {view.isRefused ? t("draft.lost.closed") : t("draft.not_saved", { reason: view.failure })}
        {view.isRefused && (
          <>
            <Button small variant="link" isPending={remake.isPending} onPress={() => remake.mutate()}>
              {t("draft.lost.remake")}
            </Button>
            <DropWords isLink isDisabled={remake.isPending} />
          </>
        )}
        <Button small variant="link" onPress={() => void session.save()}>
          {t("action.try_again")}
        </Button>
      </span>
    );
  // What the server refused waits for the user.
  const refused = new Set(tray?.hits.hits.map(({ id }) => id));
  const unsent = view.body.sync?.operations.filter(({ id }) => !refused.has(id)) ?? [];
  const waiting = status?.state === "local" ? 0 : unsent.length;
  const words =
    view.state === "saved"
      ? view.savedAt
        ? t("draft.saved_at", { time: formatClock(view.savedAt) })
        : t("draft.saved")
      : t("draft.saving");
  return (
    <span className={styles.saved}>
      {view.state === "saved" && <Check size={13} aria-hidden="true" />}
      {words}
      {waiting > 0 && ` · ${t("draft.waiting", { count: waiting })}`}
    </span>
  );
}
