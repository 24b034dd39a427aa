import { existsSync, mkdirSync, renameSync } from "node:fs";
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

/**
 * Sets a damaged database aside and begins a new one with what of the person's own work can be read of it; what the
 * server has is fetched again (hosts-and-sync 7; design, sync 1.7, C14). Bytes of files stay where they are.
 * @param name of the folder in which the damaged files are kept.
 * @throws Failure `conflict` when the database is sound.
 */
export async function salvageDatabase({ path, database }: DataFolder, name: string): Promise<OpenDatabase> {
  await assertDamaged(database);
  const aside = join(path, name);
  mkdirSync(aside, { mode: 0o700 });
  for (const end of ["-wal", "-shm", ""]) {
    if (existsSync(database + end)) renameSync(database + end, join(aside, `carrel.sqlite${end}`));
  }
  await openDatabase(database).close();
  const [source, target] = [openReadOnly(join(aside, "carrel.sqlite")), openConnection(database)];
  try {
    target.transaction(() => {
      copyRows(source, target);
      target.prepare("insert or replace into setting (name, value) values ('replica.salvaged', 'true')").run();
    })();
  } finally {
    source.close();
    target.close();
  }
  return openDatabase(database);
}
