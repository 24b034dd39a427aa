import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { type Db, openDatabase, snapshot, transaction } from "../../shared/database/open.ts";

async function openNew(): Promise<{ db: Db; file: string }> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-test-"));
  const file = join(folder, "carrel.sqlite");
  const { db, close } = openDatabase(file);
  onTestFinished(async () => {
    await close();
    await rm(folder, { recursive: true, force: true });
  });
  return { db, file };
}

const insert = (db: Db, name: string) => db.insertInto("setting").values({ name, value: "x" }).execute();
const names = async (db: Db) =>
  (await db.selectFrom("setting").select("name").where("value", "=", "x").execute()).map(({ name }) => name);

test("a snapshot sees one moment and keeps nobody from writing (structure 9)", async () => {
  const { db, file } = await openNew();
  const another = new SQLite(file, { timeout: 0 });
  onTestFinished(() => void another.close());
  const write = (name: string) => another.prepare("insert into setting (name, value) values (?, 'x')").run(name);
  write("before");
  await snapshot(db, async (moment) => {
    expect(await names(moment)).toEqual(["before"]);
    write("meanwhile");
    expect(await names(moment)).toEqual(["before"]);
  });
  expect(await names(db)).toEqual(["before", "meanwhile"]);
});

test("a snapshot refuses to write; a transaction after it writes (structure 9)", async () => {
  const { db } = await openNew();
  await expect(snapshot(db, (moment) => insert(moment, "refused"))).rejects.toThrow("a snapshot only reads");
  await transaction(db, (tx) => insert(tx, "written"));
  expect(await names(db)).toEqual(["written"]);
});

test.each([snapshot, transaction])(
  "inside $name the pool throws instead of waiting for ever (structure 9)",
  async (run) => {
    const { db } = await openNew();
    await expect(run(db, () => names(db))).rejects.toThrow("the pool was used inside a transaction");
  },
);

test("a database that is closed during a transaction lets it end, and loses nothing of it (structure 9)", async () => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "carrel.sqlite");
  const first = openDatabase(file);
  const begun = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const writing = transaction(first.db, async (tx) => {
    await insert(tx, "first half");
    begun.resolve();
    await answered.promise;
    await insert(tx, "second half");
  });
  await begun.promise;
  const closing = first.close();
  answered.resolve();
  await Promise.all([writing, closing]);
  const second = openDatabase(file);
  onTestFinished(second.close);
  expect(await names(second.db)).toEqual(["first half", "second half"]);
});
