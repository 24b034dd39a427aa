import SQLite from "better-sqlite3";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from "kysely";
import { claimFile, narrow } from "../kernel/private-files.ts";
import { assertOutsideTransaction } from "./transaction-guard.ts";

/**
 * Hides the values that `=` compares from the query planner. It uses them to guess how many rows are found, and therefore
 * prepares the statement again for each new value, which takes longer than most executions. The unary plus hides a value
 * and changes nothing else. Good plans for our queries depend on indexes, not on values.
 */
const withHiddenValues = (sql: string): string => sql.replaceAll(/(=|\bis|\bdistinct from) \?/gi, "$1 +?");

/** Prepared statements by their SQL. After a schema change, better-sqlite3 prepares them again by itself. */
class StatementCache {
  readonly #connection: SQLite.Database;
  readonly #limit = 500;
  readonly #statements = new Map<string, SQLite.Statement>();

  constructor(connection: SQLite.Database) {
    this.#connection = connection;
  }

  prepare(sql: string): SQLite.Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#connection.prepare(withHiddenValues(sql));
    if (this.#statements.size >= this.#limit) {
      const oldest = this.#statements.keys().next();
      if (!oldest.done) this.#statements.delete(oldest.value);
    }
    this.#statements.set(sql, statement);
    return statement;
  }
}

class SqliteConnection implements DatabaseConnection {
  /** A snapshot uses the connection. */
  isReading = false;
  readonly #cache: StatementCache;

  constructor(connection: SQLite.Database) {
    this.#cache = new StatementCache(connection);
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.#cache.prepare(query.sql);
    if (this.isReading && !statement.readonly) throw new Error("a snapshot only reads: use `transaction` to write");
    if (statement.reader) return { rows: statement.all(query.parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(query.parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  // A query inside the loop of a stream would wait for ever for the only connection. Page by key instead.
  // biome-ignore lint/correctness/useYield: refuses
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("streaming is not offered: page by key");
  }
}

/** One connection for one query at a time. A transaction keeps it until it ends. */
class SqliteDriver implements Driver {
  readonly #database: SQLite.Database;
  readonly #connection: SqliteConnection;
  #tail: Promise<void> = Promise.resolve();
  #release: (() => void) | undefined;

  constructor(database: SQLite.Database) {
    this.#database = database;
    this.#connection = new SqliteConnection(database);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    assertOutsideTransaction();
    const turn = this.#tail;
    let release: () => void = () => {};
    this.#tail = new Promise((resolve) => {
      release = resolve;
    });
    await turn;
    this.#release = release;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#release?.();
  }

  /** `immediate`: after a plain `begin`, a write fails when another process wrote since the first read. */
  async beginTransaction(_connection: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    const isReading = accessMode === "read only";
    this.#database.exec(isReading ? "begin" : "begin immediate");
    this.#connection.isReading = isReading;
  }

  async commitTransaction(): Promise<void> {
    this.#connection.isReading = false;
    this.#database.exec("commit");
  }

  async rollbackTransaction(): Promise<void> {
    this.#connection.isReading = false;
    if (this.#database.inTransaction) this.#database.exec("rollback");
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`savepoint "${name}"`));
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`rollback to "${name}"`));
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`release "${name}"`));
  }

  async destroy(): Promise<void> {
    this.#database.close();
  }
}

/** Switches off Kysely's own connection lock, which waits for ever where the driver's lock throws. */
class GuardedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Kysely over one better-sqlite3 connection: statement cache, transaction guard, `begin immediate`. */
export function sqliteDialect(database: SQLite.Database): Dialect {
  return {
    createAdapter: () => new GuardedAdapter(),
    createDriver: () => new SqliteDriver(database),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** The length of the write-ahead log, in pages, at which a commit does a checkpoint. */
export const logPages = 8000;

/** The page cache, in KiB. */
export const cacheKib = 32_000;

const lockTimeoutMs = 10_000;
const pauseMs = 50;

/** Retries when two processes create a file at once: SQLite reports a lock to the second without waiting. */
function keepLog(database: SQLite.Database): void {
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      database.pragma("journal_mode = WAL");
      return;
    } catch (error) {
      const isLocked = error instanceof SQLite.SqliteError && error.code === "SQLITE_BUSY";
      if (!isLocked || waitedMs >= lockTimeoutMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}

function claimPart(file: string, part: string): void {
  if (part === "") claimFile(file, { isOfFolder: true });
  else narrow(file + part);
}

/** Opens the file with the durability of hosts-and-sync 7: a committed write is on the disk. */
export function openConnection(file: string): SQLite.Database {
  // SQLite gives the log and its index the file's mode.
  if (file !== ":memory:") for (const part of ["", "-wal", "-shm"]) claimPart(file, part);
  const database = new SQLite(file, { timeout: lockTimeoutMs });
  keepLog(database);
  database.pragma("synchronous = FULL");
  // Rare checkpoints: pages that change often are then written to the file less often.
  database.pragma(`wal_autocheckpoint = ${logPages}`);
  database.pragma("foreign_keys = ON");
  database.pragma("temp_store = MEMORY");
  database.pragma(`cache_size = -${cacheKib}`);
  return database;
}

/** A read-only connection to a file that is already open. */
export function openReadOnly(file: string): SQLite.Database {
  const database = new SQLite(file, { readonly: true, fileMustExist: true, timeout: 10_000 });
  database.pragma("temp_store = MEMORY");
  // A small page cache: search keeps its frequent data in memory of its own.
  database.pragma("cache_size = -8000");
  return database;
}
