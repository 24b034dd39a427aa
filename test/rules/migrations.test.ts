import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { migrations } from "../../shared/database/migrations/list.ts";
import { openDatabase } from "../../shared/database/open.ts";
import { openConnection } from "../../shared/database/sqlite-driver.ts";

/** A database of an earlier version with some rows, opened by this program. */
async function migrated(version: number, rows: string) {
  const folder = await mkdtemp(join(tmpdir(), "carrel-migrated-"));
  const file = join(folder, "carrel.sqlite");
  const old = openConnection(file);
  for (const step of migrations.slice(0, version)) old.exec(step.sql);
  old.pragma(`user_version = ${version}`);
  old.exec(rows);
  old.close();
  const database = openDatabase(file);
  onTestFinished(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { db: database.db, hasCopy: existsSync(`${file}.version-${version}.backup`) };
}

const told = `
  INSERT INTO request VALUES ('r1', '1', 'There', NULL, 'submitted', '1', '2', 'a', 'b', NULL, 0, 1, 1, 1, 1);
  INSERT INTO notification VALUES ('n1', '2', 'submitted', 'r1', NULL, '1', 'There', 1, 0);
  INSERT INTO notification VALUES ('n2', '2', 'submitted', 'r2', NULL, '1', 'Gone', 1, 0);`;
const feed = `
  INSERT INTO setting VALUES ('feed_head', '7');
  INSERT INTO feed VALUES ('2', 'notification', 'n1', 6, 'live'), ('2', 'notification', 'n2', 7, 'live');`;

test("what was told of requests that are gone goes from a server, and its replicas hear of it (hosts-and-sync 5)", async () => {
  const { db, hasCopy } = await migrated(11, told + feed);
  expect(hasCopy).toBe(true);
  expect(await db.selectFrom("notification").select("id").execute()).toEqual([{ id: "n1" }]);
  expect(await db.selectFrom("feed").select(["object_id", "seq", "state"]).orderBy("seq").execute()).toEqual([
    { object_id: "n1", seq: 6, state: "live" },
    { object_id: "n2", seq: 8, state: "deleted" },
  ]);
});

test("a replica leaves that to its server (hosts-and-sync 5)", async () => {
  const { db } = await migrated(11, told);
  expect(await db.selectFrom("notification").select("id").execute()).toHaveLength(2);
});
