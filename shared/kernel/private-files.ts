import { chmodSync, closeSync, existsSync, fchownSync, openSync, statSync } from "node:fs";
import { lchown, opendir } from "node:fs/promises";
import { dirname, join } from "node:path";

/** File modes of all data: only the account that runs Carrel has access. */
export const privateFile = 0o600;
export const privateFolder = 0o700;

const forOthers = 0o077;

/** Sets the umask, so that other accounts cannot access any file that this process creates. */
export function keepPrivate(): void {
  process.umask(forOthers);
}

/** Whether other accounts have any access. Always false on Windows, which has no modes; its profile folders are private. */
function isOpenToOthers(path: string): boolean {
  if (process.platform === "win32") return false;
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.mode & forOthers) !== 0;
}

/** Removes other accounts' access to a file or folder. @returns whether they had any. */
export function narrow(path: string): boolean {
  if (!isOpenToOthers(path)) return false;
  try {
    chmodSync(path, statSync(path).mode & ~forOthers);
  } catch (error) {
    // Another account owns the file and sets its mode; the caller warns anyway.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) throw error;
  }
  return true;
}

/** A file that root makes for a command belongs to the owner of its folder, whose server could not read it otherwise. */
export function giveToFolder(handle: number, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  fchownSync(handle, uid, gid);
}

/**
 * As `giveToFolder`, for files and whole folders that root made. A symbolic link is not followed: it may lead to a file
 * of root.
 */
export async function giveAllToFolder(paths: string[]): Promise<void> {
  if (process.getuid?.() !== 0) return;
  for (const path of paths) {
    const { uid, gid } = statSync(dirname(path));
    await lchown(path, uid, gid);
    if (!statSync(path).isDirectory()) continue;
    const inside = await opendir(path, { recursive: true });
    for await (const entry of inside) await lchown(join(entry.parentPath, entry.name), uid, gid);
  }
}

/**
 * Makes sure that a file exists and is private, before a library opens it by name.
 * @param options.isOfFolder a new file belongs to the owner of its folder.
 */
export function claimFile(path: string, { isOfFolder = false } = {}): void {
  const isNew = isOfFolder && !existsSync(path);
  const handle = openSync(path, "a", privateFile);
  try {
    if (isNew) giveToFolder(handle, path);
  } finally {
    closeSync(handle);
  }
  narrow(path);
}
