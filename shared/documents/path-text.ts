/**
 * A path of a document as text: `metadata.publisher`, `metadata.creators["name:berg, a."].role`. Keys with dots, quotes
 * or brackets are JSON in brackets. `readPath` is the inverse.
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
