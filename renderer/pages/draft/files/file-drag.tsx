import { DropIndicator, type Key, useDragAndDrop } from "react-aria-components";
import type { FileName } from "../../../api-client/record-types.ts";
import { useContentPart } from "../draft-context.ts";
import type { AfterRename } from "./file-actions.ts";
import { type FileNode, idUnder, mayMoveTo, namesAfterMove, orderAfterMove, outermost, parentOf } from "./file-tree.ts";
import styles from "./files.module.css";

interface FileDrag {
  nodes: FileNode[];
  byId: ReadonlyMap<string, FileNode>;
  /** What the filter shows, which is what moves. */
  shownById: ReadonlyMap<string, FileNode>;
  isLocked: boolean;
  /** Files only change their order. */
  hasFixedNames: boolean;
  onMove: (move: { names: FileName[]; after: AfterRename }) => void;
}

/** Drags files onto a folder, or between two rows, which also sets the order. */
export function useFileDrag({ nodes, byId, shownById, isLocked, hasFixedNames, onMove }: FileDrag) {
  const [, changeFiles] = useContentPart("files");
  const nodeOf = (key: Key) => byId.get(String(key));
  return useDragAndDrop<FileNode>({
    isDisabled: isLocked,
    getItems: (keys) => [...keys].map((key) => ({ "text/plain": nodeOf(key)?.name ?? "" })),
    getAllowedDropOperations: () => ["move"],
    shouldAcceptItemDrop: (target) => !hasFixedNames && nodeOf(target.key)?.kind === "folder",
    renderDropIndicator: (target) => <DropIndicator target={target} className={styles.drop ?? ""} />,
    onMove: ({ keys, target: { key, dropPosition } }) => {
      const moving = outermost([...keys].flatMap((one) => shownById.get(String(one)) ?? []));
      const target = nodeOf(key);
      if (!target) return;
      const folder = dropPosition === "on" ? target.path : parentOf(target);
      if (!mayMoveTo(moving, folder)) return;
      const names = namesAfterMove(moving, folder);
      if (names.length > 0 && hasFixedNames) return;
      if (names.length > 0) {
        const ids = moving.map((node) => idUnder(node, folder));
        return onMove({ names, after: { folder, ids } });
      }
      if (dropPosition === "on") return;
      changeFiles({ order: orderAfterMove(nodes, moving, target, dropPosition) });
    },
  });
}
