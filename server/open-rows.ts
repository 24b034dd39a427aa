import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { migrations, oldestBeside } from "../shared/database/migrations/list.ts";
import { fileVersion, type OpenDatabase, openDatabase } from "../shared/database/open.ts";
import { addressFile, type DataPaths, findAddress, listHolders } from "../shared/kernel/data-folder.ts";
import { Failure } from "../shared/kernel/failure.ts";
import { assertDatabaseNotLost } from "../shared/kernel/former-library.ts";
import { removeInterrupted, unfinished } from "../shared/kernel/interrupted-files.ts";
import { giveToFolder, privateFile } from "../shared/kernel/private-files.ts";
import type { SearchIndex } from "../shared/search/search-index.ts";
import { sqliteSearchIndex } from "../shared/search/sqlite/sqlite-search-index.ts";
import type { OpenPostgresOptions } from "./postgres/open-postgres.ts";
import { withoutPassword } from "./postgres/shown-address.ts";
import type { ProcessLink } from "./process-link.ts";

/** The rows of a server: a SQLite file in the data folder, or a PostgreSQL database. */
export interface OpenRows extends OpenDatabase {
  /** Links this process to the others of a PostgreSQL database. */
  link?: () => ProcessLink;
  /** The time by a database that machines with clocks of their own use: microseconds UTC. */
  readClock?: () => Promise<number>;
  /** Steps of the migration that wait until no older process runs; a file is migrated whole. */
  stepsLeft: number;
  /** Makes the index in which this process searches. */
  searchIndex(): SearchIndex;
}

export interface OpenRowsOptions extends OpenPostgresOptions {
  /** Goes on beside newer server processes, if their version allows that. */
  mayBeNewer?: boolean;
  /** PostgreSQL for a folder that names none yet; noted there once it could be opened. */
  address?: string | undefined;
}

/** Writes a file whole or not at all: processes start side by side, and one of them may be killed. */
function writeWhole(file: string, text: string): void {
  removeInterrupted(file);
  const partial = unfinished(file, "partial");
  const handle = openSync(partial, "w", privateFile);
  try {
    giveToFolder(handle, partial);
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(partial, file);
}

/**
 * Whether a data folder has to note first that its rows are at this address.
 * @throws Failure `unavailable` if its rows are elsewhere already.
 */
export function mustAssignRows({ path, database }: DataPaths, address: string, { isMoving = false } = {}): boolean {
  const known = findAddress(path);
  if (known === withoutPassword(address)) return false;
  const place = known ?? (existsSync(database) && !isMoving ? database : undefined);
  if (place === undefined) return true;
  throw new Failure("unavailable", `The data of ${path} is in ${place}. 'carrel move' moves it. Nothing was changed.`);
}

/**
 * Notes in a data folder that its rows are in PostgreSQL, so that every command finds them.
 * @throws Failure `unavailable` if its rows are elsewhere already.
 */
export function assignRows(folder: DataPaths, address: string, options?: { isMoving: boolean }): void {
  if (mustAssignRows(folder, address, options))
    writeWhole(join(folder.path, addressFile), `${withoutPassword(address)}\n`);
}

/** The address of a folder's rows in PostgreSQL, with the password of `CARREL_DATABASE` if that names the same. */
function addressOf({ path }: DataPaths, given: string | undefined): string | undefined {
  const known = given === undefined ? findAddress(path) : withoutPassword(given);
  const full = process.env.CARREL_DATABASE;
  return known !== undefined && full && withoutPassword(full) === known ? full : known;
}

/** The version of the database that this program knows; processes of a data folder tell each other. */
export const programVersion = String(migrations.length);

/**
 * A migration that does more than add must wait until no older process runs.
 * @throws Failure `unavailable` that names the process.
 */
function assertNoneNeedsOldTables({ path, database }: DataPaths): void {
  const version = existsSync(database) ? fileVersion(database) : migrations.length;
  if (version >= migrations.length) return;
  // A process without a mark knows the version of the database that it uses.
  const older = listHolders(path).find(({ mark }) => Number(mark || version) < oldestBeside(migrations));
  if (!older) return;
  throw new Failure(
    "unavailable",
    `Process ${older.pid} of an older version uses ${path}, and needs tables that this version changes. Stop it first. Nothing was changed.`,
  );
}

/**
 * Opens the rows of a server. What PostgreSQL needs is loaded only where it is used.
 */
export async function openRows(
  folder: DataPaths,
  { mayBeNewer = false, address: given, ...options }: OpenRowsOptions = {},
): Promise<OpenRows> {
  const address = addressOf(folder, given);
  if (address === undefined) {
    assertDatabaseNotLost(folder);
    assertNoneNeedsOldTables(folder);
    const opened = openDatabase(folder.database, "soon", { mayBeNewer });
    return { ...opened, stepsLeft: 0, searchIndex: sqliteSearchIndex };
  }
  const { openPostgres } = await import("./postgres/open-postgres.ts");
  const { copyToFile } = await import("./postgres/copy-rows.ts");
  const { localSearchIndex } = await import("./postgres/local-search-index.ts");
  const { postgresLink } = await import("./postgres/postgres-link.ts");
  const opened = await openPostgres(address, options);
  // Only now: a folder that names a mistyped address would refuse the right one.
  if (given !== undefined) assignRows(folder, given);
  const link = () => postgresLink(address);
  return { ...opened, link, copyTo: (file) => copyToFile(opened.db, file), searchIndex: localSearchIndex };
}
