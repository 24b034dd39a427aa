import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Db } from "../../shared/database/open.ts";
import type { DataPaths } from "../../shared/kernel/data-folder.ts";
import { isDiskFull } from "../../shared/kernel/disk-full.ts";
import { privateFile } from "../../shared/kernel/private-files.ts";
import { recall, remember } from "../sync/person.repository.ts";
import { rememberRestore } from "../sync/restored.repository.ts";

/** An empty file that each start replaces. */
const fileName = "last-start";

/**
 * What no copy of a folder has: the inode number of the database's file, and the change time (`ctime`) of the stamp,
 * which programs cannot set. Undefined without a stamp.
 */
async function stampOf({ path, database }: Pick<DataPaths, "path" | "database">): Promise<string | undefined> {
  try {
    const [file, stamp] = await Promise.all([
      stat(database, { bigint: true }),
      stat(join(path, fileName), { bigint: true }),
    ]);
    return `${file.ino}:${stamp.ctimeNs}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Notices at a start that the data folder, or the database alone, was copied or restored from a backup since the last
 * start. A snapshot of the whole disk goes unnoticed. If only the permissions of the stamp changed, the folder counts as
 * restored too.
 */
export async function noticeRestore(db: Db, folder: Pick<DataPaths, "path" | "database">, log: Logger): Promise<void> {
  try {
    const found = await stampOf(folder);
    if (found === undefined || found !== (await recall(db, "stamp"))) await rememberRestore(db);
    const file = join(folder.path, fileName);
    await rm(file, { force: true });
    await writeFile(file, "", { mode: privateFile });
    const stamp = await stampOf(folder);
    if (stamp !== undefined) await remember(db, "stamp", stamp);
  } catch (error) {
    // The next start takes the folder for restored, which costs the user a question at most.
    if (!isDiskFull(error)) throw error;
    log.warn({ err: error }, "the start could not be noted, because the disk is full");
  }
}
