import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { chooseConflict } from "../../api-client/sync.ts";
import type { Conflict } from "../../api-client/sync-types.ts";
import { Button } from "../../components/button.tsx";
import { MarkedText } from "../../components/marked-text.tsx";
import { plainText } from "../../components/rich-text.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { showFailure } from "../../components/toast-queue.ts";
import { type ChangedPart, wordChanges } from "../../format/word-changes.ts";
import { wordsOf } from "../compare/compare-records.ts";
import { ObjectLink } from "./object-link.tsx";
import styles from "./sync.module.css";

const show = (value: unknown): string => (typeof value === "string" ? plainText(value) : wordsOf(value)) || "–";

/** One of the two values, with what only it has marked. */
const sideOf = (parts: ChangedPart[], own: "removed" | "added") =>
  parts
    .filter(({ kind }) => kind === "same" || kind === own)
    .map(({ kind, text }) => ({ text, isMarked: kind === own }));

/** One field with two values: the one that lost is kept until the person chooses. */
export function ConflictRow({ conflict, onLeave }: { conflict: Conflict; onLeave: (() => void) | undefined }) {
  const { t } = useTranslation();
  const choose = useMutation({
    mutationFn: (side: "mine" | "theirs") => chooseConflict(conflict.id, side),
    onError: showFailure,
  });
  const [name = "", ...rest] = conflict.path.replace(/^metadata[./]/, "").split(/[./]/);
  const label = t(`draft.field.${name as "title"}`, { defaultValue: name.replaceAll("_", " ") });
  const parts = wordChanges(show(conflict.mine), show(conflict.theirs));
  const field = [label, ...rest].join(" ");
  return (
    <div className={styles.row}>
      <div className={styles.rowHead}>
        <span className={styles.what}>
          <ObjectLink object={{ kind: "draft", id: conflict.record }} onLeave={onLeave}>
            {t("sync.conflict", { field })}
          </ObjectLink>
        </span>
        <StateWord state="needs" />
      </div>
      <div className={styles.values}>
        <div className={styles.value}>
          <b>{t("sync.mine")}</b>
          <MarkedText parts={sideOf(parts, "removed")} />
        </div>
        <div className={styles.value}>
          <b>{t("sync.theirs")}</b>
          <MarkedText parts={sideOf(parts, "added")} />
        </div>
      </div>
      <div className={styles.actions}>
        <Button small isPending={choose.isPending && choose.variables === "mine"} onPress={() => choose.mutate("mine")}>
          {t("sync.keep_mine")}
        </Button>
        <Button
          small
          isPending={choose.isPending && choose.variables === "theirs"}
          onPress={() => choose.mutate("theirs")}
        >
          {t("sync.use_theirs")}
        </Button>
      </div>
    </div>
  );
}
