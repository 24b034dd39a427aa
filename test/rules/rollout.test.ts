import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openRows } from "../../server/open-rows.ts";
import { migrations, oldestBeside } from "../../shared/database/migrations/list.ts";
import { fileVersion, openDatabase } from "../../shared/database/open.ts";
import { openConnection } from "../../shared/database/sqlite-driver.ts";
import { dataPaths } from "../../shared/kernel/data-folder.ts";

// Migrations by expand and contract (scale 9): a process of an older version goes on beside the new tables, or is refused
// in words.

async function dataFolder() {
  const path = await mkdtemp(join(tmpdir(), "carrel-rollout-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return dataPaths(path);
}

/** A database of an earlier version. */
async function folderOf(version: number) {
  const folder = await dataFolder();
  const old = openConnection(folder.database);
  for (const step of migrations.slice(0, version)) old.exec(step.sql);
  old.pragma(`user_version = ${version}`);
  old.close();
  return folder;
}

/** A database that a program of the next version migrated. */
async function newerFolder(oldest: number) {
  const folder = await dataFolder();
  await openDatabase(folder.database).close();
  const newer = openConnection(folder.database);
  newer.exec("CREATE TABLE later (id TEXT PRIMARY KEY) STRICT");
  newer.pragma(`user_version = ${migrations.length + 1}`);
  newer.prepare("UPDATE setting SET value = ? WHERE name = 'oldest_program'").run(String(oldest));
  newer.close();
  return folder;
}

/** The lock of another process that runs: the one that started this one. */
const runBeside = (path: string, mark: string | number): Promise<void> =>
  writeFile(join(path, "server.other.pid"), `${process.ppid}  ${mark}`);

const added = /^(CREATE (UNIQUE )?(TABLE|INDEX) |ALTER TABLE \w+ ADD COLUMN (?!.*NOT NULL(?!.*DEFAULT)))/i;

/** Releases begin with this step. */
const firstReleased = 32;

test("a step without a word on older programs only adds (scale 9)", () => {
  for (const { name, sql, oldest } of migrations.slice(firstReleased)) {
    if (oldest !== undefined) continue;
    const statements = sql.split(";").map((one) => one.trim());
    for (const one of statements.filter((text) => text !== "")) expect(one, name).toMatch(added);
  }
  for (const other of ["DROP TABLE a", "ALTER TABLE a RENAME b TO c", "ALTER TABLE a ADD COLUMN b TEXT NOT NULL"])
    expect(other).not.toMatch(added);
});

test("the oldest program beside the newest is that of the strictest step (scale 9)", () => {
  const step = (oldest?: number) => ({ name: "", sql: "", ...(oldest !== undefined && { oldest }) });
  expect(oldestBeside([step(), step(2), step(), step()])).toBe(2);
  expect(oldestBeside([step(), step(2), step(1)])).toBe(2);
  for (const [at, { name, oldest = 0 }] of migrations.entries()) expect(oldest, name).toBeLessThanOrEqual(at + 1);
});

test("a process goes on beside newer tables, if the newer version allows it (scale 9)", async () => {
  const allowed = await newerFolder(migrations.length);
  const { db, close } = await openRows(allowed, { mayBeNewer: true });
  expect(await db.selectFrom("user").select("id").execute()).toEqual([]);
  await close();
  expect(fileVersion(allowed.database)).toBe(migrations.length + 1);
  await expect(openRows(allowed), "a process alone has no newer one beside it").rejects.toThrow("newer version");
  const refused = await newerFolder(migrations.length + 1);
  await expect(openRows(refused, { mayBeNewer: true })).rejects.toThrow("of a newer version");
});

test("a process does not change tables that an older one still needs, and says which one (scale 9)", async () => {
  const version = oldestBeside(migrations) - 1;
  for (const mark of [version, ""]) {
    const folder = await folderOf(version);
    await runBeside(folder.path, mark);
    await expect(openRows(folder)).rejects.toThrow(`Process ${process.ppid} of an older version uses ${folder.path}`);
    expect(fileVersion(folder.database)).toBe(version);
  }
  const folder = await folderOf(version);
  await runBeside(folder.path, oldestBeside(migrations));
  await (await openRows(folder)).close();
  expect(fileVersion(folder.database)).toBe(migrations.length);
});
