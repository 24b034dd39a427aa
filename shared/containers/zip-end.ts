import { ContainerProblem, type RangeSource } from "./range-source.ts";

const endBytes = 22;
const locatorBytes = 20;
const end64Bytes = 56;
const maxCommentBytes = 0xffff;

const endSignature = 0x06054b50;
const locatorSignature = 0x07064b50;
const end64Signature = 0x06064b50;

/** The position of the table of contents. */
export interface ZipEnd {
  entryCount: number;
  directoryBytes: number;
  /** Offset of the table, as stored in the archive. */
  directoryOffset: number;
  /** Bytes in front of the archive in the file; all stored offsets count from their end. */
  prependedBytes: number;
}

const uint64 = (buffer: Buffer, at: number): number => Number(buffer.readBigUInt64LE(at));

function findEnd(tail: Buffer): number {
  for (let at = tail.byteLength - endBytes; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== endSignature) continue;
    if (at + endBytes + tail.readUInt16LE(at + 20) <= tail.byteLength) return at;
  }
  throw new ContainerProblem("the end of the table of contents is missing: it is no ZIP file, or it was cut off");
}

function zipEnd(parts: {
  entryCount: number;
  directoryBytes: number;
  directoryOffset: number;
  endsAt: number;
}): ZipEnd {
  const { endsAt, ...end } = parts;
  const prependedBytes = endsAt - end.directoryBytes - end.directoryOffset;
  if (prependedBytes < 0) throw new ContainerProblem("the table of contents does not fit into the file");
  return { ...end, prependedBytes };
}

async function readEnd64(source: RangeSource, tail: Buffer, locatorAt: number, tailStart: number): Promise<ZipEnd> {
  // Bytes in front shift the record, so the expected position is tried before the one in the locator.
  const offsetInLocator = uint64(tail, locatorAt + 8);
  for (const position of [tailStart + locatorAt - end64Bytes, offsetInLocator]) {
    if (position < 0 || position + end64Bytes > source.sizeBytes) continue;
    // Usually it is among the bytes that were read already; another call of a remote store takes its time.
    const record =
      position >= tailStart
        ? tail.subarray(position - tailStart, position - tailStart + end64Bytes)
        : await source.read({ start: position, end: position + end64Bytes });
    if (record.byteLength < end64Bytes || record.readUInt32LE(0) !== end64Signature) continue;
    return zipEnd({
      entryCount: uint64(record, 32),
      directoryBytes: uint64(record, 40),
      directoryOffset: uint64(record, 48),
      endsAt: position,
    });
  }
  throw new ContainerProblem("the ZIP64 end of the table of contents is missing");
}

/** Reads the end record of a ZIP or ZIP64, also with bytes in front of the archive. Raises ContainerProblem. */
export async function readZipEnd(source: RangeSource): Promise<ZipEnd> {
  const tailStart = Math.max(0, source.sizeBytes - endBytes - maxCommentBytes - locatorBytes);
  const tail = await source.read({ start: tailStart, end: source.sizeBytes });
  const at = findEnd(tail);
  const locatorAt = at - locatorBytes;
  if (locatorAt >= 0 && tail.readUInt32LE(locatorAt) === locatorSignature) {
    return readEnd64(source, tail, locatorAt, tailStart);
  }
  if (tail.readUInt16LE(at + 4) !== 0) throw new ContainerProblem("it is one part of an archive of several files");
  return zipEnd({
    entryCount: tail.readUInt16LE(at + 10),
    directoryBytes: tail.readUInt32LE(at + 12),
    directoryOffset: tail.readUInt32LE(at + 16),
    endsAt: tailStart + at,
  });
}
