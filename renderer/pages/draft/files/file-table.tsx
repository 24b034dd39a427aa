import { useNavigate } from "@tanstack/react-router";
import { FileArchive, FileIcon, FileImage, FileText, type LucideIcon, Pause, Play, Star, X } from "lucide-react";
import { useState } from "react";
import { Button as AriaButton, FileTrigger } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { FileEntry } from "../../../api-client/record-types.ts";
import { deleteFile, draftFileContent } from "../../../api-client/records.ts";
import {
  continueUpload,
  dropUpload,
  pauseUploads,
  resumeUploads,
  type Upload,
} from "../../../api-client/upload-queue.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { type MenuAction, MenuButton } from "../../../components/menu.tsx";
import previewStyles from "../../../components/preview/preview-dialog.module.css";
import { PreviewDialog, type PreviewedFile } from "../../../components/preview/preview-dialog.tsx";
import { ProgressBar } from "../../../components/progress.tsx";
import { saveFile } from "../../../components/save-file.ts";
import { showFailure, showToast } from "../../../components/toast-queue.ts";
import { useChange } from "../../../components/use-change.ts";
import { VirtualList } from "../../../components/virtual-list.tsx";
import { formatBytes, formatSpeed, percentOf } from "../../../format/amounts.ts";
import { splitPath } from "../../../format/names.ts";
import { formatLeft } from "../../../format/times.ts";
import { useContent, useDraft } from "../draft-context.ts";
import styles from "./files.module.css";

export function fileIcon(key: string): LucideIcon {
  if (/\.(zip|tar|gz|7z|bz2)$/i.test(key)) return FileArchive;
  if (/\.(png|jpe?g|gif|tiff?|svg|webp)$/i.test(key)) return FileImage;
  if (/\.(txt|md|csv|json|xml|pdf|html?)$/i.test(key)) return FileText;
  return FileIcon;
}

const rowPx = 40;
const manyRows = 30;

/** All files of a draft, with upload progress. Long lists are virtual. */
export function FileTable({
  draftId,
  entries,
  uploads,
  isLocked = false,
}: {
  draftId: string;
  entries: FileEntry[];
  uploads: Upload[];
  isLocked?: boolean;
}) {
  const { t } = useTranslation();
  const byKey = new Map(uploads.map((upload) => [upload.key, upload]));
  const [shown, setShown] = useState<string>();
  const row = (entry: FileEntry) => {
    const upload = byKey.get(entry.key);
    if (upload) return <UploadRow draftId={draftId} upload={upload} />;
    if (entry.status === "pending") return <PendingRow draftId={draftId} entry={entry} />;
    return <FileRow draftId={draftId} entry={entry} isLocked={isLocked} onPreview={() => setShown(entry.key)} />;
  };
  const preview = shown !== undefined && (
    <PreviewDialog
      files={previewedFiles(draftId, entries)}
      at={shown}
      onChange={setShown}
      onClose={() => setShown(undefined)}
    />
  );
  if (entries.length > manyRows)
    return (
      <div className={`${styles.table} ${styles.scroll}`} style={{ height: "30rem" }}>
        <VirtualList label={t("files.title")} items={entries} keyOf={({ key }) => key} estimatePx={rowPx}>
          {row}
        </VirtualList>
        {preview}
      </div>
    );
  return (
    <>
      <ul className={styles.table} aria-label={t("files.title")}>
        {entries.map((entry) => (
          <li key={entry.key}>{row(entry)}</li>
        ))}
      </ul>
      {preview}
    </>
  );
}

/** Completed files of a draft, for previews. */
function previewedFiles(draftId: string, entries: readonly FileEntry[]): PreviewedFile[] {
  const done = entries.filter(({ status }) => status === "completed");
  const keys = new Set(done.map(({ key }) => key));
  const urlOf = (path: string) => (keys.has(path) ? draftFileContent(draftId, path) : undefined);
  return done.map(({ key, size = 0 }) => ({ key, size, url: draftFileContent(draftId, key), urlOf }));
}

function FileName({ path, onPress }: { path: string; onPress?: () => void }) {
  const { folder, name } = splitPath(path);
  const words = (
    <>
      {folder && <span className={styles.folder}>{folder}</span>}
      {name}
    </>
  );
  if (onPress)
    return (
      <AriaButton className={previewStyles.name ?? ""} onPress={onPress}>
        {words}
      </AriaButton>
    );
  return (
    <span className={styles.name} title={path}>
      {words}
    </span>
  );
}

/** Cancels an upload. */
function useRemove(draftId: string, key: string) {
  return useChange(async () => {
    dropUpload(draftId, key);
    await deleteFile(draftId, key);
  });
}

/** Removes a file. A message offers to undo that. */
function useRemoval(entry: FileEntry) {
  const { t } = useTranslation();
  const { session } = useDraft();
  return useChange(() => session.removeFile(entry), {
    onSuccess: (file) =>
      file &&
      showToast({
        tone: "ok",
        text: t("files.removed", { name: splitPath(entry.key).name }),
        action: { label: t("action.undo"), onAction: () => void session.restoreFile(file).catch(showFailure) },
      }),
  });
}

function FileRow({
  draftId,
  entry,
  isLocked,
  onPreview,
}: {
  draftId: string;
  entry: FileEntry;
  isLocked: boolean;
  onPreview: () => void;
}) {
  const { t } = useTranslation();
  const { content, change } = useContent();
  const remove = useRemoval(entry);
  const Icon = fileIcon(entry.key);
  const isPreview = content.files.default_preview === entry.key;
  const navigate = useNavigate();
  const checksum = entry.checksum?.replace("md5:", "") ?? "";
  const isArchive = /\.zip$/i.test(entry.key);
  const look: MenuAction = { id: "look", label: t("files.look"), onAction: onPreview };
  const browse: MenuAction = {
    id: "browse",
    label: t("files.browse"),
    onAction: () => void navigate({ to: "/uploads/$id/files/$", params: { id: draftId, _splat: entry.key } }),
  };
  const actions: MenuAction[] = [
    isArchive ? browse : look,
    {
      id: "save",
      label: t("action.download"),
      onAction: () => void saveFile(`${draftFileContent(draftId, entry.key)}?download=1`, splitPath(entry.key).name),
    },
    {
      id: "checksum",
      label: t("files.copy_checksum"),
      onAction: () =>
        void navigator.clipboard.writeText(checksum).then(() => showToast({ tone: "ok", text: t("action.copied") })),
    },
    ...(isLocked
      ? []
      : [
          {
            id: "preview",
            label: t(isPreview ? "files.preview_off" : "files.preview_on"),
            onAction: () => change({ files: { ...content.files, default_preview: isPreview ? null : entry.key } }),
          },
          { id: "remove", label: t("action.remove"), isDangerous: true, onAction: () => remove.mutate() },
        ]),
  ];
  return (
    <div className={styles.row}>
      <Icon size={15} strokeWidth={1.6} aria-hidden="true" />
      <FileName path={entry.key} onPress={isArchive ? browse.onAction : onPreview} />
      <span className={styles.checksum}>
        {isPreview ? (
          <>
            <Star size={11} aria-hidden="true" /> {t("files.is_preview")}
          </>
        ) : (
          <code title={entry.checksum}>{checksum}</code>
        )}
      </span>
      <span className={styles.size}>{formatBytes(entry.size ?? 0)}</span>
      <MenuButton label={t("files.more", { name: entry.key })} actions={actions} />
    </div>
  );
}

function UploadRow({ draftId, upload }: { draftId: string; upload: Upload }) {
  const { t } = useTranslation();
  const remove = useRemove(draftId, upload.key);
  const { key, state, sent, size, bytesPerSecond, reason } = upload;
  const isHalted = state === "paused" || state === "failed";
  const speed =
    state === "sending" && bytesPerSecond > 0
      ? ` · ${formatSpeed(bytesPerSecond)} · ${formatLeft((size - sent) / bytesPerSecond)}`
      : "";
  const word = state === "sending" ? `${percentOf(sent, size)} %${speed}` : t(`files.state_${state}`);
  const Icon = fileIcon(key);
  return (
    <div className={`${styles.row} ${styles.wide}`}>
      <Icon size={15} strokeWidth={1.6} aria-hidden="true" />
      <span className={styles.progress}>
        <ProgressBar label={key} value={size > 0 ? sent / size : 0} text={word} isPaused={isHalted} />
      </span>
      <span className={styles.rowButtons}>
        <IconButton
          small
          icon={isHalted ? Play : Pause}
          label={t(isHalted ? "files.resume_one" : "files.pause_one", { name: key })}
          onPress={() => (isHalted ? resumeUploads(draftId, key) : pauseUploads(draftId, key))}
        />
        <IconButton small icon={X} label={t("draft.remove_item", { label: key })} onPress={() => remove.mutate()} />
      </span>
      {reason && <span className={styles.reason}>{reason}</span>}
    </div>
  );
}

/** A pending upload of an earlier start. The user must choose the same file to resume it. */
function PendingRow({ draftId, entry }: { draftId: string; entry: FileEntry }) {
  const { t } = useTranslation();
  const remove = useRemove(draftId, entry.key);
  const Icon = fileIcon(entry.key);
  return (
    <div className={`${styles.row} ${styles.wide}`}>
      <Icon size={15} strokeWidth={1.6} aria-hidden="true" />
      <FileName path={entry.key} />
      <span className={styles.usage}>{t("files.interrupted")}</span>
      <span />
      <span className={styles.rowButtons}>
        <FileTrigger onSelect={(files) => files?.[0] && continueUpload(draftId, entry.key, files[0])}>
          <Button small>{t("files.choose_again")}</Button>
        </FileTrigger>
        <IconButton
          small
          icon={X}
          label={t("draft.remove_item", { label: entry.key })}
          onPress={() => remove.mutate()}
        />
      </span>
    </div>
  );
}
