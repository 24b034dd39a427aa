import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordBody } from "../../api-client/record-types.ts";
import { draftQuery } from "../../api-client/records.ts";
import { chooseConflict, syncStatusQuery } from "../../api-client/sync.ts";
import type { Conflict } from "../../api-client/sync-types.ts";
import { userQuery } from "../../api-client/vocabularies.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { MarkedText } from "../../components/marked-text.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { useChange } from "../../components/use-change.ts";
import { userName } from "../../format/names.ts";
import { formatAgo } from "../../format/times.ts";
import { type ChangedPart, wordChanges } from "../../format/word-changes.ts";
import { ConflictChoices } from "./conflict-choices.tsx";
import { usePlaceWords } from "./conflict-place.ts";
import { ObjectLink } from "./object-link.tsx";
import styles from "./sync.module.css";
import { useConflictWords } from "./value-words.ts";

/** One value with its differences marked. */
const sideOf = (parts: ChangedPart[], own: "removed" | "added") =>
  parts
    .filter(({ kind }) => kind === "same" || kind === own)
    .map(({ kind, text }) => ({ text, isMarked: kind === own }));

/** Author of the current value: a colleague, or the same user on another computer. */
function useTheirName({ theirs_by }: Conflict): string {
  const { t } = useTranslation();
  const { data: other } = useQuery({ ...userQuery(theirs_by ?? ""), enabled: theirs_by !== null });
  const { data: status } = useQuery(syncStatusQuery);
  if (theirs_by !== null && status?.user?.id === theirs_by) return t("sync.theirs_own");
  return userName(other, t("sync.theirs"));
}

/** Conflicts by record. */
export function ConflictRows({ conflicts, onLeave }: { conflicts: Conflict[]; onLeave: (() => void) | undefined }) {
  const records = [...new Set(conflicts.map(({ record }) => record))];
  return records.map((record) => (
    <DisputedRecord
      key={record}
      id={record}
      conflicts={conflicts.filter((conflict) => conflict.record === record)}
      onLeave={onLeave}
    />
  ));
}

interface DisputedRecordProps {
  id: string;
  conflicts: Conflict[];
  onLeave: (() => void) | undefined;
}

function DisputedRecord({ id, conflicts, onLeave }: DisputedRecordProps) {
  const { t } = useTranslation();
  const { data } = useQuery(draftQuery(id));
  return (
    <section className={styles.disputed} aria-labelledby={`disputed-${id}`}>
      <h3 id={`disputed-${id}`} className={styles.what} dir="auto">
        <ObjectLink object={{ kind: "draft", id }} onLeave={onLeave}>
          {data?.metadata.title ?? t("library.untitled")}
        </ObjectLink>
      </h3>
      {conflicts
        .toSorted((a, b) => a.path.localeCompare(b.path))
        .map((conflict) => (
          <ConflictRow key={conflict.id} conflict={conflict} metadata={data?.metadata} />
        ))}
    </section>
  );
}

/** One field with two values. The lost one is kept until the user chooses. */
function ConflictRow({ conflict, metadata }: { conflict: Conflict; metadata: RecordBody["metadata"] | undefined }) {
  const { t } = useTranslation();
  const otherName = useTheirName(conflict);
  const { whole } = usePlaceWords()(conflict, metadata);
  const { mine, theirs } = useConflictWords(conflict);
  const parts = wordChanges(mine, theirs);
  return (
    <div className={styles.row}>
      <div className={styles.rowHead}>
        <span className={styles.what}>{t("sync.conflict", { field: whole })}</span>
        <StateWord state="needs" />
      </div>
      <div className={styles.values}>
        <div className={styles.value} dir="auto">
          <b>{t("sync.mine", { when: formatAgo(conflict.created) })}</b>
          <MarkedText parts={sideOf(parts, "removed")} />
        </div>
        <div className={styles.value} dir="auto">
          <b>{otherName}</b>
          <MarkedText parts={sideOf(parts, "added")} />
        </div>
      </div>
      <div className={styles.actions}>
        <ConflictChoices conflict={conflict} />
      </div>
    </div>
  );
}

/** Resolves all conflicts alike, after a confirmation. */
export function SameForAll({ conflicts }: { conflicts: Conflict[] }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<"mine" | "theirs" | null>(null);
  const choose = useChange(
    async (side: "mine" | "theirs") => {
      for (const { id } of conflicts) await chooseConflict(id, side);
    },
    { onSettled: () => setAsked(null) },
  );
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
