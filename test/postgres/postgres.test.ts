import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { listDefinitions, type OpenPostgres, openPostgres } from "../../server/postgres/open-postgres.ts";
import { postgresLink } from "../../server/postgres/postgres-link.ts";
import { insertTicket, takeTicket } from "../../server/sync/live/live-ticket.repository.ts";
import { migrations } from "../../shared/database/migrations/list.ts";
import { type Db, openDatabase, type Tx, transaction } from "../../shared/database/open.ts";
import { findSetting, storeSetting } from "../../shared/database/setting.repository.ts";
import { startPostgres } from "../support/engines/postgres.ts";

const postgres = await startPostgres();
afterAll(() => postgres?.stop());

describe.skipIf(!postgres)("PostgreSQL (issue 19, step 2)", () => {
  let address: string;
  let opened: OpenPostgres;
  let db: Db;
  beforeAll(async () => {
    address = (await postgres?.freshDatabase())?.address ?? "";
    opened = await openPostgres(address);
    db = opened.db;
    return () => opened.close();
  });

  test("has the columns, keys and indexes of SQLite (scale 9)", async () => {
    const sqlite = openDatabase(":memory:");
    for (const { type, name, table } of await listDefinitions()) {
      if (type === "index") {
        const { rows } = await sql<{ n: number }>`select count(*) as n from pg_indexes
          where indexname = ${name} and tablename = ${table}`.execute(db);
        expect(rows, name).toEqual([{ n: 1 }]);
        continue;
      }
      const columns = await sql<{ name: string; type: string; notnull: number; pk: number }>`
        select name, type, "notnull", pk from pragma_table_info(${table}) order by cid`.execute(sqlite.db);
      const there = await sql<{ name: string; type: string; nullable: string }>`
        select column_name as name, data_type as type, is_nullable as nullable from information_schema.columns
        where table_name = ${table} order by ordinal_position`.execute(db);
      const typeOf: Record<string, string> = {
        TEXT: "text",
        INTEGER: "bigint",
        BLOB: "bytea",
        REAL: "double precision",
      };
      const isKey = new Set(columns.rows.filter(({ pk }) => pk > 0).map((column) => column.name));
      expect(
        there.rows.map((column) => [column.name, column.type, column.nullable === "NO"]),
        table,
      ).toEqual(
        columns.rows.map((column) => [
          column.name,
          typeOf[column.type],
          column.notnull === 1 || isKey.has(column.name),
        ]),
      );
      const keys = await sql<{ name: string }>`select a.attname as name from pg_index i
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
        where i.indisprimary and i.indrelid = ${`"${table}"`}::regclass`.execute(db);
      expect(new Set(keys.rows.map((column) => column.name)), table).toEqual(isKey);
    }
    await sqlite.close();
  });

  test("is created by one of several processes that start at once", async () => {
    const fresh = (await postgres?.freshDatabase())?.address ?? "";
    const all = await Promise.all([1, 2, 3].map(() => openPostgres(fresh)));
    for (const { close } of all) await close();
  });

  /** With an index that the newer program has still to make. */
  const newer = { version: migrations.length + 1, pending: '["CREATE INDEX setting_value ON setting(value)"]' };

  test.each([
    ["this program's is opened", migrations.length, undefined],
    ["a newer program's is refused", migrations.length + 1, "of a newer version"],
  ])("a newer database whose oldest program is %s; both stay unchanged (scale 9)", async (_, oldest, refusal) => {
    const fresh = (await postgres?.freshDatabase())?.address ?? "";
    await (await openPostgres(fresh)).close();
    const client = new Client({ connectionString: fresh });
    await client.connect();
    onTestFinished(() => client.end());
    const change = "update schema_version set version = $1, oldest = $2, pending = $3";
    await client.query(change, [newer.version, oldest, newer.pending]);
    const again = openPostgres(fresh).then(({ close }) => close());
    await (refusal === undefined ? again : expect(again).rejects.toThrow(refusal));
    expect((await client.query("select * from schema_version")).rows).toEqual([{ ...newer, oldest }]);
    const made = await client.query("select to_regclass('setting_value') as made");
    expect(made.rows).toEqual([{ made: null }]);
  });

  const links = async () =>
    (
      await sql`select 1 from pg_stat_activity
        where datname = current_database() and application_name = 'carrel link'`.execute(db)
    ).rows;

  test("a process that stops while it connects to the others ends (scale 5)", async () => {
    for (let turns = 0; turns < 20; turns++) {
      const link = postgresLink(address);
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      await link.stop();
    }
    await expect.poll(links).toEqual([]);
  });

  test("a link whose session the server ends is made again, and ends no process (scale 5)", async () => {
    const link = postgresLink(address);
    onTestFinished(() => link.stop());
    let connected = 0;
    link.onGap(() => {
      connected += 1;
    });
    await expect.poll(() => connected).toBe(1);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'carrel link'`.execute(db);
    await expect.poll(() => connected).toBe(2);
    expect(await links()).toHaveLength(1);
  });

  test("the same repositories run on both, in one process: U+0000, numbers, bytes, numbers of rows", async () => {
    const sqlite = openDatabase(":memory:");
    for (const one of [sqlite.db, db]) {
      await storeSetting(one, "a", "1");
      await storeSetting(one, "a", "2");
      expect(await findSetting(one, "a")).toBe("2");
      await insertTicket(one, { digest: "d", caller: "{}", document: null, expires_at: 1_790_000_000_000_000 });
      expect(await takeTicket(one, "d")).toMatchObject({ document: null, expires_at: 1_790_000_000_000_000 });
      expect(await takeTicket(one, "d")).toBeUndefined();
      // The end of an embargo in the year 2999, in microseconds.
      await insertTicket(one, { digest: "d", caller: "{}", document: null, expires_at: 32_472_187_200_000_000 });
      expect(await takeTicket(one, "d")).toMatchObject({ expires_at: 32_472_187_200_000_000 });
      const state = new Uint8Array([0, 1, 255]);
      await one.insertInto("document").values({ draft_id: "d", parent_id: "p", epoch: 1, state }).execute();
      const row = await one.selectFrom("document").selectAll().executeTakeFirstOrThrow();
      expect(Buffer.from(row.state)).toEqual(Buffer.from(state));
      const { numUpdatedRows } = await one.updateTable("document").set({ epoch: 2 }).executeTakeFirst();
      expect(numUpdatedRows).toBe(1n);
    }
    await storeSetting(db, "nul", "a\0b");
    expect(await findSetting(db, "nul")).toBe("a\ufffdb");
    await sqlite.close();
  });

  /** Adds one, after both transactions have read. */
  async function addOne(tx: Tx, both: () => Promise<void>): Promise<void> {
    const value = Number(await findSetting(tx, "count"));
    await both();
    await storeSetting(tx, "count", String(value + 1));
  }

  /** Waits, at its first two calls, until both have come. */
  function meeting(): () => Promise<void> {
    const met = Promise.withResolvers<void>();
    let calls = 0;
    return async () => {
      calls += 1;
      if (calls >= 2) met.resolve();
      await met.promise;
    };
  }

  test("two writes that read the same are put in an order: the later one runs again (scale 4)", async () => {
    await storeSetting(db, "count", "0");
    const both = meeting();
    await Promise.all([1, 2].map(() => transaction(db, (tx) => addOne(tx, both))));
    expect(await findSetting(db, "count")).toBe("2");
  });

  test("of forty writes of two processes that all change one row, none is lost and none refused (scale 4)", async () => {
    const processes = await Promise.all([openPostgres(address), openPostgres(address)]);
    await storeSetting(db, "count", "0");
    const add = (one: Db) => transaction(one, (tx) => addOne(tx, async () => undefined));
    await Promise.all(processes.flatMap((one) => Array.from({ length: 20 }, () => add(one.db))));
    for (const { close } of processes) await close();
    expect(await findSetting(db, "count")).toBe("40");
  });

  test("planted fault: at READ COMMITTED, one of the two is lost", async () => {
    await storeSetting(db, "count", "0");
    const both = meeting();
    const loose = () =>
      db.connection().execute(async (one) => {
        await sql`begin isolation level read committed`.execute(one);
        await addOne(one as Tx, both);
        await sql`commit`.execute(one);
      });
    await Promise.all([loose(), loose()]);
    expect(await findSetting(db, "count")).toBe("1");
  });

  test("ended sessions end no process; a write that was cut is answered 503, and nothing of it is there", async () => {
    const ended = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
    const isWritten = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const cut = transaction(db, async (tx) => {
      await storeSetting(tx, "cut", "1");
      isWritten.resolve();
      await mayCommit.promise;
    });
    await isWritten.promise;
    await ended();
    mayCommit.resolve();
    await expect(cut).rejects.toMatchObject({ kind: "unavailable" });
    await expect.poll(() => findSetting(db, "cut").catch(() => "away")).toBeUndefined();
    await expect(openPostgres("postgres://carrel@127.0.0.1:1/none")).rejects.toThrow();
  });

  test("the audit log is append-only", async () => {
    const row = { at: 5, via: "token", action: "a", outcome: "done", details: "{}" } as const;
    await db.insertInto("audit_log").values(row).execute();
    await expect(db.deleteFrom("audit_log").execute()).rejects.toThrow("append-only");
    await expect(db.updateTable("audit_log").set({ action: "b" }).execute()).rejects.toThrow("append-only");
  });
});
