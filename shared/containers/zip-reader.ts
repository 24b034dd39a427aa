import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Entry, getFileNameLowLevel, RandomAccessReader, ZipFile } from "yauzl";
import { ContainerIndexBuilder } from "./container-index.ts";
import { ContainerTree } from "./container-tree.ts";
import { isPlainName, memberParts } from "./member-name.ts";
import { ContainerProblem, type RangeSource } from "./range-source.ts";
import { readZipEnd, type ZipEnd } from "./zip-end.ts";

const slabBytes = 4 * 1024 * 1024;
const sliceMs = 10;
const recordBytes = 46;
const unicodePathField = 0x7075;
const utf8Flag = 0x0800;
const slash = 0x2f;

/**
 * Feeds yauzl from large slabs. yauzl asks for 46 bytes, then for a name, once per member; from a slab that is answered
 * at once instead of by a stream each.
 */
class SlabReader extends RandomAccessReader {
  /** What went wrong while reading, to tell a broken disk from a broken archive. */
  failure: unknown;
  #source: RangeSource;
  #shift: number;
  #slab: Buffer = Buffer.alloc(0);
  #slabStart = 0;

  constructor(source: RangeSource, shift: number) {
    super();
    this.#source = source;
    this.#shift = shift;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    const from = position + this.#shift - this.#slabStart;
    if (from >= 0 && from + length <= this.#slab.byteLength) {
      this.#slab.copy(buffer, offset, from, from + length);
      callback(null, length);
      return;
    }
    const start = position + this.#shift;
    const end = Math.min(this.#source.sizeBytes, start + Math.max(length, slabBytes));
    if (start + length > this.#source.sizeBytes) {
      callback(new Error("unexpected end of the file"));
      return;
    }
    this.#source.read({ start, end }).then(
      (slab) => {
        this.#slab = slab;
        this.#slabStart = start;
        callback(null, slab.copy(buffer, offset, 0, length));
      },
      (error: unknown) => {
        this.failure = error;
        callback(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }
}

export interface ZipLimits {
  /** More members than this are refused (records 11: 1 000 000 by default). */
  maxMembers: number;
}

/** Info-ZIP without its extra fields, and tools of macOS, write UTF-8 without saying so; other old names are CP437. */
function decodeName(entry: Entry): string {
  const raw = entry.fileNameRaw;
  const isSaid = entry.extraFields.some((field) => field.id === unicodePathField);
  const flags = entry.generalPurposeBitFlag | (!isSaid && isUtf8(raw) ? utf8Flag : 0);
  return getFileNameLowLevel(flags, raw, entry.extraFields, false);
}

function addEntry(builder: ContainerIndexBuilder, entry: Entry, prependedBytes: number): void {
  const raw = entry.fileNameRaw;
  const isPlain = isPlainName(raw) && !entry.extraFields.some((field) => field.id === unicodePathField);
  let isDirectory = raw[raw.byteLength - 1] === slash;
  let name: Buffer;
  if (isPlain) name = isDirectory ? raw.subarray(0, -1) : raw;
  else {
    const decoded = decodeName(entry);
    isDirectory = decoded.endsWith("/");
    name = Buffer.from(memberParts(decoded).join("/"));
    if (name.byteLength === 0) return;
  }
  if (isDirectory) {
    builder.addDirectory(name);
    return;
  }
  builder.addFile({
    name,
    sizeBytes: entry.uncompressedSize,
    compressedBytes: entry.compressedSize,
    crc32: entry.crc32,
    method: entry.compressionMethod,
    dosTime: entry.lastModFileDate * 0x10000 + entry.lastModFileTime,
    isEncrypted: entry.isEncrypted(),
    headerOffset: entry.relativeOffsetOfLocalHeader + prependedBytes,
  });
}

/** Calls `take` for every entry, in turns of a few milliseconds, so that nobody else waits long. */
async function readEntries(zip: ZipFile, take: (entry: Entry) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isArrived = false;
  let wake: () => void = () => undefined;
  let isDone = false;
  zip.on("entry", (entry: Entry) => {
    try {
      take(entry);
    } catch (error) {
      isDone = true;
      reject(error);
    }
    isArrived = true;
    wake();
  });
  const finish = (settle: () => void) => {
    isDone = true;
    settle();
    wake();
  };
  zip.on("end", () => finish(resolve));
  zip.on("error", (error: Error) => finish(() => reject(new ContainerProblem(error.message))));
  promise.catch(() => undefined);
  let turnEnds = performance.now() + sliceMs;
  while (!isDone) {
    isArrived = false;
    zip.readEntry();
    if (!isArrived && !isDone) {
      await new Promise<void>((resume) => {
        wake = resume;
      });
      wake = () => undefined;
    }
    if (performance.now() < turnEnds) continue;
    await nextTurn();
    turnEnds = performance.now() + sliceMs;
  }
  await promise;
}

function checkEnd(end: ZipEnd, limits: ZipLimits): void {
  if (end.entryCount > limits.maxMembers) {
    throw new ContainerProblem(
      `it has ${end.entryCount} members, more than the ${limits.maxMembers} that may be listed`,
    );
  }
  if (end.entryCount * recordBytes > end.directoryBytes) {
    throw new ContainerProblem("the table of contents is shorter than its number of members asks for");
  }
}

/**
 * Reads the table of contents of a ZIP: 100,000 members in about the time `unzip -l` takes, a million in less than
 * 200 MB. ContainerProblem: broken, a name that leaves the archive, too many members (records 11).
 */
export async function readZipTree(source: RangeSource, limits: ZipLimits): Promise<ContainerTree> {
  const end = await readZipEnd(source);
  checkEnd(end, limits);
  const builder = new ContainerIndexBuilder(end.entryCount);
  const reader = new SlabReader(source, end.prependedBytes);
  const archiveBytes = source.sizeBytes - end.prependedBytes;
  const zip = new ZipFile(reader, end.directoryOffset, archiveBytes, end.entryCount, "", false, true, false, true);
  try {
    await readEntries(zip, (entry) => addEntry(builder, entry, end.prependedBytes));
  } catch (error) {
    throw reader.failure ?? error;
  }
  return new ContainerTree(builder.done());
}
