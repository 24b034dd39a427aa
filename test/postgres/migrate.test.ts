import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { Client } from "pg";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { openServer, type RunningServer } from "../../server/open-server.ts";
import { migratePostgres } from "../../server/postgres/migrate-postgres.ts";
import { openPostgres } from "../../server/postgres/open-postgres.ts";
import { isServerTable, postgresOf, postgresOnly } from "../../server/postgres/postgres-ddl.ts";
import { holdVersion, listRunningVersions } from "../../server/postgres/schema-version.ts";
import { migrations } from "../../shared/database/migrations/list.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { startPostgres } from "../support/engines/postgres.ts";
import { runCarrel } from "../support/process.ts";
import { until } from "../support/until.ts";

const postgres = await startPostgres();
afterAll(() => postgres?.stop());

const newest = migrations.length;

async function connect(address: string): Promise<Client> {
  const client = new Client({ connectionString: address });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function givenEmpty(): Promise<string> {
  const database = await postgres?.freshDatabase();
  onTestFinished(() => database?.drop());
  return database?.address ?? "";
}

/** A database as a program of an earlier version made it. */
async function givenVersion(version: number): Promise<string> {
  const address = await givenEmpty();
  const client = await connect(address);
  const sqlite = new SQLite(":memory:");
  for (const { sql } of migrations.slice(0, version)) sqlite.exec(sql);
  const definitions = sqlite
    .prepare<[], { table: string; sql: string }>(
      `select tbl_name as "table", sql from sqlite_schema where type in ('table', 'index') and sql is not null
        order by type desc, rowid`,
    )
    .all();
  for (const { table, sql } of definitions) if (isServerTable(table)) await client.query(postgresOf(sql));
  for (const statement of postgresOnly) await client.query(statement);
  await client.query("create table schema_version (version integer not null)");
  await client.query("insert into schema_version values ($1)", [version]);
  return address;
}

/** Everything that makes the tables what they are. */
async function shapeOf(client: Client): Promise<unknown> {
  const columns = await client.query(`select table_name, column_name, data_type, is_nullable, collation_name,
    regexp_replace(column_default, 'nextval.*', 'nextval') as value
    from information_schema.columns where table_schema = 'public' order by table_name, column_name`);
  const indexes = await client.query(
    "select tablename, indexdef from pg_indexes where schemaname = 'public' order by indexname",
  );
  const tables = await client.query(
    "select relname, relpersistence from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
  );
  return { columns: columns.rows, indexes: indexes.rows, tables: tables.rows };
}

const versionOf = async (client: Client) => (await client.query("select version from schema_version")).rows[0].version;

describe.skipIf(!postgres)("migration of an older PostgreSQL database (scale 9)", () => {
  test("two processes that start at once bring it to the shape of a new one, and keep its rows", async () => {
    const address = await givenVersion(28);
    const client = await connect(address);
    await client.query(`insert into account_link (id, kind, email, roles, network, created, expires_at)
      values ('a', 'invitation', 'ada@example.org', '[]', '', 1, 2)`);
    const opened = await Promise.all([openPostgres(address), openPostgres(address)]);
    const { db } = opened[0] ?? expect.fail();
    expect(await db.selectFrom("account_link").select(["id", "newcomer"]).execute()).toEqual([
      { id: "a", newcomer: null },
    ]);
    for (const { close } of opened) await close();
    const fresh = await givenEmpty();
    await (await openPostgres(fresh)).close();
    expect(await shapeOf(client)).toEqual(await shapeOf(await connect(fresh)));
  });

  test("a process that waits for the migration of another one does not hold up its new indexes", async () => {
    const address = await givenVersion(28);
    const first = await connect(address);
    await first.query("select pg_advisory_lock(727002)");
    const second = openPostgres(address);
    const asks =
      "select 1 from pg_stat_activity where query like 'select pg%advisory_lock($1)%' and datname = current_database()";
    await until(async () => (await first.query(asks)).rows.length > 0, "the second process waits for the lock");
    await first.query("create index concurrently held_up on account_link (created)");
    await first.query("drop index held_up");
    await first.query("select pg_advisory_unlock(727002)");
    await (await second).close();
    expect(await versionOf(first)).toBe(newest);
  });

  test("a step that older programs could not bear waits until none of them runs; steps before it are kept", async () => {
    const address = await givenVersion(28);
    const older = await connect(address);
    await holdVersion(older, 31);
    await expect(openPostgres(address)).rejects.toThrow("Server processes of an older version (31) use the database");
    const client = await connect(address);
    expect(await versionOf(client)).toBe(31);
    await older.query("select pg_advisory_unlock_all()");
    await (await openPostgres(address)).close();
    expect(await versionOf(client)).toBe(newest);
  });

  test("a program goes on beside a newer database that only gained something, and refuses one that lost something", async () => {
    const address = await givenEmpty();
    await (await openPostgres(address)).close();
    const client = await connect(address);
    const gained = { name: "gained", sql: "CREATE TABLE gained (id TEXT PRIMARY KEY) STRICT;\n" };
    await migratePostgres(client, [...migrations, gained]);
    await (await openPostgres(address)).close();
    const lost = { name: "lost", sql: "DROP TABLE gained;\n", oldest: newest + 2 };
    await migratePostgres(client, [...migrations, gained, lost]);
    await expect(openPostgres(address)).rejects.toThrow("of a newer version");
    expect(await versionOf(client)).toBe(newest + 2);
  });

  test("a step that only takes away waits beside older programs, and what comes after it is refused (scale 9)", async () => {
    const address = await givenEmpty();
    await (await openPostgres(address)).close();
    const client = await connect(address);
    const older = await connect(address);
    await holdVersion(older, newest);
    const gained = { name: "gained", sql: "CREATE TABLE gained (id TEXT PRIMARY KEY) STRICT;\n" };
    const lost = { name: "lost", sql: "DROP TABLE gained;\n", oldest: newest + 1, contracts: true } as const;
    const release = [...migrations, gained, lost];
    expect(await migratePostgres(client, release)).toBe(1);
    expect(await versionOf(client)).toBe(newest + 1);
    // The older program may still be started.
    await (await openPostgres(address)).close();
    for (const refused of [
      migratePostgres(client, release, { mustContract: true }),
      migratePostgres(client, [...release, { ...gained, name: "gained again" }]),
    ]) {
      await expect(refused).rejects.toMatchObject({
        kind: "unavailable",
        message: expect.stringContaining(`(${newest}) use the database, which the step lost does not allow`),
      });
    }
    expect(await versionOf(client)).toBe(newest + 1);
    await older.query("select pg_advisory_unlock_all()");
    expect(await migratePostgres(client, release, { mustContract: true })).toBe(0);
    expect((await client.query("select to_regclass('gained') as gained")).rows).toEqual([{ gained: null }]);
    await expect(openPostgres(address)).rejects.toThrow("of a newer version");
  });

  test("a process that has not built its search index yet keeps such a step waiting, too (scale 9)", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "carrel-migrate-"));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    const address = await givenEmpty();
    await (await openPostgres(address)).close();
    const client = await connect(address);
    await client.query("begin");
    // The index is built from the feed.
    await client.query("lock table feed in access exclusive mode");
    const options = { dataDir, database: address, hostName: "127.0.0.1", port: 0, settings: defaultSettings };
    const start = (): Promise<RunningServer> =>
      openServer({ ...options, environment: machineEnvironment(), log: createLog("error") }).catch((error) => {
        // A start waits five seconds for the table.
        if (error.code !== "55P03") throw error;
        return start();
      });
    const starting = start();
    const other = await connect(address);
    await expect.poll(() => listRunningVersions(other), { interval: 20 }).toEqual([newest]);
    await client.query("rollback");
    await (await starting).close();
    expect(await listRunningVersions(other)).toEqual([]);
  });

  test("carrel migrate does what a start would do, and is refused as one (scale 9)", async () => {
    const data = await mkdtemp(join(tmpdir(), "carrel-migrate-"));
    onTestFinished(() => rm(data, { recursive: true }));
    const address = await givenEmpty();
    const user = ["--username", "ada", "--email", "ada@example.org"];
    expect((await runCarrel("migrate", "--data", data)).stderr).toContain("There is no Carrel data");
    await runCarrel("users", "create", "--data", data, ...user);
    const move = await runCarrel("move", "--data", data, "--database", address);
    expect(move.code, move.stderr).toBe(0);
    const client = await connect(address);
    // As a version before left it, of which a process runs.
    await client.query("update schema_version set version = 31, oldest = 0");
    await holdVersion(client, 31);
    const refused = await runCarrel("migrate", "--data", data);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("of an older version (31)")]);
    await client.query("select pg_advisory_unlock_all()");
    await client.query("update schema_version set version = $1", [newest]);
    const { code, stdout } = await runCarrel("migrate", "--data", data, "--contract");
    expect([code, JSON.parse(stdout)]).toEqual([0, { event: "migrated", data, left: 0 }]);
  });

  test("an index of a table in use is made while others write; one that was left half made is made again", async () => {
    const address = await givenEmpty();
    await (await openPostgres(address)).close();
    const client = await connect(address);
    const writer = await connect(address);
    await client.query("insert into setting values ('a', '1'), ('b', '1')");
    // It cannot be unique, so it stays half made.
    await expect(client.query("create unique index concurrently setting_value on setting(value)")).rejects.toThrow();
    await writer.query("begin");
    await writer.query("update setting set value = '2' where name = 'b'");
    const step = { name: "index", sql: "CREATE INDEX setting_value ON setting(value);\n" };
    const migrating = migratePostgres(client, [...migrations, step]);
    // The version is stored before the index, which waits for the writer and for nobody else.
    const other = await connect(address);
    const stored = async () => (await other.query("select version from schema_version")).rows;
    await expect.poll(stored).toEqual([{ version: newest + 1 }]);
    await other.query("update setting set value = '3' where name = 'a'");
    await writer.query("commit");
    await migrating;
    const { rows } = await client.query(
      "select indisvalid, indisunique from pg_index where indexrelid = 'setting_value'::regclass",
    );
    expect(rows).toEqual([{ indisvalid: true, indisunique: false }]);
    expect((await client.query("select pending from schema_version")).rows).toEqual([{ pending: "[]" }]);
  });

  test("a step that fails leaves nothing behind", async () => {
    const address = await givenEmpty();
    await (await openPostgres(address)).close();
    const client = await connect(address);
    const step = {
      name: "wrong",
      sql: "CREATE TABLE half (id TEXT PRIMARY KEY) STRICT;\nUPDATE setting SET none = 1;\n",
    };
    await expect(migratePostgres(client, [...migrations, step])).rejects.toThrow();
    expect((await client.query("select to_regclass('half') as half")).rows).toEqual([{ half: null }]);
    expect(await versionOf(client)).toBe(newest);
  });
});
