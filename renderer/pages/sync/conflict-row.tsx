import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { chooseConflict } from "../../api-client/sync.ts";
import type { Conflict } from "../../api-client/sync-types.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { MarkedText } from "../../components/marked-text.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { showFailure } from "../../components/toast-queue.ts";
import { type ChangedPart, wordChanges } from "../../format/word-changes.ts";
import { ConflictChoices, placeOf, wordsOfValue } from "./conflict-choices.tsx";
import { ObjectLink } from "./object-link.tsx";
import styles from "./sync.module.css";

/** One of the two values, with what only it has marked. */
const sideOf = (parts: ChangedPart[], own: "removed" | "added") =>
  parts
    .filter(({ kind }) => kind === "same" || kind === own)
    .map(({ kind, text }) => ({ text, isMarked: kind === own }));

/** One field with two values: the one that lost is kept until the person chooses. */
export function ConflictRow({ conflict, onLeave }: { conflict: Conflict; onLeave: (() => void) | undefined }) {
  const { t } = useTranslation();
  const { field, within } = placeOf(conflict);
  const label = t(`draft.field.${field as "title"}`, { defaultValue: field.replaceAll("_", " ") });
  const parts = wordChanges(wordsOfValue(conflict.mine), wordsOfValue(conflict.theirs));
  return (
    <div className={styles.row}>
      <div className={styles.rowHead}>
        <span className={styles.what}>
          <ObjectLink object={{ kind: "draft", id: conflict.record }} onLeave={onLeave}>
            {t("sync.conflict", { field: [label, within].filter(Boolean).join(", ") })}
          </ObjectLink>
        </span>
        <StateWord state="needs" />
      </div>
      <div className={styles.values}>
        <div className={styles.value} dir="auto">
          <b>{t("sync.mine")}</b>
          <MarkedText parts={sideOf(parts, "removed")} />
        </div>
        <div className={styles.value} dir="auto">
          <b>{t("sync.theirs")}</b>
          <MarkedText parts={sideOf(parts, "added")} />
        </div>
      </div>
      <div className={styles.actions}>
        <ConflictChoices conflict={conflict} />
      </div>
    </div>
  );
}

/** The same answer for all conflicts, asked once more: the values not chosen are gone afterwards. */
export function SameForAll({ conflicts }: { conflicts: Conflict[] }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<"mine" | "theirs" | null>(null);
  const choose = useMutation({
    mutationFn: async (side: "mine" | "theirs") => {
      for (const { id } of conflicts) await chooseConflict(id, side);
    },
    onError: showFailure,
    onSettled: () => setAsked(null),
  });
  if (conflicts.length < 2) return null;
  const count = conflicts.length;
  return (
    <div className={`${styles.actions} ${styles.all}`}>
      {(["mine", "theirs"] as const).map((side) => (
        <Button key={side} small variant="quiet" onPress={() => setAsked(side)}>
          {t(`sync.all_${side}`, { count })}
        </Button>
      ))}
      <ConfirmDialog
        title={t(`sync.ask_all_${asked ?? "mine"}`, { count })}
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={() => asked && choose.mutate(asked)}
        isPending={choose.isPending}
        confirmLabel={t(`sync.all_${asked ?? "mine"}`, { count })}
      >
        {t(`sync.all_${asked ?? "mine"}_help`)}
      </ConfirmDialog>
    </div>
  );
}
