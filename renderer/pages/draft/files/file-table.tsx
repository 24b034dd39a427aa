import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import {
  type KeyboardEvent,
  memo,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Collection, type Key, ListLayout, Tree, TreeItem, TreeItemContent, Virtualizer } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { FileEntry } from "../../../api-client/record-types.ts";
import { syncStatusQuery } from "../../../api-client/sync.ts";
import { useShownPreview } from "../../record/shown-preview.ts";
import { FileTreeContext, isArchive, type OnRename, useFileChanges, useFileTree } from "./file-actions.ts";
import { useFileDrag } from "./file-drag.tsx";
import { NodeRow } from "./file-rows.tsx";
import { type FileNode, nodesById, openAfter, outermost, treeOf } from "./file-tree.ts";
import styles from "./files.module.css";
import { LookedAtFile } from "./looked-at-file.tsx";
import { MoveDialog, RenameDialog } from "./name-dialogs.tsx";
import { TreeHead } from "./tree-head.tsx";
import { useShownSelection } from "./use-shown-selection.ts";

const layout = { estimatedRowSize: 37, dropIndicatorThickness: 2 };
/** With more files than this, folders are closed at first. */
const fewFiles = 60;
/** So many files need no filter. */
const fewest = 3;

interface Latest {
  selected: FileNode[];
  /** All nodes, whatever the filter shows of them. */
  byId: ReadonlyMap<string, FileNode>;
  remove: (nodes: FileNode[]) => void;
  look: (path: string | null) => void;
}
type FileDialogState = { what: "rename" | "move"; nodes: FileNode[] } | null;

const folderIds = (nodes: Iterable<FileNode>) => [...nodes].flatMap(({ kind, id }) => (kind === "folder" ? [id] : []));

/** The tree, whose unchanged nodes stay the same objects. */
function useTree(entries: readonly FileEntry[]) {
  const known = useRef<Map<string, FileNode>>(new Map());
  return useMemo(() => {
    const nodes = treeOf(entries, known.current);
    known.current = nodesById(nodes);
    return { nodes, byId: known.current };
  }, [entries]);
}

/** The open dialog, and the functions that open one. These never change, so that opening renders no row. */
function useFileDialog(
  { draftId, isLocked, hasFixedNames }: Pick<FileTreeContext, "draftId" | "isLocked" | "hasFixedNames">,
  latest: RefObject<Latest>,
) {
  const navigate = useNavigate();
  const [openDialog, setOpenDialog] = useState<FileDialogState>(null);
  const context = useMemo(
    (): FileTreeContext => ({
      draftId,
      isLocked,
      hasFixedNames,
      isShownInPart: (node) => node.kind === "folder" && latest.current.byId.get(node.id) !== node,
      targetsOf: (node) => {
        const { selected } = latest.current;
        return selected.includes(node) ? outermost(selected) : [node];
      },
      open: (node) => {
        if (isArchive(node)) void navigate({ to: "/uploads/$id/files/$", params: { id: draftId, _splat: node.path } });
        else if (node.kind === "file" && node.entry.status === "completed") latest.current.look(node.path);
      },
      // A folder that the filter shows in part gets its new name as a whole.
      rename: (node) => setOpenDialog({ what: "rename", nodes: [latest.current.byId.get(node.id) ?? node] }),
      move: (nodes) => setOpenDialog({ what: "move", nodes }),
      remove: (nodes) => latest.current.remove(nodes),
    }),
    [draftId, isLocked, hasFixedNames, latest, navigate],
  );
  return { openDialog, close: () => setOpenDialog(null), context };
}

/** After a dialog that renamed the row with the focus, the focus is on its new row. */
function useFocusAfter(openDialog: FileDialogState, tree: RefObject<HTMLDivElement | null>) {
  const renamed = useRef<string>(undefined);
  useEffect(() => {
    const key = renamed.current;
    if (openDialog !== null || key === undefined) return;
    renamed.current = undefined;
    // The dialog gives the focus back in the next frame.
    const frame = requestAnimationFrame(() =>
      tree.current?.querySelector<HTMLElement>(`[role=row][data-key="${CSS.escape(key)}"]`)?.focus(),
    );
    return () => cancelAnimationFrame(frame);
  }, [openDialog, tree]);
  return renamed;
}

interface FileTableProps {
  draftId: string;
  entries: FileEntry[];
  isLocked?: boolean;
}

/**
 * The files of a draft as a tree of folders. Only the visible rows are in the page. Several are selected with Shift and
 * Ctrl; F2 renames, Delete removes, Enter opens.
 */
export const FileTable = memo(function FileTable({ draftId, entries, isLocked = false }: FileTableProps) {
  const { t } = useTranslation();
  const { nodes, byId } = useTree(entries);
  const folders = useMemo(() => folderIds(byId.values()), [byId]);
  const { filter, wanted, shown, shownById, selection, selected, select, onFilter } = useShownSelection(nodes, byId);
  const [open, setOpen] = useState<Iterable<Key>>(() => (entries.length <= fewFiles ? folders : []));
  const changes = useFileChanges(draftId, (names, { folder, ids }) => {
    setOpen((before) => openAfter(before, names, folder));
    select(new Set(ids));
    renamed.current = ids[0];
  });
  const { data: hasFixedNames = false } = useQuery({
    ...syncStatusQuery,
    select: ({ upstream }) => upstream !== undefined,
  });
  const { shown: lookedAt, show: look } = useShownPreview(null);
  const latest = useRef<Latest>({ selected, byId, remove: changes.remove.mutate, look });
  latest.current = { selected, byId, remove: changes.remove.mutate, look };
  const { openDialog, close, context } = useFileDialog({ draftId, isLocked, hasFixedNames }, latest);
  const tree = useRef<HTMLDivElement>(null);
  const renamed = useFocusAfter(openDialog, tree);
  const { dragAndDropHooks } = useFileDrag({
    ...{ nodes, byId, shownById, isLocked, hasFixedNames },
    onMove: changes.move.mutate,
  });
  const onAction = (key: Key) => {
    const node = byId.get(String(key));
    if (node?.kind === "file") context.open(node);
    else setOpen((before) => toggled(before, key));
  };
  return (
    <FileTreeContext value={context}>
      <RowKeys byId={shownById} selected={selected} isFlat={folders.length === 0}>
        {entries.length > fewest && (
          <TreeHead
            nodes={nodes}
            selected={outermost(selected)}
            filter={filter}
            onFilter={onFilter}
            onClear={() => select(new Set())}
            onOpen={(isOpen) => setOpen(isOpen ? folders : [])}
          />
        )}
        <Virtualizer layout={ListLayout} layoutOptions={layout}>
          <Tree
            ref={tree}
            aria-label={t("files.title")}
            className={styles.tree ?? ""}
            items={shown}
            selectionMode="multiple"
            selectionBehavior="replace"
            selectedKeys={selection}
            onSelectionChange={select}
            expandedKeys={wanted ? folders : open}
            onExpandedChange={setOpen}
            onAction={onAction}
            dragAndDropHooks={dragAndDropHooks}
            renderEmptyState={() => <div className={styles.none}>{t("files.none_found", { text: wanted })}</div>}
          >
            {itemOf(t)}
          </Tree>
        </Virtualizer>
      </RowKeys>
      <FileDialog openDialog={openDialog} byId={byId} onRename={changes.rename} onClose={close} />
      {lookedAt !== null && <LookedAtFile at={lookedAt} entries={entries} byId={byId} onLook={look} />}
    </FileTreeContext>
  );
});

interface RowKeysProps {
  byId: ReadonlyMap<string, FileNode>;
  selected: readonly FileNode[];
  isFlat: boolean;
  children: ReactNode;
}

/** F2 renames the row that has the focus; Delete removes what is selected, else that row. */
function RowKeys({ byId, selected, isFlat, children }: RowKeysProps) {
  const { isLocked, hasFixedNames, rename, remove } = useFileTree();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const node = isLocked ? undefined : byId.get(rowKey(event) ?? "");
    if (!node) return;
    if (event.key === "F2" && !hasFixedNames) rename(node);
    else if (["Delete", "Backspace"].includes(event.key)) remove(selected.length > 0 ? outermost(selected) : [node]);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the rows
    <div className={`${styles.table} ${isFlat ? styles.flat : ""}`} onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}

interface FileDialogProps {
  openDialog: FileDialogState;
  byId: ReadonlyMap<string, FileNode>;
  onRename: OnRename;
  onClose: () => void;
}

function FileDialog({ openDialog, byId, onRename, onClose }: FileDialogProps) {
  const [first] = openDialog?.nodes ?? [];
  if (!openDialog || !first) return null;
  const { what, nodes } = openDialog;
  if (what === "rename") return <RenameDialog node={first} onRename={onRename} onClose={onClose} />;
  const folders = [...byId.values()].flatMap(({ kind, path }) => (kind === "folder" ? [path] : []));
  return <MoveDialog nodes={nodes} folders={folders} onRename={onRename} onClose={onClose} />;
}

/** The row that a plain key is pressed in; not in a menu of it. */
function rowKey({ target, currentTarget, ctrlKey, metaKey, altKey }: KeyboardEvent<HTMLElement>): string | undefined {
  if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return undefined;
  if (ctrlKey || metaKey || altKey || target instanceof HTMLInputElement) return undefined;
  return target.closest<HTMLElement>("[role=row]")?.dataset.key;
}

function toggled(keys: Iterable<Key>, key: Key): Set<Key> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** An item with its items. A function, because a component for each of thousands of files takes longer. */
const itemOf =
  (t: TFunction) =>
  (node: FileNode): ReactElement => (
    <TreeItem
      id={node.id}
      textValue={node.name}
      aria-label={node.kind === "folder" ? t("files.folder_name", { name: node.name, count: node.count }) : node.name}
      className={styles.item ?? ""}
    >
      <TreeItemContent>{({ isExpanded }) => <NodeRow node={node} isOpen={isExpanded} />}</TreeItemContent>
      {node.kind === "folder" && <Collection items={node.children}>{itemOf(t)}</Collection>}
    </TreeItem>
  );
