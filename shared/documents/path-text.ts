/**
 * A path of a document as one text: `metadata.publisher`, `metadata.creators["name:berg, a."].role`. `readPath` turns it
 * back; keys with dots, quotes or brackets stand in brackets as JSON.
 */
export const writePath = (path: readonly string[]): string =>
  path
    .map((key, index) => (/^[\w:~-]+$/.test(key) ? `${index === 0 ? "" : "."}${key}` : `[${JSON.stringify(key)}]`))
    .join("");

/** The path of a text made by `writePath`. */
export function readPath(text: string): string[] {
  const parts = text.matchAll(/\[("(?:[^"\\]|\\.)*")\]|([\w:~-]+)/g);
  return [...parts].map(([, quoted, plain]) => (quoted === undefined ? (plain ?? "") : String(JSON.parse(quoted))));
}
