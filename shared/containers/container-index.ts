import { ContainerProblem } from "./range-source.ts";

const slash = 0x2f;
const maxNameBytes = 4096;
const maxNamesBytes = 512 * 1024 * 1024;

/** The compression methods that can be read (records 11). */
export const storedMethod = 0;
export const deflatedMethod = 8;

/** The root directory; it is not listed itself. */
export const rootDirectory = 0;

/** A file in an archive; offsets count from the start of the file that holds the archive. */
export interface Member {
  key: string;
  sizeBytes: number;
  compressedBytes: number;
  crc32: number;
  method: number;
  /** Time of the last change: MS-DOS date in the upper, time in the lower 16 bits. */
  dosTime: number;
  isEncrypted: boolean;
  /** Whether the name would leave the archive. Such a member is listed without its bytes (records 11). */
  isRefused: boolean;
  headerOffset: number;
}

/** A member as read: its name is UTF-8 with `/`, checked, without a trailing `/`. */
export interface MemberRow extends Omit<Member, "key"> {
  name: Uint8Array;
}

/** A growing array of numbers, kept outside the JavaScript heap. */
class Column {
  #values: Uint32Array;
  length = 0;

  constructor(capacity: number) {
    this.#values = new Uint32Array(Math.max(16, capacity));
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Uint32Array(this.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length] = value;
    this.length += 1;
  }

  at(row: number): number {
    return this.#values[row] ?? 0;
  }

  done(): Uint32Array {
    return this.#values.subarray(0, this.length);
  }
}

/** One row per file, in archive order. */
interface FileColumns {
  nameStart: Uint32Array;
  nameEnd: Uint32Array;
  /** The directory of the file. */
  parent: Uint32Array;
  sizeBytes: Float64Array;
  compressedBytes: Float64Array;
  headerOffset: Float64Array;
  crc32: Uint32Array;
  method: Uint16Array;
  dosTime: Uint32Array;
  isEncrypted: Uint8Array;
  isRefused: Uint8Array;
}

/** A finished index. Files are numbered in archive order, directories by first appearance. */
export interface IndexColumns extends FileColumns {
  names: Buffer;
  directoryNameStart: Uint32Array;
  directoryNameEnd: Uint32Array;
  directoryParent: Uint32Array;
  /** The number of files before the first appearance of the directory. */
  directoryPosition: Uint32Array;
  directoryByName: Map<string, number>;
}

/** Key of a directory by its parent: no string is longer than one part, however deep the tree. */
export const directoryNameKey = (parent: number, part: string): string => `${parent}/${part}`;

/** Collects the members of one archive in archive order, at about 50 bytes plus the name each. */
export class ContainerIndexBuilder {
  #names = Buffer.allocUnsafe(64 * 1024);
  #namesLength = 0;
  #count = 0;
  #maxDirectories: number;
  #columns: FileColumns;
  #directoryNameStart = new Column(64);
  #directoryNameEnd = new Column(64);
  #directoryParent = new Column(64);
  #directoryPosition = new Column(64);
  #directoryByName = new Map<string, number>();
  #lastDirectory = rootDirectory;

  constructor(capacity: number) {
    this.#maxDirectories = Math.max(10_000, 2 * capacity);
    this.#columns = {
      nameStart: new Uint32Array(capacity),
      nameEnd: new Uint32Array(capacity),
      parent: new Uint32Array(capacity),
      sizeBytes: new Float64Array(capacity),
      compressedBytes: new Float64Array(capacity),
      headerOffset: new Float64Array(capacity),
      crc32: new Uint32Array(capacity),
      method: new Uint16Array(capacity),
      dosTime: new Uint32Array(capacity),
      isEncrypted: new Uint8Array(capacity),
      isRefused: new Uint8Array(capacity),
    };
    this.#pushDirectory(rootDirectory, 0, 0);
  }

  addFile(row: MemberRow): void {
    const { start, end } = this.#keepName(row.name);
    const at = this.#count;
    const columns = this.#columns;
    columns.nameStart[at] = start;
    columns.nameEnd[at] = end;
    columns.parent[at] = row.isRefused
      ? rootDirectory
      : this.#directoryAt(start, this.#names.lastIndexOf(slash, end - 1));
    columns.sizeBytes[at] = row.sizeBytes;
    columns.compressedBytes[at] = row.compressedBytes;
    columns.headerOffset[at] = row.headerOffset;
    columns.crc32[at] = row.crc32;
    columns.method[at] = row.method;
    columns.dosTime[at] = row.dosTime;
    columns.isEncrypted[at] = row.isEncrypted ? 1 : 0;
    columns.isRefused[at] = row.isRefused ? 1 : 0;
    this.#count += 1;
  }

  addDirectory(name: Uint8Array): void {
    const { start, end } = this.#keepName(name);
    this.#directoryAt(start, end);
  }

  #keepName(name: Uint8Array): { start: number; end: number } {
    if (name.byteLength > maxNameBytes) throw new ContainerProblem("a member name is longer than 4096 bytes");
    const start = this.#namesLength;
    const end = start + name.byteLength;
    if (end > maxNamesBytes) throw new ContainerProblem("the member names are longer than 512 MiB");
    if (end > this.#names.byteLength) {
      const larger = Buffer.allocUnsafe(Math.max(end, Math.min(this.#names.byteLength * 2, maxNamesBytes)));
      this.#names.copy(larger, 0, 0, start);
      this.#names = larger;
    }
    this.#names.set(name, start);
    this.#namesLength = end;
    return { start, end };
  }

  /** The directory whose path is the bytes `start` to `end` of the names; creates it if it is new. */
  #directoryAt(start: number, end: number): number {
    if (end <= start) return rootDirectory;
    const lastStart = this.#directoryNameStart.at(this.#lastDirectory);
    const lastEnd = this.#directoryNameEnd.at(this.#lastDirectory);
    const isLast =
      lastEnd - lastStart === end - start && this.#names.compare(this.#names, lastStart, lastEnd, start, end) === 0;
    if (!isLast) this.#lastDirectory = this.#walkTo(start, end);
    return this.#lastDirectory;
  }

  #walkTo(start: number, end: number): number {
    let directory = rootDirectory;
    let partStart = start;
    while (partStart < end) {
      const found = this.#names.indexOf(slash, partStart);
      const partEnd = found === -1 || found > end ? end : found;
      const key = directoryNameKey(directory, this.#names.toString("utf8", partStart, partEnd));
      const known = this.#directoryByName.get(key);
      if (known === undefined) {
        const made = this.#pushDirectory(directory, start, partEnd);
        this.#directoryByName.set(key, made);
        directory = made;
      } else directory = known;
      partStart = partEnd + 1;
    }
    return directory;
  }

  #pushDirectory(parent: number, start: number, end: number): number {
    const id = this.#directoryParent.length;
    if (id > this.#maxDirectories) throw new ContainerProblem("it has more directories than may be listed");
    this.#directoryNameStart.push(start);
    this.#directoryNameEnd.push(end);
    this.#directoryParent.push(parent);
    this.#directoryPosition.push(this.#count);
    return id;
  }

  done(): IndexColumns {
    const cut = <T extends Uint32Array | Float64Array | Uint16Array | Uint8Array>(column: T): T =>
      column.subarray(0, this.#count) as T;
    const columns = this.#columns;
    return {
      names: this.#names.subarray(0, this.#namesLength),
      nameStart: cut(columns.nameStart),
      nameEnd: cut(columns.nameEnd),
      parent: cut(columns.parent),
      sizeBytes: cut(columns.sizeBytes),
      compressedBytes: cut(columns.compressedBytes),
      headerOffset: cut(columns.headerOffset),
      crc32: cut(columns.crc32),
      method: cut(columns.method),
      dosTime: cut(columns.dosTime),
      isEncrypted: cut(columns.isEncrypted),
      isRefused: cut(columns.isRefused),
      directoryNameStart: this.#directoryNameStart.done(),
      directoryNameEnd: this.#directoryNameEnd.done(),
      directoryParent: this.#directoryParent.done(),
      directoryPosition: this.#directoryPosition.done(),
      directoryByName: this.#directoryByName,
    };
  }
}
