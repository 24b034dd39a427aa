import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { migrations } from "../../shared/database/migrations/list.ts";
import { openDatabase } from "../../shared/database/open.ts";
import { openConnection } from "../../shared/database/sqlite-driver.ts";

const openModule = new URL("../../shared/database/open.ts", import.meta.url).href;

/** A database of an earlier version with some rows, opened by this program. @param beside files that stand beside it. */
async function migrated(version: number, rows: string, beside: string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), "carrel-migrated-"));
  const file = join(folder, "carrel.sqlite");
  for (const name of beside) await writeFile(join(folder, name), "x");
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
  return { db: database.db, folder, hasCopy: existsSync(`${file}.version-${version}.backup`) };
}

const oldRows = `
  INSERT INTO request VALUES ('r1', '1', 'There', NULL, 'submitted', '1', '2', 'a', 'b', NULL, 0, 1, 1, 1, 1);
  INSERT INTO notification VALUES ('n1', '2', 'submitted', 'r1', NULL, '1', 'There', 1, 0);
  INSERT INTO notification VALUES ('n2', '2', 'submitted', 'r2', NULL, '1', 'Gone', 1, 0);`;
const feed = `
  INSERT INTO setting VALUES ('feed_head', '7');
  INSERT INTO feed VALUES ('2', 'notification', 'n1', 6, 'live'), ('2', 'notification', 'n2', 7, 'live');`;

test("a server deletes notifications of deleted requests, and its replicas do, too (hosts-and-sync 5)", async () => {
  const { db, hasCopy } = await migrated(11, oldRows + feed);
  expect(hasCopy).toBe(true);
  expect(await db.selectFrom("notification").select("id").execute()).toEqual([{ id: "n1" }]);
  expect(await db.selectFrom("feed").select(["object_id", "seq", "state"]).orderBy("seq").execute()).toEqual([
    { object_id: "n1", seq: 6, state: "live" },
    { object_id: "n2", seq: 8, state: "deleted" },
  ]);
});

test("a replica leaves that to its server (hosts-and-sync 5)", async () => {
  const { db } = await migrated(11, oldRows);
  expect(await db.selectFrom("notification").select("id").execute()).toHaveLength(2);
});

test("a migration removes the copy that a killed one left half-written (hosts-and-sync 7)", async () => {
  const left = `carrel.sqlite.version-11.backup.${spawnSync("true").pid}.partial`;
  const { folder, hasCopy } = await migrated(11, oldRows, [left]);
  expect(hasCopy).toBe(true);
  expect(await readdir(folder)).not.toContain(left);
});

test("hosts 1: user administration works while the server runs: several that begin one database at once migrate it once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-begun-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const workerData = { file: join(folder, "carrel.sqlite"), gate: new SharedArrayBuffer(4), module: openModule };
  const code = `const { workerData, parentPort } = require("node:worker_threads");
    import(workerData.module).then(async ({ openDatabase }) => {
      parentPort.postMessage("loaded");
      Atomics.wait(new Int32Array(workerData.gate), 0, 0);
      await openDatabase(workerData.file).close();
    });`;
  const workers = Array.from({ length: 4 }, () => new Worker(code, { eval: true, workerData }));
  const ended = workers.map((worker) => once(worker, "exit"));
  await Promise.all(workers.map((worker) => once(worker, "message")));
  const gate = new Int32Array(workerData.gate);
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  expect(await Promise.all(ended)).toEqual(workers.map(() => [0]));
});
