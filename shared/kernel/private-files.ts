import { chmodSync, closeSync, openSync, statSync } from "node:fs";

/** Modes of whatever holds data: for the account that runs Carrel alone. */
export const privateFile = 0o600;
export const privateFolder = 0o700;

const forOthers = 0o077;

/** What a program creates from now on is closed to other accounts, whatever creates it. */
export function keepPrivate(): void {
  process.umask(forOthers);
}

/** Whether other accounts may read, write or enter it. Windows keeps no such modes: a profile's folders are private. */
function isOpenToOthers(path: string): boolean {
  if (process.platform === "win32") return false;
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.mode & forOthers) !== 0;
}

/** Closes a file or folder to other accounts. @returns whether it was open to them. */
export function narrow(path: string): boolean {
  if (!isOpenToOthers(path)) return false;
  try {
    chmodSync(path, statSync(path).mode & ~forOthers);
  } catch (error) {
    // Another account owns it and decides who may read it: the caller warns all the same.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) throw error;
  }
  return true;
}

/** Makes sure that a file is there and closed to other accounts, before a library opens it by name. */
export function claimFile(path: string): void {
  closeSync(openSync(path, "a", privateFile));
  narrow(path);
}
