import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { LogMover } from "../../shared/database/log-mover.ts";
import { type Db, openDatabase, replaceableTransaction } from "../../shared/database/open.ts";

async function limitOf(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ wal_autocheckpoint: number }>`pragma wal_autocheckpoint`.execute(db);
  return rows[0]?.wal_autocheckpoint;
}

async function cacheOf(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ cache_size: number }>`pragma cache_size`.execute(db);
  return rows[0]?.cache_size;
}

test("While many transactions follow one another a thread moves the log into the file; all that was committed is there (hosts-and-sync 7, Durability)", async () => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-test-"));
  const file = join(folder, "carrel.sqlite");
  const { db, close } = openDatabase(file);
  const mover = new LogMover(db);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [usual, defaultCache] = [await limitOf(db), await cacheOf(db)];
  const { size } = await stat(file);
  let commits = 0;
  // Far less than what makes a commit move the log itself.
  while ((await stat(file)).size === size) {
    commits += 1;
    const row = { name: `row ${commits}`, value: "x".repeat(4000) };
    await replaceableTransaction(db, (tx) => tx.insertInto("setting").values(row).execute());
    await mover.committed();
    // In KiB below zero: less memory for pages, from the first commit on.
    expect(await cacheOf(db)).toBeGreaterThan(defaultCache ?? Number.NaN);
    await wait(2);
  }
  expect(await limitOf(db)).toBeGreaterThan(usual ?? Number.NaN);
  await mover.end();
  expect([await limitOf(db), await cacheOf(db)]).toEqual([usual, defaultCache]);
  await close();
  const again = openDatabase(file);
  const query = again.db.selectFrom("setting").select((of) => of.fn.countAll<number>().as("count"));
  expect((await query.where("name", "like", "row %").executeTakeFirst())?.count).toBe(commits);
  await again.close();
});
