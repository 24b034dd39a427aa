import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { type DataFolder, findAddress, openDataFolder, shareDataFolder } from "../shared/kernel/data-folder.ts";
import { Failure } from "../shared/kernel/failure.ts";
import { mustAssignRows, programVersion } from "./open-rows.ts";
import { partialName } from "./upkeep/backup-format.ts";

interface FolderOptions {
  dataDir: string;
  database?: string;
  isShared?: boolean;
  log: Logger;
}

/** Any number of processes may use a PostgreSQL database. */
export const isSharedServer = ({ isShared, dataDir, database }: FolderOptions): boolean =>
  isShared === true || database !== undefined || findAddress(dataDir) !== undefined;

/** Claims the data folder. @throws Failure `unavailable` if another host has it, or a restore into it was interrupted. */
export function openFolder(options: FolderOptions): DataFolder {
  const { dataDir, database, log } = options;
  const folder = isSharedServer(options)
    ? shareDataFolder(dataDir, randomUUID(), programVersion)
    : openDataFolder(dataDir, "server", programVersion);
  if (folder.wasOpen.length > 0) {
    log.warn({ files: folder.wasOpen }, "permissions of the data folder were too open; now restricted");
  }
  try {
    if (existsSync(join(dataDir, partialName)) && !existsSync(folder.database)) {
      throw new Failure("unavailable", `Restoring into ${dataDir} was interrupted. Run 'carrel restore' again.`);
    }
    // Before the tables are made there.
    if (database !== undefined) mustAssignRows(folder, database);
  } catch (error) {
    folder.release();
    throw error;
  }
  return folder;
}
