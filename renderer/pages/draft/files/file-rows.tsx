import { useQuery } from "@tanstack/react-query";
import { ChevronRight, Folder, GripVertical, Pause, Play, Star, X } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";
import { Button as AriaButton, FileTrigger } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { trayQuery } from "../../../api-client/sync.ts";
import {
  continueUpload,
  pauseUploads,
  resumeUploads,
  subscribeUploads,
  type Upload,
  uploadsOf,
} from "../../../api-client/upload-queue.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { MenuButton } from "../../../components/menu.tsx";
import { ProgressBar } from "../../../components/progress.tsx";
import { StateWord } from "../../../components/state-word.tsx";
import { formatBytes, formatSpeed, percentOf } from "../../../format/amounts.ts";
import { formatLeft } from "../../../format/times.ts";
import { useContentPart } from "../draft-context.ts";
import { useFileTree, useNodeActions } from "./file-actions.ts";
import { fileIcon } from "./file-icon.ts";
import type { EntryNode, FileNode, FolderNode } from "./file-tree.ts";
import styles from "./files.module.css";

/** A row of the tree: a folder, a file, or an upload in its place. */
export function NodeRow({ node, isOpen }: { node: FileNode; isOpen: boolean }) {
  const { draftId } = useFileTree();
  const upload = useSyncExternalStore(subscribeUploads, () =>
    node.kind === "file" ? uploadsOf(draftId).find(({ key }) => key === node.path) : undefined,
  );
  if (node.kind === "folder") return <FolderRow node={node} isOpen={isOpen} />;
  if (upload) return <UploadRow node={node} upload={upload} />;
  return node.entry.status === "pending" ? <PendingRow node={node} /> : <FileRow node={node} />;
}

/** Drags by the keyboard; a pointer drags the whole row. */
function DragHandle() {
  const { isLocked } = useFileTree();
  return isLocked ? null : (
    <AriaButton slot="drag" className={styles.handle ?? ""}>
      <GripVertical size={12} aria-hidden="true" />
    </AriaButton>
  );
}

function RowName({ name, path, icon }: { name: string; path: string; icon: ReactNode }) {
  return (
    <>
      {icon}
      <span className={styles.name} title={path}>
        {name}
      </span>
    </>
  );
}

function FolderRow({ node, isOpen }: { node: FolderNode; isOpen: boolean }) {
  const { t } = useTranslation();
  const actions = useNodeActions(node);
  return (
    <div className={styles.row}>
      <DragHandle />
      <AriaButton slot="chevron" className={`${styles.chevron} ${isOpen ? styles.open : ""}`}>
        <ChevronRight size={14} aria-hidden="true" />
      </AriaButton>
      <RowName
        name={node.name}
        path={node.path}
        icon={<Folder size={15} strokeWidth={1.6} className={styles.folderIcon} aria-hidden="true" />}
      />
      <span className={styles.note}>{t("files.count", { count: node.count })}</span>
      <span className={styles.size}>{formatBytes(node.bytes)}</span>
      <MenuButton label={t("files.more", { name: node.name })} actions={actions} />
    </div>
  );
}

function FileRow({ node }: { node: EntryNode }) {
  const { t } = useTranslation();
  const { open } = useFileTree();
  const [files] = useContentPart("files");
  const actions = useNodeActions(node);
  const { entry } = node;
  const Icon = fileIcon(entry.key);
  const isPreview = files.default_preview === entry.key;
  return (
    <div className={styles.row}>
      <DragHandle />
      <span />
      <Icon size={15} strokeWidth={1.6} aria-hidden="true" />
      <button
        type="button"
        tabIndex={-1}
        className={`${styles.name} ${styles.opens}`}
        title={entry.key}
        onClick={({ ctrlKey, metaKey, shiftKey }) => {
          // With these keys a press selects.
          if (!ctrlKey && !metaKey && !shiftKey) open(node);
        }}
      >
        {node.name}
      </button>
      <span className={styles.checksum}>
        {isPreview ? (
          <>
            <Star size={11} aria-hidden="true" /> {t("files.is_preview")}
          </>
        ) : (
          <code title={entry.checksum}>{entry.checksum?.replace("md5:", "")}</code>
        )}
      </span>
      <span className={styles.size}>{formatBytes(entry.size ?? 0)}</span>
      <MenuButton label={t("files.more", { name: entry.key })} actions={actions} />
    </div>
  );
}

function UploadRow({ node, upload }: { node: EntryNode; upload: Upload }) {
  const { t } = useTranslation();
  const { draftId, remove } = useFileTree();
  const { key, state, sent, size, bytesPerSecond } = upload;
  const isHalted = state === "paused" || state === "failed";
  const speed =
    state === "sending" && bytesPerSecond > 0
      ? ` · ${formatSpeed(bytesPerSecond)} · ${formatLeft((size - sent) / bytesPerSecond)}`
      : "";
  const word = state === "sending" ? `${percentOf(sent, size)} %${speed}` : t(`files.state_${state}`);
  const Icon = fileIcon(key);
  return (
    <div className={`${styles.row} ${styles.wide}`}>
      <span />
      <Icon size={15} strokeWidth={1.6} aria-hidden="true" />
      <span className={styles.progress}>
        <ProgressBar label={node.name} value={size > 0 ? sent / size : 0} text={word} isPaused={isHalted} />
      </span>
      <span className={styles.rowButtons}>
        <IconButton
          small
          icon={isHalted ? Play : Pause}
          label={t(isHalted ? "files.resume_one" : "files.pause_one", { name: key })}
          onPress={() => (isHalted ? resumeUploads(draftId, key) : pauseUploads(draftId, key))}
        />
        <IconButton small icon={X} label={t("draft.remove_item", { label: key })} onPress={() => remove([node])} />
      </span>
    </div>
  );
}

/** A refused upload, or one from before a reload, which continues when the user chooses the same file again. */
function PendingRow({ node }: { node: EntryNode }) {
  const { t } = useTranslation();
  const { draftId, remove } = useFileTree();
  const { key } = node.entry;
  const { data: tray } = useQuery(trayQuery);
  const isRefused = tray?.hits.hits.some(({ object, operation }) => object.id === draftId && operation.key === key);
  const Icon = fileIcon(key);
  return (
    <div className={`${styles.row} ${styles.wide}`}>
      <span />
      <RowName name={node.name} path={key} icon={<Icon size={15} strokeWidth={1.6} aria-hidden="true" />} />
      {isRefused ? <StateWord state="refused" /> : <span className={styles.note}>{t("files.interrupted")}</span>}
      <span className={styles.rowButtons}>
        <FileTrigger onSelect={(files) => files?.[0] && continueUpload(draftId, key, files[0])}>
          <Button small>{t("files.choose_again")}</Button>
        </FileTrigger>
        <IconButton small icon={X} label={t("draft.remove_item", { label: key })} onPress={() => remove([node])} />
      </span>
    </div>
  );
}
