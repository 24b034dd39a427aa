const quote = 0x22;
const lineFeed = 0x0a;

/** Where the last whole row of a table's bytes ends; all of them if no row ends. A line end in quotes ends no row. */
export function endOfRows(bytes: Uint8Array): number {
  let isQuoted = false;
  let end = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) isQuoted = !isQuoted;
    else if (byte === lineFeed && !isQuoted) end = at + 1;
  }
  if (end > 0) return end;
  // A stray quote, or one huge row: the last line end, else everything.
  return bytes.lastIndexOf(lineFeed) + 1 || bytes.length;
}
