import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type SQLite from "better-sqlite3";
import { type OpenDatabase, openDatabase } from "../../shared/database/open.ts";
import { openConnection, openReadOnly } from "../../shared/database/sqlite-driver.ts";
import type { DataFolder } from "../../shared/kernel/data-folder.ts";
import { Failure } from "../../shared/kernel/failure.ts";

type Row = Record<string, string | number | Uint8Array | null>;

/** Where the server's feed was read up to counts no more: everything is fetched again. */
const forgotten = new Set(["cursor", "seq", "vocabularies", "unindexed"].map((name) => `replica.${name}`));
const isOwn = (name: unknown): boolean => /^(?:replica|unsent-comment|desk)\./.test(String(name));

/** What is the person's own and nowhere else, and how it is taken over. */
const tables: Record<string, (row: Row) => Row | undefined> = {
  operation: (row) =>
    row.state === "sending" || row.state === "applied" ? { ...row, state: "pending", applied_seq: null } : row,
  setting: (row) => (isOwn(row.name) && !forgotten.has(String(row.name)) ? row : undefined),
  id_lease: (row) => row,
  blob: (row) => row,
};

/** The rows that can be read: from the front up to the first damage, and from the back. */
function* readable(source: SQLite.Database, table: string): Generator<Row> {
  for (const direction of ["asc", "desc"]) {
    try {
      yield* source.prepare<[], Row>(`select * from ${table} order by rowid ${direction}`).iterate();
    } catch {
      // Damage: what is behind it is looked for from the other end.
    }
  }
}

function copyRows(source: SQLite.Database, target: SQLite.Database): void {
  for (const [table, taken] of Object.entries(tables)) {
    const known = target.pragma(`table_info(${table})`) as { name: string }[];
    for (const row of readable(source, table)) {
      const own = taken(row);
      if (own === undefined) continue;
      const columns = known.map(({ name }) => name).filter((name) => own[name] !== undefined);
      const values = columns.map((name) => own[name]);
      const places = columns.map(() => "?").join(", ");
      target.prepare(`insert or ignore into ${table} (${columns.join(", ")}) values (${places})`).run(values);
    }
  }
}

async function assertDamaged(file: string): Promise<void> {
  try {
    await openDatabase(file, "whole").close();
  } catch {
    return;
  }
  throw new Failure("conflict", `The database ${file} is sound: nothing was changed.`);
}

const parts = ["", "-wal", "-shm"];
/** The new database until it is whole. */
const freshOf = (database: string): string => `${database}.salvaged`;

/** Undefined: the file is no database any more. */
function openDamaged(database: string): SQLite.Database | undefined {
  try {
    return openReadOnly(database);
  } catch {
    return undefined;
  }
}

/** Builds the new database beside the damaged one, which is only read. */
async function buildFresh(database: string): Promise<void> {
  const fresh = freshOf(database);
  for (const part of parts) rmSync(fresh + part, { force: true });
  await openDatabase(fresh).close();
  const [source, target] = [openDamaged(database), openConnection(fresh)];
  try {
    target.transaction(() => {
      if (source) copyRows(source, target);
      target.prepare("insert or replace into setting (name, value) values ('replica.salvaged', 'true')").run();
    })();
    target.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    source?.close();
    target.close();
  }
}

function exchange({ path, database }: DataFolder, name: string): void {
  const aside = join(path, name);
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  for (const part of parts)
    if (existsSync(database + part)) renameSync(database + part, join(aside, `carrel.sqlite${part}`));
  renameSync(freshOf(database), database);
}

/** Ends a salvage that was cut short when the damaged database was aside already: the new one was whole by then. */
export function endSalvage(folder: DataFolder, name: string): void {
  if (!existsSync(folder.database) && existsSync(freshOf(folder.database))) exchange(folder, name);
}

/** Whether a failure to open or use the database says that it is damaged. */
export const isDamage = (error: unknown): error is Failure =>
  error instanceof Failure && / is damaged /.test(error.message);

/**
 * Sets a damaged database aside and begins a new one with what of the person's own work can be read of it; what the
 * server has is fetched again (hosts-and-sync 7; design, sync 1.7, C14). Bytes of files stay where they are. Cut short at
 * any point, the damaged one is there still, or the new one whole.
 * @param name of the folder in which the damaged files are kept.
 * @throws Failure `conflict` when the database is sound.
 */
export async function salvageDatabase(folder: DataFolder, name: string): Promise<OpenDatabase> {
  await assertDamaged(folder.database);
  await buildFresh(folder.database);
  exchange(folder, name);
  return openDatabase(folder.database);
}
