import { setTimeout as delay } from "node:timers/promises";
import { HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression, sql } from "kysely";
import type { Pool, PoolClient } from "pg";
import { migrations, oldestBeside } from "../../shared/database/migrations/list.ts";
import { type Db, type OpenDatabase, openDatabase } from "../../shared/database/open.ts";
import type { Schema } from "../../shared/database/schema.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import { begunTables, type Definition, isServerTable, postgresOf, postgresOnly } from "./postgres-ddl.ts";
import { postgresDialect, postgresPool } from "./postgres-driver.ts";
import { readVersion } from "./schema-version.ts";
import { withoutPassword } from "./shown-address.ts";
import { timelineWatch } from "./timeline-watch.ts";

const migrationLock = 727_002;
/** Between two looks whether another process has finished. */
const lockAgainMs = 100;
const oldestServer = 150_000;

export interface OpenPostgres extends Omit<OpenDatabase, "copyTo"> {
  /** Steps of the migration that wait until no older process runs. */
  stepsLeft: number;
  readClock: () => Promise<number>;
}

export interface OpenPostgresOptions {
  /** Refuses to open the database while steps of the migration would have to wait. */
  mustContract?: boolean;
  /** Opens the database also if its rows were moved to this data folder. */
  movedTo?: string;
}

/** The tables and indexes of the newest version, as SQLite describes them after all migrations. */
export async function listDefinitions(): Promise<Definition[]> {
  const { db, close } = openDatabase(":memory:");
  try {
    const { rows } = await sql<Definition & { table: string }>`
      select type, name, tbl_name as "table", sql from sqlite_schema
      where type in ('table', 'index') and sql is not null order by type desc, rowid`.execute(db);
    return rows.filter(({ table }) => isServerTable(table));
  } finally {
    await close();
  }
}

/** @throws Failure `unavailable` for a server on which a commit could be lost, or text could not be stored. */
async function assertSuitable(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ encoding: string; version: string; commits: string }>(
    `select current_setting('server_encoding') as encoding, current_setting('server_version_num') as version,
      current_setting('synchronous_commit') as commits`,
  );
  const { encoding, version, commits } = rows[0] ?? { encoding: "", version: "0", commits: "off" };
  const wrong = [
    ...(encoding === "UTF8" ? [] : [`its encoding is ${encoding}, UTF8 is needed`]),
    ...(Number(version) >= oldestServer ? [] : ["it is older than PostgreSQL 15"]),
    ...(commits === "off" ? ["synchronous_commit is off, so that a commit may be lost"] : []),
  ];
  if (wrong.length > 0) throw new Failure("unavailable", `The database cannot be used: ${wrong.join("; ")}.`);
}

/** Inserts the rows that a new database has. */
async function insertFirstRows(client: PoolClient): Promise<void> {
  const { db, close } = openDatabase(":memory:");
  try {
    for (const table of begunTables) {
      const rows = await db.selectFrom(table).selectAll().execute();
      await client.query(`insert into "${table}" select * from json_populate_recordset(null::"${table}", $1)`, [
        JSON.stringify(rows),
      ]);
    }
  } finally {
    await close();
  }
}

async function createSchema(client: PoolClient): Promise<void> {
  await client.query("begin");
  try {
    for (const { sql: statement } of await listDefinitions()) await client.query(postgresOf(statement));
    for (const statement of postgresOnly) await client.query(statement);
    await insertFirstRows(client);
    await client.query(`create table schema_version (version integer not null, oldest integer not null default 0,
      pending text not null default '[]')`);
    await client.query("insert into schema_version values ($1, $2, '[]')", [
      migrations.length,
      oldestBeside(migrations),
    ]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/** The database of `carrel move --sqlite` would be a second authority. */
async function assertNotMoved(client: PoolClient, { movedTo }: OpenPostgresOptions): Promise<void> {
  const { rows } = await client.query<{ value: string }>("select value from setting where name = 'moved'");
  const [moved] = rows;
  if (!moved || moved.value === movedTo) return;
  throw new Failure(
    "unavailable",
    `The data of this database was moved to ${moved.value}. If that move was interrupted, 'carrel move --sqlite' completes it. Another move to PostgreSQL needs an empty database.`,
  );
}

/**
 * @returns how many steps of the migration wait.
 * @throws Failure `unavailable` for a database that this program cannot use.
 */
async function prepare(client: PoolClient, options: OpenPostgresOptions): Promise<number> {
  await assertSuitable(client);
  if (!(await readVersion(client))) {
    await createSchema(client);
    return 0;
  }
  await assertNotMoved(client, options);
  return migratePostgres(client, migrations, options);
}

/**
 * Waits without a statement that runs: it would hold a snapshot, and an index that is created concurrently waits until
 * older snapshots are gone. PostgreSQL ends such a pair as a deadlock.
 */
async function takeMigrationLock(client: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
      migrationLock,
    ]);
    if (rows[0]?.taken) return;
    await delay(lockAgainMs);
  }
}

/** A first connection. @throws Failure `unavailable` that names the address and the reason. */
async function connect(pool: Pool, address: string): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    if (error instanceof Failure) throw error;
    // Node tries several addresses of a name, and puts their errors into one without a message.
    const { message, code } = error as Error & { code?: string };
    throw new Failure("unavailable", `The database ${withoutPassword(address)} cannot be used (${message || code}).`);
  }
}

async function prepareAlone(pool: Pool, address: string, options: OpenPostgresOptions): Promise<number> {
  const client = await connect(pool, address);
  try {
    // The first of several processes that start at once creates or migrates; the others wait, however long it takes.
    await client.query("set lock_timeout = 0");
    await client.query("set statement_timeout = 0");
    await takeMigrationLock(client);
    const stepsLeft = await prepare(client, options);
    await client.query("select pg_advisory_unlock($1)", [migrationLock]);
    await client.query("reset lock_timeout");
    await client.query("reset statement_timeout");
    return stepsLeft;
  } finally {
    client.release();
  }
}

/** Microseconds UTC by the clock of the database. */
async function readClock(db: Db): Promise<number> {
  const { rows } = await sql<{
    micros: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros`.execute(db);
  return Number(rows[0]?.micros);
}

/**
 * Opens a PostgreSQL database; creates its tables where there are none, and migrates those of an older version.
 * @param address `postgres://user@host/name`; the password may be in `PGPASSWORD`.
 * @throws Failure `unavailable` when it cannot be used, or is of a newer version.
 */
export async function openPostgres(address: string, options: OpenPostgresOptions = {}): Promise<OpenPostgres> {
  const pool = postgresPool(address);
  let stepsLeft: number;
  try {
    stepsLeft = await prepareAlone(pool, address, options);
  } catch (error) {
    await pool.end();
    throw error;
  }
  // SQLite allows an empty list.
  const plugins = [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })];
  const timeline = timelineWatch();
  const db: Db = new Kysely<Schema>({ dialect: postgresDialect(pool, timeline.check), plugins });
  // PostgreSQL checks its own pages.
  const examine = () => timeline.changed;
  return { db, close: () => db.destroy(), examine, stepsLeft, readClock: () => readClock(db) };
}
