import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { assertHost } from "../../shared/database/library.ts";
import { openDatabase } from "../../shared/database/open.ts";
import { storeSetting } from "../../shared/database/setting.repository.ts";
import { addressFile, type DataPaths, findAddress, openDataFolder } from "../../shared/kernel/data-folder.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { rebuildIndex } from "../../shared/search/sqlite/index-job.ts";
import { assignRows, openRows } from "../open-rows.ts";
import { syncAndRename } from "./sync-and-rename.ts";

export interface MoveReport {
  /** Where the rows are now. */
  place: string;
  tables: number;
  rows: number;
}

/** Called after each table that was copied and compared. */
export type MoveProgress = (table: string, rows: number) => void;

/** PostgreSQL is loaded only where it is used. */
async function loadPostgres() {
  const { openPostgres } = await import("../postgres/open-postgres.ts");
  const { copyRows, isInUse } = await import("../postgres/copy-rows.ts");
  return { openPostgres, copyRows, isInUse };
}

const reportOf = (place: string, copied: readonly { rows: number }[]): MoveReport => ({
  place,
  tables: copied.length,
  rows: copied.reduce((sum, { rows }) => sum + rows, 0),
});

const inUse = "The PostgreSQL database is not empty, and a move never writes over rows. Name an empty database.";

async function toPostgres(folder: DataPaths, address: string, onTable: MoveProgress): Promise<MoveReport> {
  const known = findAddress(folder.path);
  if (known !== undefined) throw new Failure("conflict", `The rows of ${folder.path} are in ${known} already.`);
  if (!existsSync(folder.database)) throw new Failure("unavailable", `There is no Carrel data in ${folder.path}.`);
  const { openPostgres, copyRows, isInUse } = await loadPostgres();
  const source = openDatabase(folder.database, "whole");
  const target = await openPostgres(address);
  try {
    await assertHost(source.db, "server", folder.path);
    if (await isInUse(target.db)) throw new Failure("conflict", inUse);
    const copied = await copyRows(source.db, target.db, onTable);
    assignRows(folder, address, { isMoving: true });
    return reportOf(findAddress(folder.path) ?? "", copied);
  } finally {
    await target.close();
    await source.close();
    // Once the folder names the other database, the file is a copy that no command opens.
    if (findAddress(folder.path) !== undefined) renameSync(folder.database, `${folder.database}.moved-${Date.now()}`);
  }
}

async function toSqlite(folder: DataPaths, onTable: MoveProgress): Promise<MoveReport> {
  if (findAddress(folder.path) === undefined) {
    throw new Failure("conflict", `The rows of ${folder.path} are in SQLite already.`);
  }
  const { copyRows } = await loadPostgres();
  const partial = `${folder.database}.moving`;
  for (const end of ["", "-wal", "-shm"]) rmSync(partial + end, { force: true });
  const source = await openRows(folder, { movedTo: folder.path });
  try {
    const target = openDatabase(partial);
    const copied = await copyRows(source.db, target.db, onTable)
      .then(async (tables) => {
        await rebuildIndex(target.db);
        return tables;
      })
      .finally(target.close);
    await syncAndRename(partial, folder.database);
    // From here on the old database would be a second authority, and is refused.
    await storeSetting(source.db, "moved", folder.path);
    rmSync(join(folder.path, addressFile));
    return reportOf(folder.database, copied);
  } finally {
    await source.close();
    for (const end of ["", "-wal", "-shm"]) rmSync(partial + end, { force: true });
  }
}

/**
 * Moves the rows of a stopped server to PostgreSQL, or back into the data folder. Bytes stay where they are. Every table
 * is compared; after a failure the rows are where they were. A move back that was killed near its end is completed by
 * another one.
 * @param address of an empty PostgreSQL database; undefined: back to SQLite.
 * @throws Failure `unavailable` while a server runs, `conflict` if the rows are there already or the target is in use.
 */
export async function moveRows(
  dataDir: string,
  address: string | undefined,
  onTable: MoveProgress = () => undefined,
): Promise<MoveReport> {
  if (!existsSync(dataDir)) throw new Failure("unavailable", `There is no Carrel data in ${dataDir}.`);
  const folder = openDataFolder(dataDir, "server");
  try {
    return await (address === undefined ? toSqlite(folder, onTable) : toPostgres(folder, address, onTable));
  } finally {
    folder.release();
  }
}
