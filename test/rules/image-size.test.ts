import { expect, test } from "vitest";
import { imageSize } from "../../shared/iiif/image-size.ts";

const sizeOf = (bytes: Buffer) => imageSize(async ({ start, end }) => bytes.subarray(start, end));
const padded = (...parts: (Buffer | number[])[]): Buffer =>
  Buffer.concat([...parts.map((part) => Buffer.from(part)), Buffer.alloc(64)]);

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const png = padded(
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13],
  Buffer.from("IHDR"),
  uint32(800),
  uint32(600),
);
const gif = padded(Buffer.from("GIF89a"), [0x20, 0x03, 0x58, 0x02]);
const frame = [0xff, 0xc2, 0, 17, 8, 0x02, 0x58, 0x03, 0x20, 3];
const segment = (length: number) =>
  Buffer.concat([Buffer.from([0xff, 0xe1, length >> 8, length & 255]), Buffer.alloc(length - 2)]);
const tiff = Buffer.from("49492a000800000002000001030001000000200300000101040001000000580200000000000000000000", "hex");
const jp2 = padded([0, 0, 0, 12, 0x6a, 0x50, 0x20, 0x20], Buffer.from("....ihdr"), uint32(600), uint32(800));

test.each([
  ["PNG", png],
  ["GIF", gif],
  ["JPEG", padded([0xff, 0xd8], frame)],
  ["JPEG with fill bytes", padded([0xff, 0xd8, 0xff], frame)],
  ["JPEG with metadata larger than the first read", padded([0xff, 0xd8], segment(60_000), segment(60_000), frame)],
  ["TIFF", tiff],
  ["JPEG 2000", jp2],
])("width and height of a %s (records 12)", async (_name, bytes) => {
  expect(await sizeOf(bytes)).toEqual({ width: 800, height: 600 });
});

/** Exif with the orientation alone. */
const exif = (orientation: number) => {
  const text = Buffer.concat([
    Buffer.from("Exif\0\0MM\0*"),
    uint32(8),
    Buffer.from([0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]),
  ]);
  return Buffer.concat([Buffer.from([0xff, 0xe1, 0, text.length + 2]), text]);
};

test.each([1, 3, 6, 8])(
  "a JPEG with orientation %i is measured as viewers turn it (interoperability 11)",
  async (turn) => {
    const [width, height] = turn >= 5 ? [600, 800] : [800, 600];
    expect(await sizeOf(padded([0xff, 0xd8], exif(turn), frame))).toEqual({ width, height });
  },
);

test.each([
  ["nothing", Buffer.alloc(0)],
  ["text", Buffer.from("x".repeat(100))],
  ["a JPEG that ends early", padded([0xff, 0xd8])],
  ["a TIFF without a directory", padded([0x49, 0x49, 0x2a, 0, 0xff, 0xff, 0xff, 0x7f])],
])("%s has no size", async (_name, bytes) => {
  expect(await sizeOf(bytes)).toBeUndefined();
});
