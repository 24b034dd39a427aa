import { type FileHandle, open } from "node:fs/promises";
import { crc32 } from "node:zlib";

const localBytes = 30;
const recordBytes = 46;
const flushBytes = 8 * 1024 * 1024;
const uint32Max = 0xffffffff;

interface Stored {
  name: Buffer;
  content: Buffer;
  crc: number;
  offset: number;
}

function writeLocal(buffer: Buffer, at: number, entry: Stored): number {
  buffer.fill(0, at, at + localBytes);
  buffer.writeUInt32LE(0x04034b50, at);
  buffer.writeUInt16LE(20, at + 4);
  buffer.writeUInt32LE(entry.crc, at + 14);
  buffer.writeUInt32LE(entry.content.byteLength, at + 18);
  buffer.writeUInt32LE(entry.content.byteLength, at + 22);
  buffer.writeUInt16LE(entry.name.byteLength, at + 26);
  entry.name.copy(buffer, at + localBytes);
  entry.content.copy(buffer, at + localBytes + entry.name.byteLength);
  return at + localBytes + entry.name.byteLength + entry.content.byteLength;
}

function writeRecord(buffer: Buffer, at: number, entry: Stored): number {
  buffer.fill(0, at, at + recordBytes);
  buffer.writeUInt32LE(0x02014b50, at);
  buffer.writeUInt16LE(20, at + 4);
  buffer.writeUInt16LE(20, at + 6);
  buffer.writeUInt32LE(entry.crc, at + 16);
  buffer.writeUInt32LE(entry.content.byteLength, at + 20);
  buffer.writeUInt32LE(entry.content.byteLength, at + 24);
  buffer.writeUInt16LE(entry.name.byteLength, at + 28);
  buffer.writeUInt32LE(entry.offset, at + 42);
  entry.name.copy(buffer, at + recordBytes);
  return at + recordBytes + entry.name.byteLength;
}

/** The ZIP64 end record, its locator and the classic end record. */
function end64(count: number, size: number, offset: number): Buffer {
  const buffer = Buffer.alloc(56 + 20 + 22);
  buffer.writeUInt32LE(0x06064b50, 0);
  buffer.writeBigUInt64LE(44n, 4);
  buffer.writeUInt16LE(45, 12);
  buffer.writeUInt16LE(45, 14);
  buffer.writeBigUInt64LE(BigInt(count), 24);
  buffer.writeBigUInt64LE(BigInt(count), 32);
  buffer.writeBigUInt64LE(BigInt(size), 40);
  buffer.writeBigUInt64LE(BigInt(offset), 48);
  buffer.writeUInt32LE(0x07064b50, 56);
  buffer.writeBigUInt64LE(BigInt(offset + size), 64);
  buffer.writeUInt32LE(1, 72);
  buffer.writeUInt32LE(0x06054b50, 76);
  buffer.writeUInt16LE(0xffff, 84);
  buffer.writeUInt16LE(0xffff, 86);
  buffer.writeUInt32LE(uint32Max, 88);
  buffer.writeUInt32LE(uint32Max, 92);
  return buffer;
}

async function writeAll(file: FileHandle, entries: Stored[], write: typeof writeLocal): Promise<number> {
  const buffer = Buffer.alloc(flushBytes + 1024 * 1024);
  let length = 0;
  let total = 0;
  for (const entry of entries) {
    length = write(buffer, length, entry);
    if (length < flushBytes) continue;
    await file.write(buffer, 0, length);
    total += length;
    length = 0;
  }
  await file.write(buffer, 0, length);
  return total + length;
}

/** Writes a ZIP64 with many small uncompressed files, named by their number. A million files take about two seconds. */
export async function makeManyEntries(path: string, count: number, nameOf: (index: number) => string): Promise<void> {
  const file = await open(path, "w");
  try {
    let offset = 0;
    const entries = Array.from({ length: count }, (_, index) => {
      const name = Buffer.from(nameOf(index));
      const content = Buffer.from(String(index));
      const entry = { name, content, crc: crc32(content), offset };
      offset += localBytes + name.byteLength + content.byteLength;
      return entry;
    });
    const directoryOffset = await writeAll(file, entries, writeLocal);
    const directoryBytes = await writeAll(file, entries, writeRecord);
    await file.write(end64(count, directoryBytes, directoryOffset));
  } finally {
    await file.close();
  }
}

/**
 * Writes a ZIP64 with a sparse file of `holeBytes` zeros and a small file after it. The CRC-32 of the zeros is wrong,
 * which no test notices, because none reads them all.
 */
export async function makeSparseZip(path: string, holeBytes: number): Promise<void> {
  const file = await open(path, "w");
  try {
    const zeros = { name: Buffer.from("zeros.bin"), content: Buffer.alloc(0), crc: 0, offset: 0 };
    const head = Buffer.alloc(localBytes + zeros.name.byteLength);
    writeLocal(head, 0, zeros);
    await file.write(head, 0, head.byteLength, 0);
    const content = Buffer.from("behind five gigabytes\n");
    const offset = head.byteLength + holeBytes;
    const small = { name: Buffer.from("far/small.txt"), content, crc: crc32(content), offset: 0 };
    const smallHead = Buffer.alloc(localBytes + small.name.byteLength + content.byteLength);
    writeLocal(smallHead, 0, small);
    await file.write(smallHead, 0, smallHead.byteLength, offset);
    const directoryOffset = offset + smallHead.byteLength;
    const records = Buffer.concat([
      largeRecord(zeros, [holeBytes, holeBytes], 0),
      largeRecord(small, [content.byteLength, content.byteLength], offset),
    ]);
    await file.write(records, 0, records.byteLength, directoryOffset);
    await file.write(end64(2, records.byteLength, directoryOffset), 0, undefined, directoryOffset + records.byteLength);
  } finally {
    await file.close();
  }
}

function largeRecord(entry: Stored, sizes: [number, number], offset: number): Buffer {
  const record = Buffer.alloc(recordBytes + entry.name.byteLength);
  writeRecord(record, 0, entry);
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  for (const [index, value] of [...sizes, offset].entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  for (const at of [20, 24, 42]) record.writeUInt32LE(uint32Max, at);
  record.writeUInt16LE(extra.byteLength, 30);
  return Buffer.concat([record, extra]);
}
