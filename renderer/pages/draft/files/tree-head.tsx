import { Download, FolderInput, Pencil, Trash2, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/button.tsx";
import { type MenuAction, MenuButton } from "../../../components/menu.tsx";
import { SearchField } from "../../../components/text-field.tsx";
import { formatBytes } from "../../../format/amounts.ts";
import { useContentPart } from "../draft-context.ts";
import { downloadNode, useFileTree } from "./file-actions.ts";
import { entriesOf, type FileNode, orderByName } from "./file-tree.ts";
import styles from "./files.module.css";

export interface TreeHeadProps {
  nodes: FileNode[];
  selected: FileNode[];
  filter: string;
  onFilter: (text: string) => void;
  onClear: () => void;
  onOpen: (isOpen: boolean) => void;
}

/** Filter by name; what can be done with the selected files, or with all. */
export function TreeHead({ nodes, selected, filter, onFilter, onClear, onOpen }: TreeHeadProps) {
  const { t } = useTranslation();
  const { isLocked } = useFileTree();
  const [files, changeFiles] = useContentPart("files");
  const sorting: MenuAction[] = [
    { id: "name", label: t("files.sort_name"), onAction: () => changeFiles({ order: orderByName(nodes) }) },
    {
      id: "added",
      label: t("files.sort_added"),
      isDisabled: (files.order ?? []).length === 0,
      onAction: () => changeFiles({ order: [] }),
    },
  ];
  const opening: MenuAction[] = [
    { id: "open", label: t("files.open_all"), onAction: () => onOpen(true) },
    { id: "close", label: t("files.close_all"), onAction: () => onOpen(false) },
  ];
  const hasFolders = nodes.some(({ kind }) => kind === "folder");
  const actions = [...(isLocked ? [] : sorting), ...(hasFolders ? opening : [])];
  return (
    <div className={styles.head}>
      <div className={styles.filter}>
        <SearchField label={t("files.filter")} value={filter} onChange={onFilter} />
      </div>
      {selected.length > 0 && <SelectedFiles selected={selected} onClear={onClear} />}
      {actions.length > 0 && <MenuButton label={t("files.arrange")} actions={actions} />}
    </div>
  );
}

function SelectedFiles({ selected, onClear }: { selected: FileNode[]; onClear: () => void }) {
  const { t } = useTranslation();
  const { draftId, isLocked, hasFixedNames, isShownInPart, rename, move, remove } = useFileTree();
  const [only] = selected.length === 1 ? selected : [];
  const entries = entriesOf(selected);
  const size = formatBytes(entries.reduce((sum, { size: bytes = 0 }) => sum + bytes, 0));
  return (
    <>
      <span className={styles.usage}>
        {t("files.selected", { count: entries.length })}
        <span className={styles.selectedSize}> · {size}</span>
      </span>
      <span className={styles.rowButtons}>
        {only && (
          <IconButton
            small
            icon={Download}
            label={t(isShownInPart(only) ? "files.download_whole" : "action.download")}
            onPress={() => downloadNode(draftId, only)}
          />
        )}
        {!isLocked && (
          <>
            {only && !hasFixedNames && (
              <IconButton small icon={Pencil} label={t("files.rename")} shortcut="F2" onPress={() => rename(only)} />
            )}
            {!hasFixedNames && (
              <IconButton small icon={FolderInput} label={t("files.move")} onPress={() => move(selected)} />
            )}
            <IconButton
              small
              icon={Trash2}
              label={t("action.remove")}
              shortcut="Delete"
              onPress={() => remove(selected)}
            />
          </>
        )}
        <IconButton small icon={X} label={t("files.select_none")} onPress={onClear} />
      </span>
    </>
  );
}
