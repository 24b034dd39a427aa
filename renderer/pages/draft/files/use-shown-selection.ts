import { useDeferredValue, useMemo, useState } from "react";
import type { Key, Selection } from "react-aria-components";
import { type FileNode, fileIds, filterTree, nodesById, selectionAfter } from "./file-tree.ts";

/** What a filter shows of the tree, and the selection in it: a folder is the files that the filter found in it. */
export function useShownSelection(nodes: readonly FileNode[], byId: ReadonlyMap<string, FileNode>) {
  const [filter, setFilter] = useState("");
  const wanted = useDeferredValue(filter).trim();
  const shown = useMemo(() => filterTree(nodes, wanted), [nodes, wanted]);
  const shownById = useMemo(() => (wanted === "" ? byId : nodesById(shown)), [wanted, byId, shown]);
  const [selection, setSelection] = useState<ReadonlySet<Key>>(new Set());
  const selected = [...selection].flatMap((key) => shownById.get(String(key)) ?? []);
  return {
    ...{ filter, wanted, shown, shownById, selection, selected },
    select: (keys: Selection) =>
      setSelection((before) => (keys === "all" ? new Set(shownById.keys()) : selectionAfter(before, keys, shownById))),
    onFilter: (text: string) => {
      setFilter(text);
      // Another filter shows other files of a folder, which nobody selected.
      setSelection(new Set(fileIds(selected)));
    },
  };
}
