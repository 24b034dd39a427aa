import { withSuffix } from "../../../../shared/files/file-name.schema.ts";

export interface NamedFile {
  /** Path within the dropped folder, with `/`. */
  key: string;
  file: File;
}

const readFile = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));
const readSome = (reader: FileSystemDirectoryReader) =>
  new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));

export interface DroppedFiles {
  files: NamedFile[];
  /** Paths of files and folders that this account may not read, or that are gone. */
  unreadable: string[];
}

async function walk(entry: FileSystemEntry, folder: string, found: DroppedFiles): Promise<void> {
  const key = folder + entry.name;
  try {
    if (entry.isFile) found.files.push({ key, file: await readFile(entry as FileSystemFileEntry) });
    else await walkFolder(entry as FileSystemDirectoryEntry, key, found);
  } catch {
    found.unreadable.push(key);
  }
}

async function walkFolder(folder: FileSystemDirectoryEntry, key: string, found: DroppedFiles): Promise<void> {
  const reader = folder.createReader();
  // A reader returns at most a hundred entries per call, and none at the end.
  for (let entries = await readSome(reader); entries.length > 0; entries = await readSome(reader))
    for (const child of entries) await walk(child, `${key}/`, found);
}

/** Files of a drop, with paths for folders. Call it inside the event, because the list is empty afterwards. */
export async function droppedFiles(transfer: DataTransfer): Promise<DroppedFiles> {
  const items = [...transfer.items].filter(({ kind }) => kind === "file");
  const found = items.map(async (item): Promise<DroppedFiles> => {
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    const inside: DroppedFiles = { files: [], unreadable: [] };
    if (entry) await walk(entry, "", inside);
    // A file without an entry does not come from a disk, for example an image of a web page.
    else if (file) inside.files.push({ key: file.name, file });
    return inside;
  });
  const all = await Promise.all(found);
  return { files: all.flatMap(({ files }) => files), unreadable: all.flatMap(({ unreadable }) => unreadable) };
}

/** Files of a picker, with paths for a folder picker. */
export const pickedFiles = (files: FileList | null): NamedFile[] =>
  [...(files ?? [])].map((file) => ({ key: file.webkitRelativePath || file.name, file }));

/** A free name: "a.txt", "a (2).txt", "a (3).txt", … */
export function freeName(key: string, taken: ReadonlySet<string>): string {
  if (!taken.has(key)) return key;
  for (let count = 2; ; count++) {
    const name = withSuffix(key, ` (${count})`);
    if (!taken.has(name)) return name;
  }
}

/** How a name looks: some letters can be written in two ways (Unicode normal forms). */
const lookOf = (key: string): string => key.normalize("NFC");

/**
 * Gives each file a name of its own: of several with one name, the later ones get a free one. A name that looks like
 * that of an existing file becomes that name, so that the user is asked.
 */
export function ownNames(files: readonly NamedFile[], existing: readonly string[]): NamedFile[] {
  const known = new Map(existing.map((key) => [lookOf(key), key]));
  const given = new Set<string>();
  return files.map(({ key, file }) => {
    const look = lookOf(key);
    const isFirst = !given.has(look);
    const name = isFirst ? (known.get(look) ?? key) : freeName(look, new Set([...known.keys(), ...given]));
    given.add(lookOf(name));
    return { key: name, file };
  });
}
