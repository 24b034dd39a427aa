import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";

const secretBytes = 32;

/** Atomic: after a loss of power the file is there as a whole, or not at all. */
function makeSecret(file: string): void {
  const fresh = `${file}.${randomBytes(4).toString("hex")}`;
  const handle = openSync(fresh, "wx", 0o600);
  try {
    writeSync(handle, randomBytes(secretBytes));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(fresh, file);
}

/**
 * The secret of a data folder, 32 random bytes made at first use. It stands beside the database and in no backup: whoever
 * gets a copy of the database cannot try passwords against a digest made with it.
 */
export function folderSecret(folder: string): Buffer {
  const file = join(folder, "secret.key");
  if (!existsSync(file)) makeSecret(file);
  return readFileSync(file);
}
