import type { Readable } from "node:stream";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { ByteRange } from "../kernel/ranges.ts";

/** Random access to the bytes of one archive: a blob on this computer, or one behind HTTP ranges. */
export interface RangeSource {
  sizeBytes: number;
  /** The bytes of the range; fewer only at the end of the source. */
  read(range: ByteRange): Promise<Buffer>;
  stream(range: ByteRange): Promise<Readable>;
}

export const blobSource = (blobs: BlobStore, sha256: string, sizeBytes: number): RangeSource => ({
  sizeBytes,
  read: (range) => blobs.readBytes(sha256, range),
  stream: (range) => blobs.read(sha256, range),
});

/** An archive that is invalid or refused; the message gives the reason (records 11). */
export class ContainerProblem extends Error {}
