import { sql } from "kysely";
import { isPostgres } from "../../shared/database/dialect.ts";
import type { Db } from "../../shared/database/open.ts";
import { type DataPaths, findDataFolder } from "../../shared/kernel/data-folder.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { openBlobs } from "../open-blobs.ts";
import { type OpenRows, openRows } from "../open-rows.ts";
import { checkBlobs } from "./blob-check.service.ts";
import { checkFeed } from "./feed-check.service.ts";
import type { Finding } from "./finding.ts";
import { checkIndex } from "./index-check.service.ts";

async function* checkDatabase(db: Db): AsyncGenerator<Finding> {
  const integrity = await sql<{ integrity_check: string }>`pragma integrity_check(100)`.execute(db);
  for (const row of integrity.rows) {
    if (row.integrity_check !== "ok") yield { what: `The database is damaged: ${row.integrity_check}.` };
  }
  const keys = await sql<{ table: string; rowid: number; parent: string }>`pragma foreign_key_check`.execute(db);
  for (const { table, rowid, parent } of keys.rows) {
    yield { what: `Row ${rowid} of the table ${table} refers to a row of ${parent} that does not exist.` };
  }
}

async function* checkBytes(folder: DataPaths, db: Db, repair: boolean): AsyncGenerator<Finding> {
  const bytes = await openBlobs(folder, db, () => Date.now() * 1000);
  try {
    yield* checkBlobs(db, bytes.checked, repair);
  } finally {
    await bytes.close();
  }
}

/**
 * Verifies a data folder, whether or not a host runs on it (hosts-and-sync 1): database, blobs, search index, feed.
 * `repair` fixes everything that can be fixed without loss.
 */
export async function* checkData(dataDir: string, repair: boolean): AsyncGenerator<Finding> {
  const folder = findDataFolder(dataDir);
  let opened: OpenRows;
  try {
    opened = await openRows(folder);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    yield { what: error.message, isUnchecked: true };
    return;
  }
  try {
    // PostgreSQL keeps the soundness of its pages and keys itself, and has no index.
    const isFile = !isPostgres(opened.db);
    if (isFile) yield* checkDatabase(opened.db);
    yield* checkBytes(folder, opened.db, repair);
    if (isFile) yield* checkIndex(opened.db, repair);
    yield* checkFeed(opened.db, repair);
  } finally {
    await opened.close();
  }
}
