import {
  deflatedMethod,
  directoryNameKey,
  type IndexColumns,
  type Member,
  rootDirectory,
  storedMethod,
} from "./container-index.ts";

/**
 * Rows grouped by a key: those of key `k` are `rows[starts[k]]` up to `rows[starts[k + 1]]`, in their original order.
 */
interface Groups {
  rows: Uint32Array;
  starts: Uint32Array;
}

function groupBy(keys: Uint32Array, groupCount: number, firstRow: number): Groups {
  const starts = new Uint32Array(groupCount + 1);
  for (let row = firstRow; row < keys.length; row += 1) starts[at(keys, row) + 1] = at(starts, at(keys, row) + 1) + 1;
  for (let group = 0; group < groupCount; group += 1) starts[group + 1] = at(starts, group + 1) + at(starts, group);
  const next = starts.slice();
  const rows = new Uint32Array(keys.length - firstRow);
  for (let row = firstRow; row < keys.length; row += 1) {
    const group = at(keys, row);
    rows[at(next, group)] = row;
    next[group] = at(next, group) + 1;
  }
  return { rows, starts };
}

const at = (values: Uint32Array | Float64Array | Uint16Array | Uint8Array, row: number): number => values[row] ?? 0;

const groupOf = ({ rows, starts }: Groups, key: number): Uint32Array =>
  rows.subarray(at(starts, key), at(starts, key + 1));

/**
 * The table of contents of an archive as a tree over flat columns. Directories are numbered so that one comparison of a
 * number in `#order` and a subtree's size tells whether a file is below a directory.
 */
export class ContainerTree {
  readonly fileCount: number;
  readonly directoryCount: number;
  /** Listed elsewhere: it does not know where in the archive the files are. */
  readonly isListed: boolean;
  #columns: IndexColumns;
  #filesByDirectory: Groups;
  #directoriesByParent: Groups;
  #order: Uint32Array;
  #subtreeDirectories: Uint32Array;
  #subtreeFiles: Uint32Array;
  #subtreeBytes: Float64Array;

  constructor(columns: IndexColumns, isListed = false) {
    this.#columns = columns;
    this.isListed = isListed;
    this.fileCount = columns.parent.length;
    this.directoryCount = columns.directoryParent.length;
    this.#filesByDirectory = groupBy(columns.parent, this.directoryCount, 0);
    this.#directoriesByParent = groupBy(columns.directoryParent, this.directoryCount, 1);
    this.#subtreeDirectories = new Uint32Array(this.directoryCount).fill(1);
    this.#subtreeFiles = new Uint32Array(this.directoryCount);
    this.#subtreeBytes = new Float64Array(this.directoryCount);
    this.#order = new Uint32Array(this.directoryCount);
    this.#sumUp();
    this.#number();
  }

  /** A parent has a lower number than its children, so one backward pass computes all sums. */
  #sumUp(): void {
    const { parent, sizeBytes, directoryParent } = this.#columns;
    for (let file = 0; file < parent.length; file += 1) {
      const directory = at(parent, file);
      this.#subtreeFiles[directory] = at(this.#subtreeFiles, directory) + 1;
      this.#subtreeBytes[directory] = at(this.#subtreeBytes, directory) + at(sizeBytes, file);
    }
    for (let directory = this.directoryCount - 1; directory > rootDirectory; directory -= 1) {
      const above = at(directoryParent, directory);
      this.#subtreeDirectories[above] = at(this.#subtreeDirectories, above) + at(this.#subtreeDirectories, directory);
      this.#subtreeFiles[above] = at(this.#subtreeFiles, above) + at(this.#subtreeFiles, directory);
      this.#subtreeBytes[above] = at(this.#subtreeBytes, above) + at(this.#subtreeBytes, directory);
    }
  }

  #number(): void {
    const next = new Uint32Array(this.directoryCount);
    next[rootDirectory] = 1;
    for (let directory = 1; directory < this.directoryCount; directory += 1) {
      const above = at(this.#columns.directoryParent, directory);
      const number = at(next, above);
      this.#order[directory] = number;
      next[above] = number + at(this.#subtreeDirectories, directory);
      next[directory] = number + 1;
    }
  }

  /** Approximate size in memory, to limit a cache of trees. */
  get sizeBytes(): number {
    return this.#columns.names.byteLength + this.fileCount * 53 + this.directoryCount * 180;
  }

  isBelow(directory: number, scope: number): boolean {
    const distance = at(this.#order, directory) - at(this.#order, scope);
    return distance >= 0 && distance < at(this.#subtreeDirectories, scope);
  }

  parentOf(file: number): number {
    return at(this.#columns.parent, file);
  }

  aboveOf(directory: number): number {
    return at(this.#columns.directoryParent, directory);
  }

  /** The number of files before the first appearance of the directory. */
  positionOf(directory: number): number {
    return at(this.#columns.directoryPosition, directory);
  }

  /** Files directly in the directory, in archive order. */
  filesIn(directory: number): Uint32Array {
    return groupOf(this.#filesByDirectory, directory);
  }

  directoriesIn(directory: number): Uint32Array {
    return groupOf(this.#directoriesByParent, directory);
  }

  /** Files, bytes and directories below the directory, without itself. */
  totalsOf(directory: number): { files: number; sizeBytes: number; directories: number } {
    return {
      files: at(this.#subtreeFiles, directory),
      sizeBytes: at(this.#subtreeBytes, directory),
      directories: at(this.#subtreeDirectories, directory) - 1,
    };
  }

  keyOf(file: number): string {
    const { names, nameStart, nameEnd } = this.#columns;
    return names.toString("utf8", at(nameStart, file), at(nameEnd, file));
  }

  directoryKeyOf(directory: number): string {
    const { names, directoryNameStart, directoryNameEnd } = this.#columns;
    return names.toString("utf8", at(directoryNameStart, directory), at(directoryNameEnd, directory));
  }

  member(file: number): Member {
    const columns = this.#columns;
    return {
      key: this.keyOf(file),
      sizeBytes: at(columns.sizeBytes, file),
      compressedBytes: at(columns.compressedBytes, file),
      crc32: at(columns.crc32, file),
      method: at(columns.method, file),
      dosTime: at(columns.dosTime, file),
      isEncrypted: at(columns.isEncrypted, file) === 1,
      isRefused: at(columns.isRefused, file) === 1,
      headerOffset: at(columns.headerOffset, file),
    };
  }

  /** All files below the directory, in archive order. */
  *filesBelow(scope: number): Generator<number> {
    for (let file = 0; file < this.fileCount; file += 1) {
      if (this.isBelow(this.parentOf(file), scope)) yield file;
    }
  }

  /** Directories below the directory, by first appearance. */
  *directoriesBelow(scope: number): Generator<number> {
    for (let directory = scope + 1; directory < this.directoryCount; directory += 1) {
      if (this.isBelow(directory, scope)) yield directory;
    }
  }

  /** The first file below that cannot be opened: encrypted, or with an unknown compression method. */
  firstUnreadable(scope: number): number | undefined {
    const { isEncrypted, method } = this.#columns;
    for (const file of this.filesBelow(scope)) {
      const isPlain = at(method, file) === storedMethod || at(method, file) === deflatedMethod;
      if (at(isEncrypted, file) === 1 || !isPlain) return file;
    }
    return undefined;
  }

  findDirectory(parts: string[]): number | undefined {
    let directory: number | undefined = rootDirectory;
    for (const part of parts) {
      directory = this.#columns.directoryByName.get(directoryNameKey(directory, part));
      if (directory === undefined) return undefined;
    }
    return directory;
  }

  /** The member of a path; of several with the same name the last, as unpacking would leave it. */
  findFile(parts: string[]): number | undefined {
    const directory = this.findDirectory(parts.slice(0, -1));
    if (directory === undefined) return undefined;
    const wanted = Buffer.from(parts.join("/"));
    const { names, nameStart, nameEnd } = this.#columns;
    const files = this.filesIn(directory);
    for (let index = files.length - 1; index >= 0; index -= 1) {
      const file = at(files, index);
      const start = at(nameStart, file);
      const end = at(nameEnd, file);
      if (end - start === wanted.byteLength && names.compare(wanted, 0, wanted.byteLength, start, end) === 0)
        return file;
    }
    return undefined;
  }
}
