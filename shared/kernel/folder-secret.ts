import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { giveToFolder } from "./private-files.ts";

const secretBytes = 32;
/** Name of the file in the data folder. */
export const secretFile = "secret.key";

/**
 * Writes the file atomically: after a power loss it is complete or absent. Of several processes that start at once, the
 * first one's secret counts for all.
 */
function makeSecret(file: string): void {
  const fresh = `${file}.${randomBytes(4).toString("hex")}`;
  const handle = openSync(fresh, "wx", 0o600);
  try {
    writeSync(handle, randomBytes(secretBytes));
    giveToFolder(handle, file);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  try {
    linkSync(fresh, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
}

/**
 * The secret of a data folder: 32 random bytes, made at first use. It lies beside the database and in no backup, so a
 * copy of the database is not enough to try passwords against a digest made with it.
 */
export function folderSecret(folder: string): Buffer {
  const file = join(folder, secretFile);
  if (!existsSync(file)) makeSecret(file);
  return readFileSync(file);
}
