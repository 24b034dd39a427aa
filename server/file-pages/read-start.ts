import type { FileEntryRow } from "../../shared/database/schema.ts";
import type { Host } from "../../shared/kernel/host.ts";

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

/** The encoding that a byte order mark names (WHATWG Encoding, 6.1). */
function markedEncoding([first, second]: Uint8Array): string {
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : "utf-8";
}

/**
 * The text of the first bytes, without a cut character at the end: UTF-16 with a byte order mark, UTF-8, otherwise
 * Western European, as in the app. Undefined if they are no text.
 */
export function textIn(bytes: Buffer): string | undefined {
  const decoded = (encoding: string, fatal: boolean) =>
    new TextDecoder(encoding, { fatal }).decode(bytes, { stream: true });
  let text: string;
  try {
    text = decoded(markedEncoding(bytes), true);
  } catch {
    text = decoded("windows-1252", false);
  }
  return text.includes("\0") ? undefined : text;
}
