import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DataPaths } from "./data-folder.ts";
import { Failure } from "./failure.ts";
import { secretFile } from "./folder-secret.ts";

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Whether a folder has a file, at any depth. */
function hasFile(folder: string): boolean {
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile());
}

/**
 * What only a library leaves: stored bytes, copies of its database, or its secret beside the folder for uploads. The
 * secret alone proves nothing, because operators may bring it.
 */
function hasTraces({ path, database, blobs }: DataPaths): boolean {
  const isCopy = (name: string) => /^carrel[.]sqlite[.]version-\d+[.]backup$/.test(name);
  if (sizeOf(`${database}-wal`) > 0 || hasFile(blobs)) return true;
  if (existsSync(join(path, secretFile)) && existsSync(join(blobs, "uploads"))) return true;
  return existsSync(path) && readdirSync(path).some(isCopy);
}

/**
 * Whether the database of a library was lost: a host that started would create an empty one over the existing data
 * (hosts-and-sync 7).
 */
export const isDatabaseLost = (folder: DataPaths): boolean => sizeOf(folder.database) === 0 && hasTraces(folder);

/** @throws Failure `unavailable` if the database of a library was lost; the folder is left unchanged. */
export function assertDatabaseNotLost(folder: DataPaths): void {
  if (!isDatabaseLost(folder)) return;
  throw new Failure(
    "unavailable",
    `The database ${folder.database} is missing or empty, but its folder has data of a library. Nothing was changed. Put the database back, or restore a backup into another folder.`,
  );
}
