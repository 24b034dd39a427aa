import type { FileEntryRow } from "../../shared/database/schema.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { decodeText } from "../../shared/previews/text.ts";

/** The first bytes of a file; undefined if they are not on this computer. */
export async function readStart(
  { blobs }: Pick<Host, "blobs">,
  { sha256, size }: FileEntryRow,
  most: number,
): Promise<Buffer | undefined> {
  if (sha256 === null || size === null) return undefined;
  if (size === 0) return Buffer.alloc(0);
  return blobs.readBytes(sha256, { start: 0, end: Math.min(size, most) });
}

/** The text of the first bytes, as in the app. Undefined if they are no text. */
export function textIn(bytes: Buffer): string | undefined {
  const text = decodeText(bytes, TextDecoder);
  return text.includes("\0") ? undefined : text;
}
