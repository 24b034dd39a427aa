export type MarkedEncoding = "utf-8" | "utf-16le" | "utf-16be";

/** The encoding that a byte order mark names, else UTF-8 (WHATWG Encoding, 6.1). */
export function markedEncoding([first, second]: Uint8Array): MarkedEncoding {
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : "utf-8";
}

/** The class `TextDecoder`, which pure code does not have. */
type Decoder = new (
  encoding: string,
  options: { fatal: boolean },
) => { decode(bytes: Uint8Array, options: { stream: boolean }): string };

/**
 * The text of a part of a file, without a character that is cut at its end. What is not valid is read as Western
 * European.
 * @param encoding of the file; by default, the part is its beginning.
 */
export function decodeText(bytes: Uint8Array, TextDecoder: Decoder, encoding = markedEncoding(bytes)): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder("windows-1252", { fatal: false }).decode(bytes, { stream: true });
  }
}
