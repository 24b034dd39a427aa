import { sql } from "kysely";
import { type Db, openDatabase } from "../../shared/database/open.ts";
import { findDataFolder } from "../../shared/kernel/data-folder.ts";
import { Failure } from "../../shared/kernel/failure.ts";
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

/**
 * Verifies a data folder, whether or not a host runs on it (hosts-and-sync 1): database, blobs, search index, feed.
 * `repair` fixes everything that can be fixed without loss.
 */
export async function* checkData(dataDir: string, repair: boolean): AsyncGenerator<Finding> {
  const folder = findDataFolder(dataDir);
  let opened: ReturnType<typeof openDatabase>;
  try {
    opened = openDatabase(folder.database);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    yield { what: error.message };
    return;
  }
  try {
    yield* checkDatabase(opened.db);
    yield* checkBlobs(opened.db, folder.blobs, repair);
    yield* checkIndex(opened.db, repair);
    yield* checkFeed(opened.db, repair);
  } finally {
    await opened.close();
  }
}
