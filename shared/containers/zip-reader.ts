import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type ExtraField, getFileNameLowLevel, parseExtraFields } from "yauzl";
import { ContainerIndexBuilder } from "./container-index.ts";
import { ContainerTree } from "./container-tree.ts";
import { isPlainName, isUnsafeName, memberParts } from "./member-name.ts";
import { ContainerProblem, type RangeSource } from "./range-source.ts";
import { readZipEnd, type ZipEnd } from "./zip-end.ts";

const slabBytes = 4 * 1024 * 1024;
const sliceMs = 10;
const recordBytes = 46;
const recordSignature = 0x02014b50;
const encryptedFlag = 0x0001;
const utf8Flag = 0x0800;
const zip64Field = 0x0001;
const unicodePathField = 0x7075;
const zip64Marker = 0xffffffff;
const slash = 0x2f;

export interface ZipLimits {
  /** Archives with more members are refused (records 11: 1 000 000 by default). */
  maxMembers: number;
}

/** The part of the file in memory, read in large steps. */
class Slab {
  bytes: Buffer = Buffer.alloc(0);
  #source: RangeSource;
  #start: number;
  #end: number;

  /** @param start of the table of contents @param end of the table of contents */
  constructor(source: RangeSource, start: number, end: number) {
    this.#source = source;
    this.#start = start;
    this.#end = end;
  }

  /** Drops the bytes before `at` and reads more. @returns whether there is more. */
  async advance(at: number): Promise<boolean> {
    this.#start += at;
    const end = Math.min(this.#end, this.#start + slabBytes);
    const before = this.bytes.byteLength - at;
    if (this.#start >= end) return false;
    this.bytes = await this.#source.read({ start: this.#start, end });
    return this.bytes.byteLength > before;
  }
}

function extrasOf(raw: Buffer): ExtraField[] {
  try {
    return parseExtraFields(raw);
  } catch (error) {
    throw new ContainerProblem(error instanceof Error ? error.message : String(error));
  }
}

/** Info-ZIP on Linux and tools of macOS write UTF-8 without setting the flag; other unflagged names are CP437. */
function decodeName(raw: Buffer, flags: number, extras: ExtraField[]): string {
  const hasUnicodePath = extras.some((field) => field.id === unicodePathField);
  return getFileNameLowLevel(flags | (!hasUnicodePath && isUtf8(raw) ? utf8Flag : 0), raw, extras, false);
}

interface MemberName {
  /** In UTF-8; empty for a name without parts, such as `./`. A refused name is as the archive has it. */
  name: Buffer;
  isDirectory: boolean;
  isRefused: boolean;
}

function nameOf(raw: Buffer, flags: number, extras: ExtraField[]): MemberName {
  if (isPlainName(raw) && !extras.some((field) => field.id === unicodePathField)) {
    const isDirectory = raw[raw.byteLength - 1] === slash;
    return { name: isDirectory ? raw.subarray(0, -1) : raw, isDirectory, isRefused: false };
  }
  const decoded = decodeName(raw, flags, extras);
  const isDirectory = decoded.endsWith("/");
  const isRefused = isUnsafeName(decoded);
  return { name: Buffer.from(isRefused ? decoded : memberParts(decoded).join("/")), isDirectory, isRefused };
}

/** Replaces marked numbers by those in the ZIP64 extra field. It has only the marked ones, in this order. */
function largeNumbers(numbers: [number, number, number], extras: ExtraField[]): [number, number, number] {
  const data = extras.find((field) => field.id === zip64Field)?.data;
  let at = 0;
  const read = (value: number): number => {
    if (value !== zip64Marker || !data) return value;
    if (at + 8 > data.byteLength) throw new ContainerProblem("a ZIP64 field is too short");
    at += 8;
    return Number(data.readBigUInt64LE(at - 8));
  };
  return [read(numbers[0]), read(numbers[1]), read(numbers[2])];
}

/**
 * Reads the record at `at` of the slab.
 * @returns the offset of the next record, or 0 when this one is incomplete.
 */
function takeRecord(bytes: Buffer, at: number, builder: ContainerIndexBuilder, prependedBytes: number): number {
  if (at + recordBytes > bytes.byteLength) return 0;
  if (bytes.readUInt32LE(at) !== recordSignature) throw new ContainerProblem("the table of contents is damaged");
  const nameEnd = at + recordBytes + bytes.readUInt16LE(at + 28);
  const extraEnd = nameEnd + bytes.readUInt16LE(at + 30);
  const end = extraEnd + bytes.readUInt16LE(at + 32);
  if (end > bytes.byteLength) return 0;
  const flags = bytes.readUInt16LE(at + 8);
  const extras = extraEnd === nameEnd ? [] : extrasOf(bytes.subarray(nameEnd, extraEnd));
  const { name, isDirectory, isRefused } = nameOf(bytes.subarray(at + recordBytes, nameEnd), flags, extras);
  if (name.byteLength === 0) return end;
  if (isDirectory) {
    if (!isRefused) builder.addDirectory(name);
    return end;
  }
  const [sizeBytes, compressedBytes, offset] = largeNumbers(
    [bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)],
    extras,
  );
  builder.addFile({
    name,
    sizeBytes,
    compressedBytes,
    crc32: bytes.readUInt32LE(at + 16),
    method: bytes.readUInt16LE(at + 10),
    dosTime: bytes.readUInt32LE(at + 12),
    isEncrypted: (flags & encryptedFlag) !== 0,
    isRefused,
    headerOffset: offset + prependedBytes,
  });
  return end;
}

/** Reads all records, yielding to the event loop every few milliseconds. */
async function readRecords(source: RangeSource, end: ZipEnd, builder: ContainerIndexBuilder): Promise<void> {
  const start = end.directoryOffset + end.prependedBytes;
  const slab = new Slab(source, start, start + end.directoryBytes);
  let at = 0;
  let sliceEnd = performance.now() + sliceMs;
  for (let count = 0; count < end.entryCount; ) {
    const next = takeRecord(slab.bytes, at, builder, end.prependedBytes);
    if (next === 0) {
      if (!(await slab.advance(at))) throw new ContainerProblem("the table of contents ends too soon");
      at = 0;
      continue;
    }
    at = next;
    count += 1;
    if (count % 256 > 0 || performance.now() < sliceEnd) continue;
    await nextTurn();
    sliceEnd = performance.now() + sliceMs;
  }
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
 * Reads the table of contents of a ZIP. Raises ContainerProblem: invalid, a name that leaves the archive, too many
 * members (records 11).
 */
export async function readZipTree(source: RangeSource, limits: ZipLimits): Promise<ContainerTree> {
  const end = await readZipEnd(source);
  checkEnd(end, limits);
  const builder = new ContainerIndexBuilder(end.entryCount);
  await readRecords(source, end, builder);
  return new ContainerTree(builder.done());
}
