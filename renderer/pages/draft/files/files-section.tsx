import { FolderPlus, Pause, Play, Plus, UploadCloud } from "lucide-react";
import { useSyncExternalStore } from "react";
import { FileTrigger } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { withVisibleCodes } from "../../../../shared/kernel/characters.ts";
import type { FileEntry } from "../../../api-client/record-types.ts";
import { draftFilesQuery, importFiles } from "../../../api-client/records.ts";
import {
  forgetRefused,
  pauseUploads,
  refusedOf,
  resumeUploads,
  subscribeUploads,
  type Upload,
  uploadsOf,
} from "../../../api-client/upload-queue.ts";
import { usePageQuery } from "../../../api-client/use-page-query.ts";
import { Button } from "../../../components/button.tsx";
import { Checkbox } from "../../../components/choice.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { DropTarget } from "../../../components/drop-target.tsx";
import { InlineNotice, LoadFailure } from "../../../components/notice.tsx";
import { ProgressBar } from "../../../components/progress.tsx";
import { showFailure } from "../../../components/toast-queue.ts";
import { useChange } from "../../../components/use-change.ts";
import { formatBytes, formatSpeed, percentOf } from "../../../format/amounts.ts";
import { formatLeft } from "../../../format/times.ts";
import { useContentPart, useDraftPart, useDraftSession } from "../draft-context.ts";
import { type NamedFile, pickedFiles } from "./dropped-files.ts";
import { FileTable } from "./file-table.tsx";
import styles from "./files.module.css";
import { addClashing, useAddFiles } from "./use-add-files.ts";
import { useDroppedFiles } from "./use-dropped-files.ts";

const noFiles: FileEntry[] = [];
const useUploads = (draftId: string) => useSyncExternalStore(subscribeUploads, () => uploadsOf(draftId));

const maxNotes = 3;
const maxNamed = 8;

/** The draft's files. The user adds files by picker or drop; files of a folder keep their paths. */
export function FilesSection() {
  const { t } = useTranslation();
  const session = useDraftSession();
  const { versions, status } = useDraftPart(({ body }) => body);
  const [options, changeOptions] = useContentPart("files");
  const { data, error, refetch } = usePageQuery(draftFilesQuery(session.id));
  const uploads = useUploads(session.id);
  const importPrevious = useChange(() => importFiles(session.id));
  const { add, clash, setClash } = useAddFiles();
  const readDrop = useDroppedFiles();
  const isLocked = versions.is_latest || status === "published";
  const entries = data?.entries ?? noFiles;
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (isLocked) return <LockedFiles entries={entries} draftId={session.id} />;
  return (
    <>
      <DropTarget
        words={t("files.drop_now")}
        types={["Files"]}
        onDrop={(transfer) => void readDrop(transfer).then((files) => files && add(files), showFailure)}
      />
      <RefusedFiles draftId={session.id} />
      {options.enabled && (
        <>
          <FileTools draftId={session.id} uploads={uploads} entries={entries} onAdd={add} />
          {entries.length > 0 ? (
            <FileTable draftId={session.id} entries={entries} />
          ) : (
            <div className={styles.empty}>
              <UploadCloud size={24} strokeWidth={1.25} aria-hidden="true" />
              <span>{t("files.drop_here")}</span>
              {versions.index > 1 && (
                <Button isPending={importPrevious.isPending} onPress={() => importPrevious.mutate()}>
                  {t("files.carry")}
                </Button>
              )}
            </div>
          )}
        </>
      )}
      {entries.length === 0 && (
        <Checkbox
          isSelected={!options.enabled}
          onChange={(isNone) => changeOptions({ enabled: !isNone })}
          help={t("files.none_help")}
        >
          {t("files.none")}
        </Checkbox>
      )}
      {clash.length > 0 && (
        <ClashDialog
          files={clash}
          onClose={() => setClash([])}
          onChoose={async (way) => {
            setClash([]);
            await addClashing(session, clash, entries, way).catch(showFailure);
          }}
        />
      )}
    </>
  );
}

/** Which files were not added, and why, until the user has read that. */
function RefusedFiles({ draftId }: { draftId: string }) {
  const { t } = useTranslation();
  const files = useSyncExternalStore(subscribeUploads, () => refusedOf(draftId));
  if (files.length === 0) return null;
  return (
    <InlineNotice
      tone="danger"
      title={t("files.refused", { count: files.length })}
      actions={<Button onPress={() => forgetRefused(draftId)}>{t("action.close")}</Button>}
    >
      <ul className={styles.refused}>
        {files.slice(0, maxNamed).map(({ key, reason }) => (
          <li key={key}>{t("files.note", { name: withVisibleCodes(key), text: reason })}</li>
        ))}
        {files.length > maxNamed && <li>{t("files.more_notes", { count: files.length - maxNamed })}</li>}
      </ul>
      {t("files.refused_help", { count: files.length })}
    </InlineNotice>
  );
}

function LockedFiles({ entries, draftId }: { entries: FileEntry[]; draftId: string }) {
  const { t } = useTranslation();
  return (
    <>
      <InlineNotice>{t("files.locked")}</InlineNotice>
      {entries.length > 0 && <FileTable draftId={draftId} entries={entries} isLocked />}
    </>
  );
}

function FileTools({
  draftId,
  uploads,
  entries,
  onAdd,
}: {
  draftId: string;
  uploads: Upload[];
  entries: FileEntry[];
  onAdd: (files: NamedFile[]) => void;
}) {
  const { t } = useTranslation();
  const bytes = entries.reduce((sum, { size = 0 }) => sum + size, 0);
  const isPaused = uploads.length > 0 && uploads.every(({ state }) => state === "paused" || state === "failed");
  return (
    <>
      <div className={styles.tools}>
        <FileTrigger allowsMultiple onSelect={(files) => onAdd(pickedFiles(files))}>
          <Button icon={Plus}>{t("files.add")}</Button>
        </FileTrigger>
        <FileTrigger acceptDirectory onSelect={(files) => onAdd(pickedFiles(files))}>
          <Button icon={FolderPlus}>{t("files.add_folder")}</Button>
        </FileTrigger>
        {uploads.length > 0 && (
          <Button
            variant="quiet"
            icon={isPaused ? Play : Pause}
            onPress={() => (isPaused ? resumeUploads(draftId) : pauseUploads(draftId))}
          >
            {t(isPaused ? "files.resume_all" : "files.pause_all")}
          </Button>
        )}
        <span className={styles.push} />
        {entries.length > 0 && (
          <span className={styles.usage}>{t("files.usage", { count: entries.length, size: formatBytes(bytes) })}</span>
        )}
      </div>
      {uploads.length > 0 && <TotalProgress uploads={uploads} />}
    </>
  );
}

/** The progress of all uploads, without failed ones: their number, speed and remaining time. */
function TotalProgress({ uploads }: { uploads: Upload[] }) {
  const { t } = useTranslation();
  const running = uploads.filter(({ state }) => state !== "failed");
  const size = running.reduce((sum, upload) => sum + upload.size, 0);
  const sent = running.reduce((sum, upload) => sum + upload.sent, 0);
  const speed = running.reduce((sum, upload) => sum + (upload.state === "sending" ? upload.bytesPerSecond : 0), 0);
  const percent = percentOf(sent, size);
  const left = speed > 0 ? [formatSpeed(speed), t("files.left", { time: formatLeft((size - sent) / speed) })] : [];
  return (
    <div className={styles.total}>
      {running.length > 0 && (
        <ProgressBar
          label={t("files.under_way", { count: running.length })}
          value={size > 0 ? sent / size : 0}
          text={[`${percent} %`, ...left].join(" · ")}
        />
      )}
      <span className="visually-hidden" role="status">
        {running.length > 0 && t("files.announce", { percent: percent - (percent % 10) })}
      </span>
      <UploadNotes uploads={uploads} />
    </div>
  );
}

/** Problems of single uploads. They are shown above the table: its rows have a fixed height and may be scrolled away. */
function UploadNotes({ uploads }: { uploads: Upload[] }) {
  const { t } = useTranslation();
  const notes = uploads.filter(({ reason, isOther }) => reason !== undefined || isOther);
  return (
    <div role="status">
      {notes.length > 0 && (
        <ul className={styles.notes}>
          {notes.slice(0, maxNotes).map(({ key, reason }) => (
            <li key={key} className={reason === undefined ? undefined : styles.failed}>
              {t("files.note", { name: key, text: reason ?? t("files.other_file") })}
            </li>
          ))}
          {notes.length > maxNotes && <li>{t("files.more_notes", { count: notes.length - maxNotes })}</li>}
        </ul>
      )}
    </div>
  );
}

function ClashDialog({
  files,
  onClose,
  onChoose,
}: {
  files: NamedFile[];
  onClose: () => void;
  onChoose: (way: "replace" | "both") => Promise<void>;
}) {
  const { t } = useTranslation();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t("files.clash", { count: files.length })}
      actions={
        <>
          <Button onPress={onClose}>{t("files.skip", { count: files.length })}</Button>
          <Button onPress={() => void onChoose("both")}>{t("files.keep_both")}</Button>
          <Button variant="primary" onPress={() => void onChoose("replace")}>
            {t("files.replace")}
          </Button>
        </>
      }
    >
      <ul className={styles.refused}>
        {files.slice(0, maxNamed).map(({ key }) => (
          <li key={key}>
            <code>{key}</code>
          </li>
        ))}
        {files.length > maxNamed && <li>{t("files.more_notes", { count: files.length - maxNamed })}</li>}
      </ul>
    </Dialog>
  );
}
