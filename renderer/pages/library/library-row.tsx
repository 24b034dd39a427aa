import { Link } from "@tanstack/react-router";
import { Eye } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SyncStatus } from "../../../shared/sync-protocol/sync-status.schema.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import { IconButton } from "../../components/button.tsx";
import { MarkedText } from "../../components/marked-text.tsx";
import { Pill } from "../../components/pill.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { formatBytes } from "../../format/amounts.ts";
import { htmlWords } from "../../format/html-words.ts";
import type { Marker } from "../../format/marks.ts";
import { titleText } from "../../format/names.ts";
import { formatAgo, formatEdtf } from "../../format/times.ts";
import { rowMark } from "../../shell/row-keys.ts";
import { creatorsLine, foundIn } from "./found-in.ts";
import styles from "./library-row.module.css";
import { stageOf, stageTones } from "./record-stage.ts";
import { rowKey } from "./selection.ts";
import { workState } from "./work-state.ts";

export interface RowProps {
  record: RecordBody;
  status: SyncStatus | undefined;
  /** Marks matches. */
  marker: Marker;
}

/** A row's text: two lines, and a third for matches in other fields. */
export function RowWords({ record, status, marker }: RowProps) {
  const { t } = useTranslation();
  const { metadata, versions, files } = record;
  const type = metadata.resource_type;
  const title = metadata.title && marker.parts(metadata.title, "metadata.title");
  const creators = marker.parts(creatorsLine(record, marker), "metadata.creators.person_or_org.name");
  const snippet = marker.snippet(htmlWords(metadata.description ?? ""), "metadata.description");
  const isShown = snippet !== undefined || [...(title || []), ...creators].some(({ isMarked }) => isMarked);
  const further = isShown ? undefined : foundIn(record, marker);
  return (
    <>
      <div className={styles.words}>
        <div className={styles.title}>
          <span dir="auto" className={`${styles.titleText} ${metadata.title ? "" : styles.untitled}`}>
            {title ? <MarkedText parts={title} /> : t("library.untitled")}
          </span>
          {!record.is_published && <Pill tone={stageTones[record.status] ?? "neutral"}>{t(stageOf(record))}</Pill>}
          {record.access.record === "restricted" && <Pill>{t("access.restricted")}</Pill>}
        </div>
        <div className={styles.meta}>
          <span>{creators.length > 0 ? <MarkedText parts={creators} /> : t("library.no_creators")}</span>
          {type && <span>{titleText(type.title, type.id)}</span>}
          {metadata.publication_date && <span>{formatEdtf(metadata.publication_date)}</span>}
          {versions.index > 1 && <span>{t("library.version", { index: versions.index })}</span>}
        </div>
        {snippet && (
          <div className={styles.snippet}>
            <MarkedText parts={snippet} />
          </div>
        )}
        {further && (
          <div className={styles.snippet}>
            <span className={styles.where}>{t(further.label)}</span> <MarkedText parts={further.parts} />
          </div>
        )}
      </div>
      <StateWord state={workState(record.sync, status)} />
      <div className={styles.when}>
        {formatAgo(record.updated)}
        {Boolean(files.total_bytes) && <span className={styles.size}>{formatBytes(files.total_bytes ?? 0)}</span>}
      </div>
    </>
  );
}

interface LibraryRowProps extends RowProps {
  /** Opens the preview: by the button at the end of the row or Space. */
  onLook: () => void;
}

/** One record or draft; the whole row is a link. */
export function LibraryRow({ onLook, ...row }: LibraryRowProps) {
  const { t } = useTranslation();
  const { record } = row;
  return (
    <div className={styles.rowBox}>
      <Link
        className={styles.row ?? ""}
        to={record.is_published ? "/records/$id" : "/uploads/$id"}
        params={{ id: record.id }}
        {...rowMark(rowKey(record))}
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
