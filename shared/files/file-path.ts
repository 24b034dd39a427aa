/** A parsed path after `/files/`: the file, and which part of it is requested. */
export interface FilePath {
  key: string;
  route: "entry" | "content" | "commit" | "container";
  /** The parts after `container`. */
  rest: string[];
}

const isClosing = (rest: readonly string[]): boolean => rest.length === 1 && rest[0] === "";

/**
 * All readings of the decoded parts: those with a word of a sub-route first, the longest file name first, then the whole
 * path as a name. Ignores one trailing slash (search-and-conventions 11), except inside an archive, where an empty part
 * is invalid (records 11).
 */
function readings(sent: readonly string[]): FilePath[] {
  const parts = sent.length > 1 && sent.at(-1) === "" ? sent.slice(0, -1) : sent;
  const found: FilePath[] = [];
  for (let length = parts.length - 1; length > 0; length -= 1) {
    const key = parts.slice(0, length).join("/");
    const word = parts[length] ?? "";
    const isLast = length === parts.length - 1;
    const rest = sent.slice(length + 1);
    if (word === "container") found.push({ key, route: "container", rest: isClosing(rest) ? [] : rest });
    else if (isLast && (word === "content" || word === "commit")) found.push({ key, route: word, rest: [] });
  }
  found.push({ key: parts.join("/"), route: "entry", rest: [] });
  return found;
}

/**
 * Splits the path of a file (records 6.2). `parts` are decoded, so `%2F` stays inside its part. Of several readings,
 * the first one whose file exists wins, so that the links of each file lead to it. If none exists, a reading with
 * `container`, `content` or `commit` comes first.
 */
export async function splitFilePath(
  parts: readonly string[],
  existing: (keys: string[]) => Promise<string[]>,
): Promise<FilePath> {
  const all = readings(parts);
  const known = new Set(await existing(all.map(({ key }) => key)));
  const wanted = all.find(({ key }) => known.has(key));
  if (wanted) return wanted;
  return all.findLast(({ route }) => route === "container") ?? (all[0] as FilePath);
}

/** The decoded parts that a wildcard matched. */
export const partsOf = (matched: string | string[] | undefined): string[] =>
  Array.isArray(matched) ? matched : [matched ?? ""];

/** Whether the path of a call is that of a file's bytes. */
export function isContent({ params }: { params: Record<string, string | string[]> }): boolean {
  const parts = partsOf(params.path);
  return parts.at(parts.at(-1) === "" ? -2 : -1) === "content";
}
