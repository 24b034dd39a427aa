import { Link } from "@tanstack/react-router";
import { Eye } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SyncStatus } from "../../../shared/sync-protocol/sync-status.schema.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import { IconButton } from "../../components/button.tsx";
import { Cover } from "../../components/cover.tsx";
import { MarkedText } from "../../components/marked-text.tsx";
import { Pill } from "../../components/pill.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { htmlWords } from "../../format/html-words.ts";
import type { Marker } from "../../format/marks.ts";
import { rowMark } from "../../shell/row-keys.ts";
import { useColumns } from "./columns.ts";
import { creatorsLine, foundIn } from "./found-in.ts";
import styles from "./library-row.module.css";
import { stageOf, stageTones } from "./record-stage.ts";
import { RowCell } from "./row-cell.tsx";
import { rowKey } from "./selection.ts";
import { workState } from "./work-state.ts";

export interface RowProps {
  record: RecordBody;
  status: SyncStatus | undefined;
  /** Marks matches. */
  marker: Marker;
}

/** A row's text: the title, what asks for attention, and the chosen columns; below it matches in other fields. */
export function RowWords({ record, status, marker }: RowProps) {
  const { t } = useTranslation();
  const { shown } = useColumns();
  const { metadata } = record;
  const title = metadata.title && marker.parts(metadata.title, "metadata.title");
  const state = workState(record.sync, status);
  return (
    <>
      <span className={styles.title}>
        <Cover record={record} size="row" />
        <span dir="auto" className={`${styles.titleText} ${metadata.title ? "" : styles.untitled}`}>
          {title ? <MarkedText parts={title} /> : t("library.untitled")}
        </span>
        {!record.is_published && <Pill tone={stageTones[record.status] ?? "neutral"}>{t(stageOf(record))}</Pill>}
        {record.access.record === "restricted" && <Pill>{t("access.restricted")}</Pill>}
        {/* That all is well needs no word in every row. */}
        {state !== "held" && state !== "local" && <StateWord state={state} />}
      </span>
      {shown.map((column) => (
        <RowCell key={column} column={column} record={record} marker={marker} />
      ))}
      <FoundIn record={record} marker={marker} />
    </>
  );
}

/** Where a search matched, if title and creators do not show it. */
function FoundIn({ record, marker }: Omit<RowProps, "status">) {
  const { t } = useTranslation();
  const { metadata } = record;
  const snippet = marker.snippet(htmlWords(metadata.description ?? ""), "metadata.description");
  if (snippet)
    return (
      <span className={styles.snippet}>
        <MarkedText parts={snippet} />
      </span>
    );
  const shown = [
    ...marker.parts(metadata.title ?? "", "metadata.title"),
    ...marker.parts(creatorsLine(record, marker), "metadata.creators.person_or_org.name"),
  ];
  const further = shown.some(({ isMarked }) => isMarked) ? undefined : foundIn(record, marker);
  if (!further) return null;
  return (
    <span className={styles.snippet}>
      <span className={styles.where}>{t(further.label)}</span> <MarkedText parts={further.parts} />
    </span>
  );
}

interface LibraryRowProps extends RowProps {
  /** Opens the preview: by the button at the end of the row or Space. */
  onLook: () => void;
  /** The row has the focus: an open preview follows. */
  onFocus: () => void;
  isLookedAt: boolean;
}

/** One record or draft; the whole row is a link. */
export function LibraryRow({ onLook, onFocus, isLookedAt, ...row }: LibraryRowProps) {
  const { t } = useTranslation();
  const { record } = row;
  return (
    <div className={styles.rowBox}>
      <Link
        className={`${styles.row} ${isLookedAt ? styles.lookedAt : ""}`}
        to={record.is_published ? "/records/$id" : "/uploads/$id"}
        params={{ id: record.id }}
        {...rowMark(rowKey(record), isLookedAt)}
        onFocus={onFocus}
        onKeyDown={(event) => {
          if (event.key !== " ") return;
          event.preventDefault();
          onLook();
        }}
      >
        <RowWords {...row} />
      </Link>
      <span className={styles.look}>
        <IconButton
          small
          icon={Eye}
          label={t("library.look_at", { title: record.metadata.title ?? t("library.untitled") })}
          onPress={onLook}
        />
      </span>
    </div>
  );
}
