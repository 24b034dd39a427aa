import { useQueries } from "@tanstack/react-query";
import { Ellipsis, FileIcon, FileWarning, Folder, FolderOpen } from "lucide-react";
import { useState } from "react";
import { type ContainerDirectory, type ContainerEntry, directoryQuery, pageSize } from "../../api-client/containers.ts";
import type { TreeRow } from "../../components/tree.tsx";
import { formatBytes, formatCount } from "../../format/amounts.ts";
import { splitPath } from "../../format/names.ts";

export type Node =
  | { kind: "folder"; at: ContainerDirectory }
  | { kind: "file"; at: ContainerEntry }
  | { kind: "more"; at: { key: string } };

interface Children {
  nodes: Node[];
  isTruncated: boolean;
}

/** The path of a node in the address. That of a folder ends with a slash: a file beside it may have its name. */
export const pathOf = ({ kind, at }: Node): string => (kind === "folder" ? `${at.key}/` : at.key);

const byName = (a: Node, b: Node) => a.at.key.localeCompare(b.at.key, undefined, { numeric: true });

/** Visible rows of the tree in order, each with its node. */
function flatten(children: Map<string, Children>, open: ReadonlyMap<string, number>, more: string) {
  const rows: TreeRow[] = [];
  const nodes = new Map<string, Node>();
  const walk = (folder: string, level: number) => {
    const { nodes: list = [], isTruncated = false } = children.get(folder) ?? {};
    const setSize = list.length + (isTruncated ? 1 : 0);
    list.forEach((node, index) => {
      const { key } = node.at;
      const isFolder = node.kind === "folder";
      const path = pathOf(node);
      const isOpen = isFolder && open.has(path);
      const isRefused = node.kind === "file" && node.at.metadata !== undefined;
      const Icon = isFolder ? (isOpen ? FolderOpen : Folder) : isRefused ? FileWarning : FileIcon;
      const size = node.kind === "more" ? 0 : (node.at.size ?? 0);
      const count = node.kind === "folder" && node.at.count !== undefined ? formatCount(node.at.count) : "";
      // If several members have one name, the path means the last one.
      const id = !isFolder && list[index + 1]?.at.key === key ? `${key}//${index}` : path;
      nodes.set(id, node);
      rows.push({
        id,
        name: isRefused ? key : splitPath(key).name,
        level,
        isFolder,
        isOpen,
        setSize,
        position: index + 1,
        icon: <Icon size={14} strokeWidth={1.6} aria-hidden="true" />,
        aside: isFolder ? count : formatBytes(size),
      });
      if (isOpen) walk(path, level + 1);
    });
    if (!isTruncated) return;
    const id = `${folder}//more`;
    nodes.set(id, { kind: "more", at: { key: folder } });
    const icon = <Ellipsis size={14} aria-hidden="true" />;
    rows.push({ id, name: more, level, isFolder: false, isOpen: false, setSize, position: setSize, icon });
  };
  walk("", 1);
  return { rows, nodes };
}

/** The paths of the folders around a path, outermost first; the first is the root. */
const foldersAround = (path: string): string[] =>
  path
    .replace(/\/$/, "")
    .split("/")
    .map((_, depth, names) =>
      names
        .slice(0, depth)
        .map((name) => `${name}/`)
        .join(""),
    );

/**
 * The tree of an archive. Loads each folder when opened, a thousand children at a time.
 * @param first the path that is visible at first.
 */
export function useContainerRows(base: string, { more, first }: { more: string; first: string }) {
  // Number of loaded pages by folder path; the root is always open.
  const [open, setOpen] = useState<ReadonlyMap<string, number>>(
    () => new Map(foldersAround(first).map((folder) => [folder, 1])),
  );
  const wanted = [...open].flatMap(([path, pages]) =>
    Array.from({ length: pages }, (_, page) => ({ path, page: page + 1 })),
  );
  const answers = useQueries({ queries: wanted.map(({ path, page }) => directoryQuery(base, path, page)) });
  const children = new Map<string, Children>();
  wanted.forEach(({ path }, index) => {
    const listing = answers[index]?.data;
    if (!listing) return;
    const { nodes: before } = children.get(path) ?? { nodes: [] };
    const folders = listing.directories.map((at): Node => ({ kind: "folder", at })).sort(byName);
    const files = listing.entries.map((at): Node => ({ kind: "file", at })).sort(byName);
    children.set(path, { nodes: [...before, ...folders, ...files], isTruncated: listing.truncated });
  });
  const set = (path: string, pages: number | undefined) => {
    const next = new Map(open);
    if (pages === undefined) next.delete(path);
    else next.set(path, pages);
    setOpen(next);
  };
  return {
    ...flatten(children, open, more),
    root: answers[0],
    isPending: answers.some((answer) => answer.isPending),
    toggle: (path: string) => set(path, open.has(path) ? undefined : 1),
    loadMore: (path: string) => set(path, (open.get(path) ?? 1) + 1),
    pageSize,
  };
}
