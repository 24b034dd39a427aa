import type { MarkedEncoding } from "../../shared/previews/text.ts";

const quote = 0x22;
const lineFeed = 0x0a;

/** Where the last whole row of a table's bytes ends; all of them if no row ends. A line end in quotes ends no row. */
export function endOfRows(bytes: Uint8Array, encoding: MarkedEncoding = "utf-8"): number {
  const unitBytes = encoding === "utf-8" ? 1 : 2;
  const [low, high] = encoding === "utf-16be" ? [1, 0] : [0, 1];
  let isQuoted = false;
  let end = 0;
  let lineEnd = 0;
  for (let at = 0; at + unitBytes <= bytes.length; at += unitBytes) {
    if (unitBytes === 2 && bytes[at + high] !== 0) continue;
    const unit = bytes[at + low];
    if (unit === quote) isQuoted = !isQuoted;
    else if (unit === lineFeed) {
      lineEnd = at + unitBytes;
      if (!isQuoted) end = lineEnd;
    }
  }
  // A stray quote, or one huge row: the last line end, else everything.
  return end || lineEnd || bytes.length;
}
