import { Failure } from "./failure.ts";

/** Whether SQLite or the file system reports a full disk. */
export function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code === "SQLITE_FULL" || code === "ENOSPC" || code === "EDQUOT";
}

export const diskFull = (): Failure =>
  new Failure("disk_full", "The disk is full: nothing was changed. Free some space and try again.");
