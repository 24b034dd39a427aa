import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import type { RangeSource } from "../../shared/containers/range-source.ts";

/** A file as the source of an archive. */
export async function fileSource(path: string): Promise<RangeSource> {
  const { size } = await stat(path);
  return {
    sizeBytes: size,
    async read({ start, end }) {
      const file = await open(path, "r");
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
    stream: async ({ start, end }) =>
      start === end ? Readable.from([]) : createReadStream(path, { start, end: end - 1 }),
  };
}

/** Bytes in memory as the source of an archive. */
export const bufferSource = (bytes: Buffer): RangeSource => ({
  sizeBytes: bytes.byteLength,
  read: async ({ start, end }) => bytes.subarray(start, end),
  stream: async ({ start, end }) => Readable.from([bytes.subarray(start, end)]),
});
