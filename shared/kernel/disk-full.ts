import { Failure } from "./failure.ts";

/** Whether SQLite or the file system reports a full disk. */
export function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code === "SQLITE_FULL" || code === "ENOSPC" || code === "EDQUOT";
}

export const diskFull = (): Failure =>
  new Failure("disk_full", "The disk is full: nothing was changed. Free some space and try again.");

/** Whether the storage refuses for now, such as a disk that became read-only or too many open files. */
export function isStorageDown(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^(EMFILE|ENFILE|EROFS|EACCES|EIO|SQLITE_(READONLY|IOERR|CANTOPEN).*)$/.test(code);
}

export const storageDown = (): Failure =>
  new Failure("unavailable", "The storage cannot be used at the moment: nothing was changed. Try again later.");
