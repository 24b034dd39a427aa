import { useQuery } from "@tanstack/react-query";
import { HardDriveDownload, Quote, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { citationsOf } from "../../api-client/citations.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import { discardDrafts } from "../../api-client/records.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/choice.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { saveBlob } from "../../components/save-file.ts";
import { showFailure, showToast } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import { forgetRecent } from "../../shell/recent.ts";
import { useRules } from "../settings/keeping-section.tsx";
import styles from "./library.module.css";
import type { Selection } from "./selection.ts";

const mayDiscard = ({ is_published, status }: RecordBody) => !is_published && status !== "in_review";

/** The selection and its actions. `shown`: rows that can be selected. */
export function SelectionBar({ selection, shown }: { selection: Selection; shown: RecordBody[] }) {
  const { t } = useTranslation();
  const { chosen, choose, end } = selection;
  const records = [...chosen.values()];
  const isAll = records.length > 0 && records.length >= shown.length;
  return (
    <div className={styles.bar} role="toolbar" aria-label={t("library.select.title")}>
      <Checkbox
        isSelected={isAll}
        isIndeterminate={records.length > 0 && !isAll}
        // Replaces the button that had the focus.
        autoFocus={selection.first === undefined}
        onChange={(isOn) => choose(isOn ? shown : [])}
      >
        {records.length > 0
          ? t("library.select.count", { count: records.length })
          : t("library.select.all", { count: shown.length })}
      </Checkbox>
      <KeepButton records={records} />
      <CitationsButton records={records} />
      <DiscardButton records={records} onDone={choose} />
      <span className={styles.push} />
      <Button small onPress={end}>
        {t("action.done")}
      </Button>
    </div>
  );
}

/** Makes the files of all available offline, or no longer. */
function KeepButton({ records }: { records: RecordBody[] }) {
  const { t } = useTranslation();
  const { rules, change } = useRules();
  const { data: status } = useQuery(syncStatusQuery);
  if (!rules || !status?.server) return null;
  const ids = records.map(({ id }) => id);
  const areKept = ids.length > 0 && ids.every((id) => rules.records.includes(id));
  return (
    <Button
      small
      icon={HardDriveDownload}
      isDisabled={ids.length === 0}
      onPress={() =>
        change(({ records: now }) => {
          const others = now.filter((id) => !ids.includes(id));
          return { records: areKept ? others : [...others, ...new Set(ids)] };
        })
      }
    >
      {t(areKept ? "library.select.let_go" : "keeping.keep")}
    </Button>
  );
}

/** Saves the published ones as one BibTeX file. */
function CitationsButton({ records }: { records: RecordBody[] }) {
  const { t } = useTranslation();
  const published = records.filter(({ is_published }) => is_published);
  const save = useChange(() => citationsOf(published.map(({ id }) => id)), {
    onSuccess: (text) => saveBlob(new Blob([text], { type: "application/x-bibtex" }), "carrel.bib"),
  });
  return (
    <Button
      small
      icon={Quote}
      isDisabled={published.length === 0}
      isPending={save.isPending}
      onPress={() => save.mutate()}
    >
      {t("library.select.cite", { count: published.length })}
    </Button>
  );
}

/** Discards the selected drafts, and counts them meanwhile. */
function DiscardButton({ records, onDone }: { records: RecordBody[]; onDone: (left: RecordBody[]) => void }) {
  const { t } = useTranslation();
  const [isConfirming, setConfirming] = useState(false);
  const [doneCount, setDoneCount] = useState(0);
  const drafts = records.filter(mayDiscard);
  const discard = useChange(
    async () => {
      setDoneCount(0);
      const refused = await discardDrafts(
        drafts.map(({ id }) => id),
        (id) => {
          forgetRecent(`/uploads/${id}`);
          setDoneCount((count) => count + 1);
        },
      );
      for (const error of refused.values()) showFailure(error);
      return drafts.filter(({ id }) => refused.has(id));
    },
    {
      showsErrorHere: true,
      onSuccess: (left) => {
        const done = drafts.length - left.length;
        if (done > 0) showToast({ tone: "ok", text: t("library.select.discarded", { count: done }) });
        onDone([...records.filter((record) => !mayDiscard(record)), ...left]);
      },
      onSettled: () => setConfirming(false),
    },
  );
  return (
    <>
      <Button small variant="danger" icon={Trash2} isDisabled={drafts.length === 0} onPress={() => setConfirming(true)}>
        {t("library.select.discard", { count: drafts.length })}
      </Button>
      <ConfirmDialog
        title={t("library.select.discard_title", { count: drafts.length })}
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => discard.mutate()}
        confirmLabel={
          discard.isPending && drafts.length > 1
            ? t("library.select.discarding", { done: doneCount, count: drafts.length })
            : t("library.select.discard", { count: drafts.length })
        }
        isPending={discard.isPending}
        isDangerous
      >
        <p>{t("library.select.discard_body")}</p>
        {drafts.length < records.length && <p>{t("library.select.stay", { count: records.length - drafts.length })}</p>}
      </ConfirmDialog>
    </>
  );
}
