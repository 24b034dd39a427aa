import { useState } from "react";
import { memberAddress } from "../../api-client/containers.ts";
import { saveFile } from "../../components/save-file.ts";
import type { TreeChecks } from "../../components/tree.tsx";
import { splitPath } from "../../format/names.ts";
import { type Node, pathOf } from "./container-rows.tsx";

/** The selected entries of an archive. A folder includes everything below it. */
export interface ChosenEntries {
  nodes: Node[];
  /** Number of selected entries, including files in folders. */
  count: number;
  sizeBytes: number;
  /** `mixed`: something below it is selected. */
  stateOf: (path: string) => boolean | "mixed";
  toggle: (node: Node) => void;
  /** Check states for a tree of these nodes. */
  checks: (nodes: ReadonlyMap<string, Node>) => TreeChecks;
  clear: () => void;
}

/** Whether an entry can be saved: refused members cannot. */
const mayChoose = (node: Node | undefined): boolean =>
  node?.kind !== "more" && !(node?.kind === "file" && node.at.metadata !== undefined);

/** Selection of archive entries. Selecting a folder selects its content. */
export function useChosenEntries(): ChosenEntries {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Node>>(new Map());
  const paths = [...chosen.keys()];
  const isWithin = (path: string, folder: string) => folder.endsWith("/") && path !== folder && path.startsWith(folder);
  const isWithFolder = (path: string) => paths.some((one) => isWithin(path, one));
  const nodes = [...chosen.values()];
  const stateOf = (path: string) =>
    chosen.has(path) || isWithFolder(path) || (paths.some((one) => isWithin(one, path)) ? "mixed" : false);
  const toggle = (node: Node) => {
    const path = pathOf(node);
    if (node.kind === "more" || isWithFolder(path)) return;
    setChosen((now) => {
      const next = new Map([...now].filter(([one]) => one !== path && !isWithin(one, path)));
      return now.has(path) ? next : next.set(path, node);
    });
  };
  const sum = (amount: (node: Node) => number) => nodes.reduce((total, node) => total + amount(node), 0);
  return {
    nodes,
    count: sum((node) => (node.kind === "folder" ? (node.at.count ?? 0) : 1)),
    sizeBytes: sum((node) => (node.kind === "more" ? 0 : (node.at.size ?? 0))),
    stateOf,
    toggle,
    checks: (all) => ({
      stateOf: ({ id }) => (mayChoose(all.get(id)) ? stateOf(id) : undefined),
      onToggle: ({ id }) => {
        const node = all.get(id);
        if (node) toggle(node);
      },
    }),
    clear: () => setChosen(new Map()),
  };
}

/** Saves entries one at a time, folders as ZIPs; stops at the first failure. */
export async function saveEntries(base: string, nodes: Node[]): Promise<void> {
  for (const node of nodes) {
    const { kind, at } = node;
    const { name } = splitPath(at.key);
    if (!(await saveFile(memberAddress(base, pathOf(node)), kind === "folder" ? `${name}.zip` : name))) return;
  }
}
