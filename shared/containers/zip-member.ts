import { pipeline, type Readable, Transform, type TransformCallback } from "node:stream";
import { crc32, createInflateRaw, type InflateRaw } from "node:zlib";
import { deflatedMethod, type Member, storedMethod } from "./container-index.ts";
import { refusalOf } from "./member-name.ts";
import { ContainerProblem, type RangeSource } from "./range-source.ts";

const localHeaderBytes = 30;
const localSignature = 0x04034b50;

/**
 * Passes bytes on while they match the table of contents. The last bytes wait for the checksum: otherwise a receiver
 * that knows the length would take damaged bytes for complete.
 */
class MemberCheck extends Transform {
  #member: Member;
  #crc = 0;
  #count = 0;
  #held: Buffer | undefined;

  constructor(member: Member) {
    super();
    this.#member = member;
  }

  override _transform(chunk: Buffer, _encoding: string, callback: TransformCallback): void {
    this.#count += chunk.byteLength;
    if (this.#count > this.#member.sizeBytes) {
      callback(new ContainerProblem(`${this.#member.key} has more bytes than the table of contents says`));
      return;
    }
    this.#crc = crc32(chunk, this.#crc);
    const ready = this.#held;
    this.#held = chunk;
    callback(null, ready);
  }

  override _flush(callback: TransformCallback): void {
    if (this.#count === this.#member.sizeBytes && this.#crc === this.#member.crc32) callback(null, this.#held);
    else callback(new ContainerProblem(`${this.#member.key} does not agree with its checksum`));
  }
}

/** @throws ContainerProblem for unsafe names, encrypted members, and methods other than stored and deflated (records 11). */
export function requireReadable(member: Member): void {
  if (member.isRefused) throw new ContainerProblem(refusalOf(member.key));
  if (member.isEncrypted) throw new ContainerProblem(`the member ${member.key} is encrypted`);
  if (member.method === storedMethod && member.compressedBytes !== member.sizeBytes) {
    throw new ContainerProblem(`the member ${member.key} is said to have two sizes`);
  }
  if (member.method !== storedMethod && member.method !== deflatedMethod) {
    throw new ContainerProblem(
      `the member ${member.key} is compressed by a method (${member.method}) that is not read here`,
    );
  }
}

/**
 * The range of the member's bytes. Raises ContainerProblem when they are not at the offset in the table of contents.
 */
async function locateMember(source: RangeSource, member: Member): Promise<{ start: number; end: number }> {
  const header = await source.read({ start: member.headerOffset, end: member.headerOffset + localHeaderBytes });
  if (header.byteLength < localHeaderBytes || header.readUInt32LE(0) !== localSignature) {
    throw new ContainerProblem(`the member ${member.key} is not where the table of contents says`);
  }
  const start = member.headerOffset + localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  const end = start + member.compressedBytes;
  if (end > source.sizeBytes) throw new ContainerProblem(`the member ${member.key} is cut off`);
  return { start, end };
}

/**
 * Streams the uncompressed bytes of a member. The stream ends in an error, which cuts the connection, when size or
 * CRC-32 do not match. Problems known before the first byte raise ContainerProblem here.
 */
export async function openMember(source: RangeSource, member: Member): Promise<Readable> {
  requireReadable(member);
  const range = await locateMember(source, member);
  const packed = await source.stream(range);
  const checked = new MemberCheck(member);
  // pipeline destroys every part when one fails; the consumer gets the error from the last one.
  const done = () => undefined;
  if (member.method === storedMethod) pipeline(packed, checked, done);
  else pipeline(packed, createInflateRaw(), checked, done);
  return checked;
}

/** Checks the uncompressed bytes of a member that was opened elsewhere, as `openMember` does. */
export function checkedMember(bytes: Readable, member: Member): Readable {
  const checked = new MemberCheck(member);
  pipeline(bytes, checked, () => undefined);
  return checked;
}

/** Passes compressed bytes on, and decompresses them only to check them. */
class PackedCheck extends Transform {
  #inflate: InflateRaw = createInflateRaw();
  #checked: MemberCheck;

  constructor(member: Member) {
    super();
    this.#checked = new MemberCheck(member);
    this.#checked.resume();
    pipeline(this.#inflate, this.#checked, (error) => {
      if (error) this.destroy(error);
    });
  }

  override _transform(chunk: Buffer, _encoding: string, callback: TransformCallback): void {
    this.#inflate.write(chunk, (error) => callback(error, chunk));
  }

  override _flush(callback: TransformCallback): void {
    this.#checked.once("end", () => callback());
    this.#inflate.end();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#inflate.destroy();
    callback(error);
  }
}

/**
 * Streams the compressed bytes of a member, to copy them into another archive. Checked like those of `openMember`.
 */
export async function openPackedMember(source: RangeSource, member: Member): Promise<Readable> {
  requireReadable(member);
  if (member.method === storedMethod) return openMember(source, member);
  const packed = await source.stream(await locateMember(source, member));
  const checked = new PackedCheck(member);
  pipeline(packed, checked, () => undefined);
  return checked;
}
