import { existsSync, renameSync, rmSync } from "node:fs";
import type SQLite from "better-sqlite3";
import { Kysely, sql, type Transaction } from "kysely";
import { isDiskFull } from "../kernel/disk-full.ts";
import { Failure } from "../kernel/failure.ts";
import { removeInterrupted, unfinished } from "../kernel/interrupted-files.ts";
import { claimFile } from "../kernel/private-files.ts";
import { repeatedly, repeatedlyIn } from "./conflict.ts";
import { isPostgres } from "./dialect.ts";
import { migrations, oldestBeside } from "./migrations/list.ts";
import type { Schema } from "./schema.ts";
import { assertSound, type Examination, examineBeside } from "./soundness.ts";
import { openConnection, openReadOnly, sqliteDialect } from "./sqlite-driver.ts";
import { assertOutsideTransaction, withinTransaction } from "./transaction-guard.ts";
import { WriteLanes } from "./write-lanes.ts";

/** The database or a transaction; the first argument of every repository function. */
export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;

export interface OpenDatabase {
  db: Db;
  /** Checks a large file in a thread. Rejects with a Failure when it finds damage; never resolves. */
  examine(): Promise<never>;
  /** Moves the write-ahead log into the file and closes it. */
  close(): Promise<void>;
  /** Writes a consistent copy to a file that does not exist yet, while the database is in use. */
  copyTo(file: string): Promise<void>;
}

/** The oldest version whose programs may go on beside newer ones on one database. */
const oldestProgram = "oldest_program";

/** Whether the newer program that migrated this database allows one of this version beside it. */
function isAllowedBeside(connection: SQLite.Database): boolean {
  const row = connection.prepare("SELECT value FROM setting WHERE name = ?").get(oldestProgram);
  const oldest = row !== null && typeof row === "object" && "value" in row ? Number(row.value) : Number.NaN;
  return oldest <= migrations.length;
}

/** Migrates the file to this program's version, after a backup copy. Refuses a newer file and leaves it untouched. */
function migrate(connection: SQLite.Database, file: string, mayBeNewer: boolean): void {
  const version = versionOf(connection);
  if (version > migrations.length) {
    if (mayBeNewer && isAllowedBeside(connection)) return;
    throw new Failure(
      "unavailable",
      `The database is of a newer version (${version}) than this program knows (${migrations.length}). It was left untouched: use the newer program.`,
    );
  }
  if (version === migrations.length) return;
  if (version > 0) copyAside(connection, `${file}.version-${version}.backup`);
  const steps = connection.transaction(() => {
    // Another process may have migrated it meanwhile, such as a command while a server starts.
    for (const step of migrations.slice(versionOf(connection))) connection.exec(step.sql);
    connection.pragma(`user_version = ${migrations.length}`);
    const note = "INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    connection.prepare(note).run(oldestProgram, String(oldestBeside(migrations)));
  });
  steps.immediate();
}

const versionOf = (connection: SQLite.Database): number => Number(connection.pragma("user_version", { simple: true }));

/** Copies under a temporary name first, so that an incomplete copy is never taken for a backup. */
function copyAside(connection: SQLite.Database, backup: string): void {
  if (existsSync(backup)) return;
  const partial = unfinished(backup, "partial");
  try {
    removeInterrupted(backup);
    claimFile(partial);
    connection.prepare("VACUUM INTO ?").run(partial);
    renameSync(partial, backup);
  } finally {
    rmSync(partial, { force: true });
  }
}

/**
 * Opens, creates or migrates the database of a data folder. A large file is checked for damage only when `extent` is
 * `whole`; hosts check it while they run (`examine`).
 * @param options.mayBeNewer opens a newer database too, if its version allows older programs.
 * @throws Failure `unavailable` when the file is damaged or of a newer version; it is left unchanged.
 */
export function openDatabase(
  file: string,
  extent: "whole" | "soon" = "soon",
  { mayBeNewer = false } = {},
): OpenDatabase {
  const connection = openSound(file, extent, mayBeNewer);
  const db: Db = new Kysely<Schema>({ dialect: sqliteDialect(connection) });
  let examination: Examination | undefined;
  return {
    db,
    examine() {
      examination ??= examineBeside(file);
      return examination.damaged;
    },
    async close() {
      try {
        await examination?.stop();
        // Through the driver: a transaction that still runs ends first.
        if (connection.open) await sql`pragma wal_checkpoint(truncate)`.execute(db);
      } catch (error) {
        // On a full disk the log stays beside the file and is used at the next start.
        if (!isDiskFull(error)) throw error;
      } finally {
        await db.destroy();
      }
    },
    async copyTo(target) {
      claimFile(target);
      // One step under one read lock: with several steps, every write of another process would restart the copy.
      await connection.backup(target, { progress: () => 0x7fffffff });
    },
  };
}

/** The version of an existing database file. @throws Failure `unavailable` when it is damaged. */
export function fileVersion(file: string): number {
  let connection: SQLite.Database | undefined;
  try {
    connection = openReadOnly(file);
    return versionOf(connection);
  } catch (error) {
    throw explained(error, file);
  } finally {
    connection?.close();
  }
}

/** A read-only connection for a thread, to a file that this program has open already. */
export function openForReading(file: string): Db {
  return new Kysely<Schema>({ dialect: sqliteDialect(openReadOnly(file)) });
}

/** Why a database file cannot be opened, as a Failure where the operator can do something. */
function explained(error: unknown, file: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "SQLITE_NOTADB" || code === "SQLITE_CORRUPT") {
    return new Failure("unavailable", `The database ${file} is damaged (${code}). Nothing was changed.`);
  }
  if (/^(EROFS|SQLITE_(READONLY|CANTOPEN).*)$/.test(code)) {
    const then = "Copy its folder to where it can be written, and use the copy.";
    return new Failure("unavailable", `${file} cannot be written (${code}). ${then}`);
  }
  if (isDiskFull(error) || code.startsWith("SQLITE_IOERR")) {
    return new Failure("disk_full", `${file} cannot be written or read (${code}): the disk may be full.`);
  }
  return error;
}

function openSound(file: string, extent: "whole" | "soon", mayBeNewer: boolean): SQLite.Database {
  let connection: SQLite.Database | undefined;
  try {
    connection = openConnection(file);
    assertSound(connection, file, extent);
    migrate(connection, file, mayBeNewer);
    return connection;
  } catch (error) {
    connection?.close();
    throw explained(error, file);
  }
}

/**
 * As `transaction`, for data that can be fetched again: the commit does not wait for the disk. A power loss may undo the
 * last of these transactions, each as a whole. A later commit of `transaction` makes them durable.
 */
export function replaceableTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.connection().execute(async (one) => {
    await sql`pragma synchronous = normal`.execute(one);
    try {
      return await transaction(one, work);
    } finally {
      await sql`pragma synchronous = full`.execute(one);
    }
  });
}

/** Runs reads that must see the database at one moment. Takes no write lock, and refuses to write. */
export function snapshot<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  const reading = db.transaction().setAccessMode("read only");
  return reading.execute((tx) => withinTransaction(() => work(tx)));
}

/** From this attempt on, a conflicting write waits for a lock that all processes share. */
const firstLockedAttempt = 4;
const writeLockId = 727_003;

const lanesOf = new WeakMap<object, WriteLanes>();

/** Runs a write that has often conflicted alone among all such writes of PostgreSQL. */
function underLock<T>(db: Db, work: (one: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (one) => {
    // Taken before the transaction begins: a lock inside it would wait with an old snapshot.
    await sql`select pg_advisory_lock(${writeLockId})`.execute(one);
    try {
      return await work(one);
    } finally {
      // An error means that the session has ended, which has released the lock.
      await sql`select pg_advisory_unlock(${writeLockId})`.execute(one).catch(() => undefined);
    }
  });
}

/**
 * Runs the work in one transaction that commits when it returns and rolls back when it throws. Where several processes
 * write at once, the work may run again after a conflict, so it must change nothing but `tx`.
 * @throws Failure 503 after too many conflicts.
 */
export function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const once = (one: Db) => one.transaction().execute((tx) => withinTransaction(() => work(tx)));
  if (!isPostgres(db)) return repeatedly(() => once(db));
  // A transaction that waits for itself would be a deadlock.
  assertOutsideTransaction();
  const { adapter } = db.getExecutor();
  const lanes = lanesOf.get(adapter) ?? new WriteLanes();
  lanesOf.set(adapter, lanes);
  return repeatedlyIn(lanes, (attempt) => (attempt < firstLockedAttempt ? once(db) : underLock(db, once)));
}
