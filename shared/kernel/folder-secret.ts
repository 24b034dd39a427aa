import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "./failure.ts";
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
 * @throws Failure `unavailable` when it is cut: anybody could make links that were signed with an empty one.
 */
export function folderSecret(folder: string): Buffer {
  const file = join(folder, secretFile);
  if (!existsSync(file)) makeSecret(file);
  const secret = readFileSync(file);
  if (secret.byteLength >= secretBytes) return secret;
  throw new Failure(
    "unavailable",
    `${file} is damaged: it has ${secret.byteLength} bytes, not ${secretBytes}. Put its copy back. Without a copy, remove it: a new one is made, and links in mail that was sent before end.`,
  );
}
