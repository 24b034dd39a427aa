import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type OpenDatabase, openDatabase } from "../shared/database/open.ts";
import { addressFile, type DataPaths, findAddress } from "../shared/kernel/data-folder.ts";
import { Failure } from "../shared/kernel/failure.ts";
import { privateFile } from "../shared/kernel/private-files.ts";
import type { SearchIndex } from "../shared/search/search-index.ts";
import { sqliteSearchIndex } from "../shared/search/sqlite/sqlite-search-index.ts";

/** The rows of a server: a SQLite file in the data folder, or a PostgreSQL database. */
export interface OpenRows extends OpenDatabase {
  /** Makes the index in which this process searches. */
  searchIndex(): SearchIndex;
}

/** The address without its password, which belongs into `PGPASSWORD` or `CARREL_DATABASE`. */
function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = "";
  return url.href;
}

/**
 * Notes in a data folder that its rows are in PostgreSQL, so that every command finds them.
 * @throws Failure `unavailable` if its rows are elsewhere already.
 */
export function assignRows({ path, database }: DataPaths, address: string, { isMoving = false } = {}): void {
  const wanted = withoutPassword(address);
  const known = findAddress(path);
  if (known === wanted) return;
  const place = known ?? (existsSync(database) && !isMoving ? database : undefined);
  if (place !== undefined) {
    throw new Failure(
      "unavailable",
      `The data of ${path} is in ${place}. 'carrel move' moves it. Nothing was changed.`,
    );
  }
  writeFileSync(join(path, addressFile), `${wanted}\n`, { mode: privateFile });
}

/** The address of a folder's rows in PostgreSQL, with the password of `CARREL_DATABASE` if that names the same. */
function addressOf({ path }: DataPaths): string | undefined {
  const known = findAddress(path);
  const full = process.env.CARREL_DATABASE;
  return known !== undefined && full && withoutPassword(full) === known ? full : known;
}

/** Opens the rows of a server. What PostgreSQL needs is loaded only where it is used. */
export async function openRows(folder: DataPaths): Promise<OpenRows> {
  const address = addressOf(folder);
  if (address === undefined) return { ...openDatabase(folder.database), searchIndex: sqliteSearchIndex };
  const { openPostgres } = await import("./postgres/open-postgres.ts");
  const { copyToFile } = await import("./postgres/copy-rows.ts");
  const { localSearchIndex } = await import("./postgres/local-search-index.ts");
  const opened = await openPostgres(address);
  return { ...opened, copyTo: (file) => copyToFile(opened.db, file), searchIndex: localSearchIndex };
}
