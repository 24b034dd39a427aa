import type { FileEntry, FileName } from "../../../api-client/record-types.ts";
import { splitPath } from "../../../format/names.ts";

export interface FolderNode {
  kind: "folder";
  id: string;
  /** With its closing slash. */
  path: string;
  name: string;
  children: FileNode[];
  count: number;
  bytes: number;
}

export interface EntryNode {
  kind: "file";
  id: string;
  path: string;
  name: string;
  entry: FileEntry;
}

export type FileNode = FolderNode | EntryNode;

const collator = new Intl.Collator(undefined, { numeric: true });

const folderId = (path: string): string => `folder:${path}`;

/** The folder that a file or folder is in, with its closing slash; empty at the top. */
export const parentOf = ({ kind, path }: FileNode): string =>
  splitPath(kind === "folder" ? path.slice(0, -1) : path).folder;

function folderOf(path: string, children: FileNode[], known: ReadonlyMap<string, FileNode>): FolderNode {
  const id = folderId(path);
  const before = known.get(id);
  const isSame = before?.kind === "folder" && before.children.length === children.length;
  if (isSame && before.children.every((child, index) => child === children[index])) return before;
  const sum = (of: (child: FileNode) => number) => children.reduce((total, child) => total + of(child), 0);
  const count = sum((child) => (child.kind === "folder" ? child.count : 1));
  const bytes = sum((child) => (child.kind === "folder" ? child.bytes : (child.entry.size ?? 0)));
  return { kind: "folder", id, path, name: splitPath(path.slice(0, -1)).name, children, count, bytes };
}

function childrenOf(folder: string, entries: readonly FileEntry[], known: ReadonlyMap<string, FileNode>): FileNode[] {
  const groups = new Map<string, FileEntry[]>();
  for (const entry of entries) {
    const cut = entry.key.indexOf("/", folder.length);
    const name = cut < 0 ? entry.key : entry.key.slice(0, cut + 1);
    const group = groups.get(name);
    if (group) group.push(entry);
    else groups.set(name, [entry]);
  }
  return [...groups].map(([path, group]) => {
    const [entry] = group;
    if (path.endsWith("/") || !entry) return folderOf(path, childrenOf(path, group, known), known);
    // A renamed file keeps its row.
    const id = `file:${entry.version_id ?? path}`;
    const before = known.get(id);
    if (before?.kind === "file" && before.entry === entry) return before;
    return { kind: "file", id, path, name: path.slice(folder.length), entry };
  });
}

/**
 * Files as a tree, in the order of the collection; a folder stands where its first file does. Unchanged nodes are those
 * of `known`, so that nothing renders them again.
 */
export const treeOf = (entries: readonly FileEntry[], known: ReadonlyMap<string, FileNode> = new Map()): FileNode[] =>
  childrenOf("", entries, known);

/** All nodes, each folder before what is in it. */
function* walk(nodes: readonly FileNode[]): Generator<FileNode> {
  for (const node of nodes) {
    yield node;
    if (node.kind === "folder") yield* walk(node.children);
  }
}

export const nodesById = (nodes: readonly FileNode[]): Map<string, FileNode> =>
  new Map([...walk(nodes)].map((node) => [node.id, node]));

/** The files of nodes, each once, in the order of the tree. */
export function entriesOf(nodes: readonly FileNode[]): FileEntry[] {
  const found = new Set<FileEntry>();
  for (const node of walk(nodes)) if (node.kind === "file") found.add(node.entry);
  return [...found];
}

/** The ids of the files of nodes. */
export const fileIds = (nodes: readonly FileNode[]): string[] =>
  [...walk(nodes)].flatMap(({ kind, id }) => (kind === "file" ? [id] : []));

/** What a text finds by name: files with their folders, and folders with all that is in them. */
export function filterTree(nodes: readonly FileNode[], text: string): FileNode[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [...nodes];
  return nodes.flatMap((node): FileNode[] => {
    if (node.name.toLowerCase().includes(wanted)) return [node];
    if (node.kind === "file") return node.path.toLowerCase().includes(wanted) ? [node] : [];
    const children = filterTree(node.children, text);
    return children.length === 0 ? [] : [folderOf(node.path, children, new Map([[node.id, node]]))];
  });
}

/** The nodes without those that another one contains. */
export function outermost(nodes: readonly FileNode[]): FileNode[] {
  const folders = new Set(nodes.flatMap(({ kind, path }) => (kind === "folder" ? [path] : [])));
  const isWithin = ({ path }: FileNode): boolean => {
    for (let at = path.indexOf("/"); at >= 0 && at < path.length - 1; at = path.indexOf("/", at + 1))
      if (folders.has(path.slice(0, at + 1))) return true;
    return false;
  };
  return nodes.filter((node) => !isWithin(node));
}

const contains = (outer: FileNode, { path }: FileNode): boolean =>
  outer.kind === "folder" && path.startsWith(outer.path);

/**
 * A selection after a change of it. A folder stands for all that is in it: where one node was taken out, so are its
 * folders, and what is in it.
 */
export function selectionAfter(
  before: ReadonlySet<string | number>,
  after: ReadonlySet<string | number>,
  byId: ReadonlyMap<string, FileNode>,
): ReadonlySet<string | number> {
  const [gone, ...others] = [...before].filter((id) => !after.has(id));
  const out = byId.get(String(gone));
  if (!out || others.length > 0 || after.size >= before.size) return after;
  const isLeft = (node: FileNode | undefined) => !node || !(contains(node, out) || contains(out, node));
  return new Set([...after].filter((id) => isLeft(byId.get(String(id)))));
}

const renamed = (node: FileNode, path: string): FileName[] =>
  entriesOf([node])
    .map(({ key }) => ({ key, new_key: path + key.slice(node.path.length) }))
    .filter(({ key, new_key }) => key !== new_key);

/** New names when a file or folder gets another name. */
export const namesAfterRename = (node: FileNode, name: string): FileName[] =>
  renamed(node, parentOf(node) + name + (node.kind === "folder" ? "/" : ""));

/** The id that a node has under another path; a file keeps its own. */
export const idUnder = (node: FileNode, folder: string, name = node.name): string =>
  node.kind === "folder" ? folderId(`${folder}${name}/`) : node.id;

/** New names when files and folders move to a folder, whose path ends with a slash or is empty. */
export const namesAfterMove = (nodes: readonly FileNode[], folder: string): FileName[] =>
  outermost(nodes).flatMap((node) => renamed(node, folder + node.name + (node.kind === "folder" ? "/" : "")));

/** Whether nodes may move to a folder: not into themselves. */
export const mayMoveTo = (nodes: readonly FileNode[], folder: string): boolean =>
  !nodes.some((node) => node.kind === "folder" && folder.startsWith(node.path));

/** All file names in the order of the tree when nodes move before or after another one. */
export function orderAfterMove(
  tree: readonly FileNode[],
  nodes: readonly FileNode[],
  target: FileNode,
  position: "before" | "after",
): string[] {
  const moving = entriesOf(outermost(nodes));
  const isMoving = new Set(moving);
  const around = entriesOf([target]).filter((entry) => !isMoving.has(entry));
  const staying = entriesOf(tree).filter((entry) => !isMoving.has(entry));
  const anchor = position === "before" ? around[0] : around.at(-1);
  if (!anchor) return entriesOf(tree).map(({ key }) => key);
  const at = staying.indexOf(anchor) + (position === "before" ? 0 : 1);
  return staying.toSpliced(at, 0, ...moving).map(({ key }) => key);
}

/** All file names, folders first, then by name. */
export function orderByName(nodes: readonly FileNode[]): string[] {
  const sorted = nodes.toSorted((a, b) =>
    a.kind === b.kind ? collator.compare(a.name, b.name) : a.kind === "folder" ? -1 : 1,
  );
  return sorted.flatMap((node) => (node.kind === "file" ? [node.path] : orderByName(node.children)));
}

/** Folders that are open after a change of names: a renamed one stays open, and the one that files moved to opens. */
export function openAfter(
  open: Iterable<string | number>,
  names: readonly FileName[],
  folder = "",
): Set<string | number> {
  const next = new Set(open);
  for (const { key, new_key } of names)
    for (let at = key.indexOf("/"); at >= 0; at = key.indexOf("/", at + 1)) {
      const rest = key.length - at - 1;
      // The same number of folders below it, so it is the same folder under its new name.
      const path = new_key.slice(0, new_key.length - rest);
      if (next.has(folderId(key.slice(0, at + 1))) && path.endsWith("/")) next.add(folderId(path));
    }
  for (let at = folder.indexOf("/"); at >= 0; at = folder.indexOf("/", at + 1))
    next.add(folderId(folder.slice(0, at + 1)));
  return next;
}
