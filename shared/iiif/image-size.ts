import type { ByteRange } from "../kernel/ranges.ts";
import type { ImageSize } from "../pictures/picture-order.policy.ts";

/** Reads a part of the image; shorter at its end. */
export type ReadPart = (range: ByteRange) => Promise<Buffer>;

const headBytes = 64 * 1024;
const maxSegments = 500;

const pngSize = (head: Buffer): ImageSize => ({ width: head.readUInt32BE(16), height: head.readUInt32BE(20) });
const gifSize = (head: Buffer): ImageSize => ({ width: head.readUInt16LE(6), height: head.readUInt16LE(8) });

/** Markers with the frame's size: SOF0 to SOF15 without DHT, JPG and DAC. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Marker of the segment that may hold Exif. */
const exifMarker = 0xe1;

/** Orientations from 5 on lie on their side: viewers turn them by a quarter. */
const turned = ({ width, height }: ImageSize, orientation = 1): ImageSize =>
  orientation >= 5 && orientation <= 8 ? { width: height, height: width } : { width, height };

/** The orientation in the Exif of a JPEG. @param at offset of its segment. */
async function orientationAt(at: number, read: ReadPart): Promise<number | undefined> {
  const start = at + 10;
  const lead = await read({ start: at + 4, end: start + 8 });
  if (lead.length < 14 || lead.toString("latin1", 0, 6) !== "Exif\0\0") return undefined;
  const within: ReadPart = (range) => read({ start: start + range.start, end: start + range.end });
  return (await tiffTags(lead.subarray(6), within)).orientation;
}

/** Follows the segments, because large metadata may precede the frame. */
async function jpegSize(head: Buffer, read: ReadPart): Promise<ImageSize | undefined> {
  let offset = 2;
  let orientation: number | undefined;
  for (let segment = 0; segment < maxSegments; segment++) {
    const isInHead = offset + 9 <= head.length;
    const part = isInHead ? head.subarray(offset, offset + 9) : await read({ start: offset, end: offset + 9 });
    if (part.length < 9 || part[0] !== 0xff) return undefined;
    const marker = part[1] ?? 0;
    if (isFrame(marker)) return turned({ height: part.readUInt16BE(5), width: part.readUInt16BE(7) }, orientation);
    if (marker === exifMarker) orientation ??= await orientationAt(offset, read);
    // A fill byte, or a marker without a length.
    if (marker === 0xff) offset += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) offset += 2;
    else offset += 2 + part.readUInt16BE(2);
  }
  return undefined;
}

interface TiffTags {
  width?: number | undefined;
  height?: number | undefined;
  orientation?: number | undefined;
}

/** Tags 256 (width), 257 (height) and 274 (orientation) of the first directory. @param lead its first 8 bytes. */
async function tiffTags(lead: Buffer, read: ReadPart): Promise<TiffTags> {
  const isLittle = lead[0] === 0x49;
  const short = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const long = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const start = long(lead, 4);
  const counted = await read({ start, end: start + 2 });
  if (counted.length < 2) return {};
  const directory = await read({ start: start + 2, end: start + 2 + 12 * short(counted, 0) });
  const found: Partial<Record<number, number>> = {};
  for (let at = 0; at + 12 <= directory.length; at += 12) {
    const isShort = short(directory, at + 2) === 3;
    found[short(directory, at)] = isShort ? short(directory, at + 8) : long(directory, at + 8);
  }
  return { width: found[256], height: found[257], orientation: found[274] };
}

async function tiffSize(head: Buffer, read: ReadPart): Promise<ImageSize | undefined> {
  const { width, height, orientation } = await tiffTags(head, read);
  return width && height ? turned({ width, height }, orientation) : undefined;
}

/** The image header box of JPEG 2000. */
function jp2Size(head: Buffer): ImageSize | undefined {
  const box = head.indexOf("ihdr", 0, "latin1");
  if (box < 0 || box + 12 > head.length) return undefined;
  return { height: head.readUInt32BE(box + 4), width: head.readUInt32BE(box + 8) };
}

const startsWith = (head: Buffer, hexadecimal: string): boolean =>
  head.subarray(0, hexadecimal.length / 2).toString("hex") === hexadecimal;

/** Width and height of a GIF, JPEG, JPEG 2000, PNG or TIFF by its header, as viewers turn it; undefined for anything else. */
export async function imageSize(read: ReadPart): Promise<ImageSize | undefined> {
  const head = await read({ start: 0, end: headBytes });
  if (head.length < 24) return undefined;
  if (startsWith(head, "89504e470d0a1a0a")) return pngSize(head);
  if (startsWith(head, "47494638")) return gifSize(head);
  if (startsWith(head, "ffd8")) return jpegSize(head, read);
  if (startsWith(head, "49492a00") || startsWith(head, "4d4d002a")) return tiffSize(head, read);
  return startsWith(head, "0000000c6a502020") ? jp2Size(head) : undefined;
}
