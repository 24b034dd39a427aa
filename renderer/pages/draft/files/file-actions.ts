import { createContext, useContext } from "react";
import { useTranslation } from "react-i18next";
import type { FileName } from "../../../api-client/record-types.ts";
import { draftArchive, draftFileContent } from "../../../api-client/records.ts";
import { dropUpload } from "../../../api-client/upload-queue.ts";
import { copyText } from "../../../components/copy-text.ts";
import type { MenuAction } from "../../../components/menu.tsx";
import { saveFile } from "../../../components/save-file.ts";
import { showFailure, showToast } from "../../../components/toast-queue.ts";
import { useChange } from "../../../components/use-change.ts";
import { splitPath } from "../../../format/names.ts";
import { useContentPart, useDraftSession } from "../draft-context.ts";
import type { FileStep } from "../undo-history.ts";
import { entriesOf, type FileNode } from "./file-tree.ts";

/** What the rows and the head of the tree call. */
export interface FileTreeContext {
  draftId: string;
  isLocked: boolean;
  /** An InvenioRDM does not rename files. */
  hasFixedNames: boolean;
  /** Whether the filter hides some files of a folder. */
  isShownInPart: (node: FileNode) => boolean;
  /** What a menu or key of a row acts on: the selection when the row is in it. */
  targetsOf: (node: FileNode) => FileNode[];
  /** Opens the preview of a file, or looks into an archive. */
  open: (node: FileNode) => void;
  rename: (node: FileNode) => void;
  move: (nodes: FileNode[]) => void;
  remove: (nodes: FileNode[]) => void;
}

export const FileTreeContext = createContext<FileTreeContext | null>(null);

export function useFileTree(): FileTreeContext {
  const value = useContext(FileTreeContext);
  if (!value) throw new Error("A row of the files stands outside of their tree.");
  return value;
}

/** What a change of names leads to: the folder that opens, and the rows that are selected. */
export interface AfterRename {
  folder: string;
  ids: string[];
}
export type OnRename = (names: FileName[], after: AfterRename) => Promise<void>;

/** Changes of the files. A message offers to undo a removal or a move. */
export function useFileChanges(draftId: string, onRenamed: (names: FileName[], after: AfterRename) => void) {
  const { t } = useTranslation();
  const session = useDraftSession();
  const offerUndo = (text: string, step: FileStep) =>
    showToast({
      tone: "ok",
      text,
      action: { label: t("action.undo"), onAction: () => void session.files.undo(step).catch(showFailure) },
    });
  const remove = useChange(
    (nodes: FileNode[]) => {
      const entries = entriesOf(nodes);
      for (const { key, status } of entries) if (status === "pending") dropUpload(draftId, key);
      return session.files.remove(entries);
    },
    {
      onSuccess: (step, nodes) => {
        const [first] = nodes;
        const count = entriesOf(nodes).length;
        const isOne = nodes.length === 1 && first?.kind === "file";
        const words = isOne ? t("files.removed", { name: first.name }) : t("files.removed_many", { count });
        if (step) offerUndo(words, step);
      },
    },
  );
  const rename: OnRename = async (names, after) => {
    if (names.length > 0) await session.files.rename(names);
    onRenamed(names, after);
  };
  const move = useChange(async ({ names }: { names: FileName[]; after: AfterRename }) => session.files.rename(names), {
    onSuccess: (step, { names, after }) => {
      onRenamed(names, after);
      const folder = splitPath(after.folder.slice(0, -1)).name || t("files.top");
      offerUndo(t("files.moved", { count: names.length, folder }), step);
    },
  });
  return { remove, rename, move };
}

export const isArchiveName = (key: string): boolean => /\.zip$/i.test(key);
export const isArchive = ({ kind, path }: FileNode): boolean => kind === "file" && isArchiveName(path);

/** Downloads a file, or a folder as a ZIP. */
export function downloadNode(draftId: string, node: FileNode) {
  const address =
    node.kind === "folder" ? draftArchive(draftId, node.path) : `${draftFileContent(draftId, node.path)}?download=1`;
  void saveFile(address, node.kind === "folder" ? `${node.name}.zip` : node.name);
}

/** The menu of a file or folder. */
export function useNodeActions(node: FileNode): MenuAction[] {
  const { t } = useTranslation();
  const { draftId, isLocked, hasFixedNames, isShownInPart, targetsOf, open, rename, move, remove } = useFileTree();
  const mayRename = !isLocked && !hasFixedNames;
  const [files, changeFiles] = useContentPart("files");
  const isPreview = files.default_preview === node.path;
  const checksum = node.kind === "file" ? node.entry.checksum?.replace("md5:", "") : undefined;
  const offered: [isOffered: boolean, action: MenuAction][] = [
    [
      node.kind === "file",
      { id: "look", label: t(isArchive(node) ? "files.browse" : "files.look"), onAction: () => open(node) },
    ],
    [
      true,
      {
        id: "save",
        label: t(isShownInPart(node) ? "files.download_whole" : "action.download"),
        onAction: () => downloadNode(draftId, node),
      },
    ],
    [
      checksum !== undefined,
      {
        id: "checksum",
        label: t("files.copy_checksum"),
        onAction: () => void copyText(checksum ?? ""),
      },
    ],
    [mayRename, { id: "rename", label: t("files.rename"), onAction: () => rename(node) }],
    [mayRename, { id: "move", label: t("files.move"), onAction: () => move(targetsOf(node)) }],
    [
      !isLocked && node.kind === "file",
      {
        id: "preview",
        label: t(isPreview ? "files.preview_off" : "files.preview_on"),
        onAction: () => changeFiles({ default_preview: isPreview ? null : node.path }),
      },
    ],
    [
      !isLocked,
      { id: "remove", label: t("action.remove"), isDangerous: true, onAction: () => remove(targetsOf(node)) },
    ],
  ];
  return offered.filter(([isOffered]) => isOffered).map(([, action]) => action);
}
