import { existsSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { assertHost } from "../../shared/database/library.ts";
import { openDatabase } from "../../shared/database/open.ts";
import { dataPaths, openDataFolder } from "../../shared/kernel/data-folder.ts";
import { invalidField } from "../../shared/kernel/failure.ts";
import { privateFile } from "../../shared/kernel/private-files.ts";

const refused = (words: string) => invalidField("folder", words);

/**
 * Checks that a folder holds another library, and that this program can open it now. Changes nothing in the folder.
 * @param current the folder that is open.
 * @returns the resolved path.
 * @throws Failure 400 at `folder` for anything else; `unavailable` for a library in use, of a server or damaged.
 */
export async function requireLibrary(folder: string, current: string): Promise<string> {
  if (!isAbsolute(folder)) throw refused("Give the whole path of the folder, from the root of the disk.");
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) throw refused(`There is no folder ${folder}.`);
  if (!found.isDirectory()) throw refused(`${folder} is not a folder.`);
  const path = realpathSync(folder);
  if (path === realpathSync(current)) throw refused("This library is open already.");
  if (!existsSync(dataPaths(path).database)) throw refused(`There is no Carrel library in ${folder}.`);
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

const continues = (dataDir: string): string => join(dataDir, "continues-in");

/** The library that the user last opened from this folder, if it still exists; else this folder. */
export function lastLibrary(dataDir: string): string {
  const file = continues(dataDir);
  const path = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  return path !== "" && existsSync(dataPaths(path).database) ? path : dataDir;
}

/** Stores which library the user opened, for the next start with this folder. */
export function rememberLibrary(dataDir: string, path: string): void {
  if (path === realpathSync(dataDir)) rmSync(continues(dataDir), { force: true });
  else writeFileSync(continues(dataDir), path, { mode: privateFile });
}
