import { existsSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { assertHost } from "../../shared/database/library.ts";
import { openDatabase } from "../../shared/database/open.ts";
import { dataPaths, openDataFolder } from "../../shared/kernel/data-folder.ts";
import { invalidField } from "../../shared/kernel/failure.ts";
import { privateFile } from "../../shared/kernel/private-files.ts";

const invalidFolder = (message: string) => invalidField("folder", message);

/**
 * Checks that a folder holds another library, and that this program can open it now. Changes nothing in the folder.
 * @param current the folder of the open library.
 * @returns the resolved path.
 * @throws Failure 400 at `folder` if there is no other library; `unavailable` if it is in use, damaged or a server's.
 */
export async function requireLibrary(folder: string, current: string): Promise<string> {
  if (!isAbsolute(folder)) throw invalidFolder("Enter the full path of the folder, from the root of the disk.");
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) throw invalidFolder(`There is no folder ${folder}.`);
  if (!found.isDirectory()) throw invalidFolder(`${folder} is not a folder.`);
  const path = realpathSync(folder);
  if (path === realpathSync(current)) throw invalidFolder("This library is open already.");
  if (!existsSync(dataPaths(path).database)) throw invalidFolder(`There is no Carrel library in ${folder}.`);
  const opened = openDataFolder(path, "replica");
  try {
    const database = await openDatabase(opened.database);
    try {
      await assertHost(database.db, "replica", path);
    } finally {
      await database.close();
    }
  } finally {
    opened.release();
  }
  return path;
}

/** The file that names the library to open next. */
const lastLibraryFile = (dataDir: string): string => join(dataDir, "continues-in");

/** The library that the user opened last, if it still exists; else the one in `dataDir`. */
export function lastLibrary(dataDir: string): string {
  const file = lastLibraryFile(dataDir);
  const path = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  return path !== "" && existsSync(dataPaths(path).database) ? path : dataDir;
}

/** Stores which library the user opened, for the next start with `dataDir`. */
export function rememberLibrary(dataDir: string, path: string): void {
  if (path === realpathSync(dataDir)) rmSync(lastLibraryFile(dataDir), { force: true });
  else writeFileSync(lastLibraryFile(dataDir), path, { mode: privateFile });
}
