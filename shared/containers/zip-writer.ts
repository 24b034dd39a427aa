import type { Readable } from "node:stream";
import { crc32 } from "node:zlib";

const localSignature = 0x04034b50;
const descriptorSignature = 0x08074b50;
const recordSignature = 0x02014b50;
const endSignature = 0x06054b50;
const end64Signature = 0x06064b50;
const locatorSignature = 0x07064b50;

const uint32Max = 0xffffffff;
const uint16Max = 0xffff;
const utf8Flag = 0x0800;
const descriptorFlag = 0x0008;
const plainVersion = 20;
const zip64Version = 45;
const madeByUnix = 3 << 8;
const fileMode = 0o100644 * 0x10000;
const directoryMode = 0o040755 * 0x10000 + 0x10;

/** A member to write. Its bytes are already compressed by `method`: 0 stored, 8 deflated. */
export interface ZipMember {
  /** Path with `/`, in any script. A directory ends with `/` and has no bytes. */
  name: string;
  /** MS-DOS date in the upper, time in the lower 16 bits; see `dosTimeOf`. */
  dosTime: number;
  method: number;
  /** If known, it is in the header, else after the bytes in a data descriptor. */
  crc32: number | undefined;
  sizeBytes: number;
  compressedBytes: number;
  open(): Promise<Readable>;
}

interface WrittenMember {
  member: ZipMember;
  name: Buffer;
  crc: number;
  offset: number;
}

/** The time format of ZIP files, in UTC and in steps of two seconds. */
export function dosTimeOf(date: Date): number {
  const year = Math.min(Math.max(date.getUTCFullYear(), 1980), 2107);
  const day = ((year - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return day * 0x10000 + time;
}

const isLarge = (member: ZipMember): boolean => Math.max(member.sizeBytes, member.compressedBytes) >= uint32Max;
const flagsOf = (member: ZipMember): number => utf8Flag | (member.crc32 === undefined ? descriptorFlag : 0);

/** The ZIP64 extra field with the numbers over 32 bits. */
function zip64Field(values: number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  return field;
}

function localHeader(member: ZipMember, name: Buffer): Buffer {
  const extra = zip64Field(isLarge(member) ? [member.sizeBytes, member.compressedBytes] : []);
  const isKnown = member.crc32 !== undefined;
  const header = Buffer.alloc(30);
  header.writeUInt32LE(localSignature, 0);
  header.writeUInt16LE(isLarge(member) ? zip64Version : plainVersion, 4);
  header.writeUInt16LE(flagsOf(member), 6);
  header.writeUInt16LE(member.method, 8);
  header.writeUInt32LE(member.dosTime, 10);
  header.writeUInt32LE(member.crc32 ?? 0, 14);
  header.writeUInt32LE(isLarge(member) ? uint32Max : isKnown ? member.compressedBytes : 0, 18);
  header.writeUInt32LE(isLarge(member) ? uint32Max : isKnown ? member.sizeBytes : 0, 22);
  header.writeUInt16LE(name.byteLength, 26);
  header.writeUInt16LE(extra.byteLength, 28);
  return Buffer.concat([header, name, extra]);
}

function descriptor(member: ZipMember, crc: number): Buffer {
  const buffer = Buffer.alloc(isLarge(member) ? 24 : 16);
  buffer.writeUInt32LE(descriptorSignature, 0);
  buffer.writeUInt32LE(crc, 4);
  if (isLarge(member)) {
    buffer.writeBigUInt64LE(BigInt(member.compressedBytes), 8);
    buffer.writeBigUInt64LE(BigInt(member.sizeBytes), 16);
  } else {
    buffer.writeUInt32LE(member.compressedBytes, 8);
    buffer.writeUInt32LE(member.sizeBytes, 12);
  }
  return buffer;
}

function directoryRecord({ member, name, crc, offset }: WrittenMember): Buffer {
  const isFar = offset >= uint32Max;
  const extra = zip64Field([
    ...(isLarge(member) ? [member.sizeBytes, member.compressedBytes] : []),
    ...(isFar ? [offset] : []),
  ]);
  const version = extra.byteLength > 0 ? zip64Version : plainVersion;
  const record = Buffer.alloc(46);
  record.writeUInt32LE(recordSignature, 0);
  record.writeUInt16LE(madeByUnix | version, 4);
  record.writeUInt16LE(version, 6);
  record.writeUInt16LE(flagsOf(member), 8);
  record.writeUInt16LE(member.method, 10);
  record.writeUInt32LE(member.dosTime, 12);
  record.writeUInt32LE(crc, 16);
  record.writeUInt32LE(isLarge(member) ? uint32Max : member.compressedBytes, 20);
  record.writeUInt32LE(isLarge(member) ? uint32Max : member.sizeBytes, 24);
  record.writeUInt16LE(name.byteLength, 28);
  record.writeUInt16LE(extra.byteLength, 30);
  record.writeUInt32LE(member.name.endsWith("/") ? directoryMode : fileMode, 38);
  record.writeUInt32LE(isFar ? uint32Max : offset, 42);
  return Buffer.concat([record, name, extra]);
}

function endRecords(count: number, offset: number, size: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(endSignature, 0);
  end.writeUInt16LE(Math.min(count, uint16Max), 8);
  end.writeUInt16LE(Math.min(count, uint16Max), 10);
  end.writeUInt32LE(Math.min(size, uint32Max), 12);
  end.writeUInt32LE(Math.min(offset, uint32Max), 16);
  if (count < uint16Max && size < uint32Max && offset < uint32Max) return end;
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(end64Signature, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(madeByUnix | zip64Version, 12);
  end64.writeUInt16LE(zip64Version, 14);
  end64.writeBigUInt64LE(BigInt(count), 24);
  end64.writeBigUInt64LE(BigInt(count), 32);
  end64.writeBigUInt64LE(BigInt(size), 40);
  end64.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(locatorSignature, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end64, locator, end]);
}

/**
 * Streams a ZIP, member after member; only the table of contents is kept in memory. A member with a wrong number of
 * bytes ends the stream in an error, which cuts the connection.
 */
export async function* writeZip(members: AsyncIterable<ZipMember> | Iterable<ZipMember>): AsyncGenerator<Buffer> {
  const entries: WrittenMember[] = [];
  let position = 0;
  for await (const member of members) {
    const name = Buffer.from(member.name);
    const entry = { member, name, crc: member.crc32 ?? 0, offset: position };
    const header = localHeader(member, name);
    position += header.byteLength + member.compressedBytes;
    yield header;
    let count = 0;
    for await (const chunk of await member.open()) {
      count += chunk.byteLength;
      if (member.crc32 === undefined) entry.crc = crc32(chunk, entry.crc);
      yield chunk;
    }
    if (count !== member.compressedBytes)
      throw new Error(`${member.name} has ${count} bytes, not ${member.compressedBytes}`);
    if (member.crc32 === undefined) {
      const tail = descriptor(member, entry.crc);
      position += tail.byteLength;
      yield tail;
    }
    entries.push(entry);
  }
  let directoryBytes = 0;
  for (const entry of entries) {
    const record = directoryRecord(entry);
    directoryBytes += record.byteLength;
    yield record;
  }
  yield endRecords(entries.length, position, directoryBytes);
}
