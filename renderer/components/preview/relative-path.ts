/** The path that `path` means in the folder of the file `from`; undefined if it leaves the root. */
export function relativePath(from: string, path: string): string | undefined {
  const parts = from.split("/").slice(0, -1);
  for (const part of path.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.length > 0 ? parts.join("/") : undefined;
}
