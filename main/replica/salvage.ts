import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type SQLite from "better-sqlite3";
import { moveDesk } from "../../shared/database/migrations/0026-desk.ts";
import { type OpenDatabase, openDatabase } from "../../shared/database/open.ts";
import { openConnection, openReadOnly } from "../../shared/database/sqlite-driver.ts";
import type { DataFolder } from "../../shared/kernel/data-folder.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { isDatabaseLost } from "../../shared/kernel/former-library.ts";
import { privateFolder } from "../../shared/kernel/private-files.ts";

type Row = Record<string, string | number | Uint8Array | null>;

/** Settings that are not copied. Without its feed cursor, the replica fetches everything again. */
const droppedSettings = new Set(["cursor", "seq", "vocabularies", "unindexed"].map((name) => `replica.${name}`));
const isOwnSetting = (name: unknown): boolean => /^(?:replica|unsent-comment|desk)\./.test(String(name));

/** The tables with the user's own work, which exists nowhere else. Each function gives the copy of a row, if any. */
const copiedTables: Record<string, (row: Row) => Row | undefined> = {
  operation: (row) =>
    row.state === "sending" || row.state === "applied" ? { ...row, state: "pending", applied_seq: null } : row,
  setting: (row) => (isOwnSetting(row.name) && !droppedSettings.has(String(row.name)) ? row : undefined),
  id_lease: (row) => row,
  desk_note: (row) => row,
  comment_draft: (row) => row,
  blob: (row) => row,
};

/** The readable rows: from the start up to the first damage, then from the end back to the last damage. */
function* readableRows(source: SQLite.Database, table: string): Generator<Row> {
  for (const direction of ["asc", "desc"]) {
    try {
      yield* source.prepare<[], Row>(`select * from ${table} order by rowid ${direction}`).iterate();
    } catch {
      // Damaged: the rows after it are read from the other end. Or an earlier version did not have this table.
    }
  }
}

function copyRows(source: SQLite.Database, target: SQLite.Database): void {
  for (const [table, copyOf] of Object.entries(copiedTables)) {
    const known = target.pragma(`table_info(${table})`) as { name: string }[];
    for (const row of readableRows(source, table)) {
      const copy = copyOf(row);
      if (copy === undefined) continue;
      const columns = known.map(({ name }) => name).filter((name) => copy[name] !== undefined);
      const values = columns.map((name) => copy[name]);
      const parameters = columns.map(() => "?").join(", ");
      target.prepare(`insert or ignore into ${table} (${columns.join(", ")}) values (${parameters})`).run(values);
    }
  }
}

async function assertDamaged(folder: DataFolder): Promise<void> {
  const file = folder.database;
  if (isDatabaseLost(folder)) return;
  try {
    await openDatabase(file, "whole").close();
  } catch {
    return;
  }
  throw new Failure("conflict", `The database ${file} is not damaged. Nothing was changed.`);
}

/** The files of an SQLite database, by the ends of their names. */
const fileSuffixes = ["", "-wal", "-shm"];
/** Name of the new database until it is complete. */
const freshOf = (database: string): string => `${database}.salvaged`;

/** Opens the damaged file for reading; undefined if it is no longer a database. */
function openDamaged(database: string): SQLite.Database | undefined {
  try {
    return openReadOnly(database);
  } catch {
    return undefined;
  }
}

/** Builds the new database next to the damaged one, which is only read. */
async function buildFresh(database: string): Promise<void> {
  const fresh = freshOf(database);
  for (const suffix of fileSuffixes) rmSync(fresh + suffix, { force: true });
  await openDatabase(fresh).close();
  const [source, target] = [openDamaged(database), openConnection(fresh)];
  try {
    target.transaction(() => {
      if (source) copyRows(source, target);
      target.exec(moveDesk);
      target.prepare("insert or replace into setting (name, value) values ('replica.salvaged', 'true')").run();
    })();
    target.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    source?.close();
    target.close();
  }
}

/** Moves the damaged database into a folder of its own, then the new one to its place. */
function exchange({ path, database }: DataFolder, name: string): void {
  const folder = join(path, name);
  mkdirSync(folder, { recursive: true, mode: privateFolder });
  for (const suffix of fileSuffixes)
    if (existsSync(database + suffix)) renameSync(database + suffix, join(folder, `carrel.sqlite${suffix}`));
  renameSync(freshOf(database), database);
}

/** Completes a salvage that was interrupted after it had moved the damaged database away. The new one is complete. */
export function endSalvage(folder: DataFolder, name: string): void {
  if (!existsSync(folder.database) && existsSync(freshOf(folder.database))) exchange(folder, name);
}

/** Whether an error of the database means that it is damaged or lost. */
export const isDamage = (error: unknown): error is Failure =>
  error instanceof Failure && / is (?:damaged|missing or empty)[ ,]/.test(error.message);

/**
 * Moves a damaged database away and creates a new one with the user's own readable work. The rest is fetched from the
 * server again (hosts-and-sync 7; design, sync 1.7, C14). Stored files are not touched. After an interruption, either
 * the damaged database or the complete new one is in place.
 * @param name of the folder that gets the damaged database.
 * @throws Failure `conflict` if the database is not damaged.
 */
export async function salvageDatabase(folder: DataFolder, name: string): Promise<OpenDatabase> {
  await assertDamaged(folder);
  await buildFresh(folder.database);
  exchange(folder, name);
  return openDatabase(folder.database);
}
