import { setImmediate as nextTurn } from "node:timers/promises";
import type { ContainerTree } from "./container-tree.ts";

const searchSlice = 10_000;
const maxListedDirectories = 10_000;

/** A directory in a listing; `files` are row numbers. Has counts only if nothing below it is listed. */
export interface ListedDirectory {
  directory: number;
  files: number[];
}

/** Row numbers of a tree, in archive order (records 11). */
export interface ContainerListing {
  files: number[];
  directories: ListedDirectory[];
  /** The number of files without a limit. */
  total: number;
  truncated: boolean;
}

/** `scope` is a directory of the tree; only what is below it is listed. */
export interface ListingPage {
  scope: number;
  isFlat: boolean;
  text: string;
  page: number;
  size: number;
}

function withFiles(tree: ContainerTree, directories: Iterable<number>, files: number[]): ListedDirectory[] {
  const byDirectory = new Map<number, number[]>();
  for (const directory of directories) byDirectory.set(directory, []);
  for (const file of files) byDirectory.get(tree.parentOf(file))?.push(file);
  return [...byDirectory].map(([directory, own]) => ({ directory, files: own }));
}

/** Everything below the directory: at most the first `limit` files and directories. */
export function listAll(tree: ContainerTree, scope: number, limit: number): ContainerListing {
  const totals = tree.totalsOf(scope);
  const files: number[] = [];
  const directories: number[] = [];
  const upcoming = tree.directoriesBelow(scope);
  let step = upcoming.next();
  const takeDirectoriesUpTo = (file: number) => {
    while (!step.done && tree.positionOf(step.value) <= file && files.length + directories.length < limit) {
      directories.push(step.value);
      step = upcoming.next();
    }
  };
  for (let file = 0; file < tree.fileCount && files.length + directories.length < limit; file += 1) {
    takeDirectoriesUpTo(file);
    if (files.length + directories.length < limit && tree.isBelow(tree.parentOf(file), scope)) files.push(file);
  }
  takeDirectoriesUpTo(tree.fileCount);
  return {
    files,
    directories: withFiles(tree, directories, files),
    total: totals.files,
    truncated: totals.files + totals.directories > limit,
  };
}

/** All files of the listing, as row numbers. Searches a text in slices, to yield to the event loop. */
async function matchingFiles(tree: ContainerTree, { scope, isFlat, text }: ListingPage): Promise<Uint32Array> {
  if (isFlat && text === "") return tree.filesIn(scope);
  const wanted = text.toLowerCase();
  const candidates = isFlat ? tree.filesIn(scope) : undefined;
  const count = candidates?.length ?? tree.fileCount;
  const found = new Uint32Array(candidates ? count : tree.totalsOf(scope).files);
  let length = 0;
  for (let index = 0; index < count; index += 1) {
    const file = candidates?.[index] ?? index;
    if (!candidates && !tree.isBelow(tree.parentOf(file), scope)) continue;
    if (wanted !== "") {
      if (index % searchSlice === searchSlice - 1) await nextTurn();
      if (!tree.keyOf(file).toLowerCase().includes(wanted)) continue;
    }
    found[length] = file;
    length += 1;
  }
  return found.subarray(0, length);
}

/** The matching directories directly in the scope. */
function flatDirectories(tree: ContainerTree, { scope, text }: ListingPage): number[] {
  const wanted = text.toLowerCase();
  const children = [...tree.directoriesIn(scope)];
  if (wanted === "") return children;
  return children.filter((directory) => tree.directoryKeyOf(directory).toLowerCase().includes(wanted));
}

/**
 * The directories of a page: those of its files, and the empty ones between them in the archive, so that all pages
 * together contain every directory.
 */
function directoriesOfPage(tree: ContainerTree, query: ListingPage, matching: Uint32Array, start: number): number[] {
  const end = Math.min(matching.length, start + query.size);
  const needed = new Set<number>();
  for (let index = start; index < end; index += 1) {
    let directory = tree.parentOf(matching[index] ?? 0);
    while (directory !== query.scope && !needed.has(directory) && needed.size < maxListedDirectories) {
      needed.add(directory);
      directory = tree.aboveOf(directory);
    }
  }
  if (query.text === "") {
    const after = start === 0 ? -1 : (matching[start - 1] ?? tree.fileCount);
    const upTo = end === matching.length ? tree.fileCount : (matching[end - 1] ?? 0);
    for (const directory of tree.directoriesBelow(query.scope)) {
      if (needed.size >= maxListedDirectories) break;
      const position = tree.positionOf(directory);
      if (tree.totalsOf(directory).files === 0 && position > after && position <= upTo) needed.add(directory);
    }
  }
  return [...needed].sort((a, b) => a - b);
}

/**
 * One page of a large archive (records 11): `size` files in archive order with their directories. If flat, only the
 * direct children, files and directories paged separately.
 */
export async function listPage(tree: ContainerTree, query: ListingPage): Promise<ContainerListing> {
  const matching = await matchingFiles(tree, query);
  const start = (query.page - 1) * query.size;
  const files = [...matching.subarray(start, start + query.size)];
  if (!query.isFlat) {
    const directories = start >= matching.length && start > 0 ? [] : directoriesOfPage(tree, query, matching, start);
    return {
      files,
      directories: withFiles(tree, directories, files),
      total: matching.length,
      truncated: start + query.size < matching.length,
    };
  }
  const directories = flatDirectories(tree, query);
  return {
    files,
    directories: directories.slice(start, start + query.size).map((directory) => ({ directory, files: [] })),
    total: matching.length,
    truncated: start + query.size < Math.max(matching.length, directories.length),
  };
}
