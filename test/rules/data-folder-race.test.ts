import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { assignRows } from "../../server/open-rows.ts";
import { addressFile, dataPaths, openDataFolder } from "../../shared/kernel/data-folder.ts";

async function givenFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-race-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("two processes start at once: who finds a lock without a pid yet does not take the folder (hosts-and-sync 1)", async () => {
  const folder = await givenFolder();
  const lock = join(folder, "server.pid");
  await writeFile(lock, "");
  expect(() => openDataFolder(folder, "server")).toThrow("Another process is opening the data folder");
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(lock, longAgo, longAgo);
  openDataFolder(folder, "server").release();
});

test("two processes start at once: the address of the database is read whole (scale 2)", async () => {
  const folder = await givenFolder();
  const file = join(folder, addressFile);
  const address = "postgres://127.0.0.1:5432/library";
  const reader = new Worker(
    `const { readFileSync } = require("node:fs");
    const { parentPort } = require("node:worker_threads");
    const texts = new Set();
    const isOver = new Int32Array(new SharedArrayBuffer(4));
    parentPort.postMessage(isOver);
    while (isOver[0] === 0) {
      try { texts.add(readFileSync(${JSON.stringify(file)}, "utf8")); } catch {}
    }
    parentPort.postMessage([...texts]);`,
    { eval: true },
  );
  onTestFinished(async () => void (await reader.terminate()));
  const next = () => new Promise<unknown>((resolve) => reader.once("message", resolve));
  const isOver = (await next()) as Int32Array;
  for (let count = 0; count < 300; count++) {
    assignRows(dataPaths(folder), address);
    await rm(file);
  }
  isOver[0] = 1;
  expect(await next()).toEqual([`${address}\n`]);
});
