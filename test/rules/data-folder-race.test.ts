import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
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

/** Opens the folder at the moment given on each line of its input, and prints whether it got it. It never releases it. */
const opener = (folder: string) => `
  import { createInterface } from "node:readline";
  import { openDataFolder } from ${JSON.stringify(join(import.meta.dirname, "../../shared/kernel/data-folder.ts"))};
  for await (const line of createInterface({ input: process.stdin })) {
    while (Date.now() < Number(line));
    try {
      openDataFolder(${JSON.stringify(folder)}, "server");
      console.log("took");
    } catch (error) {
      console.log(error.message);
    }
  }`;

function startOpener(folder: string) {
  const child = spawn(process.execPath, ["--input-type=module", "-e", opener(folder)], { stdio: "pipe" });
  onTestFinished(() => void child.kill());
  return async (moment: number): Promise<string> => {
    child.stdin.write(`${moment}\n`);
    return String((await once(child.stdout, "data"))[0]).trim();
  };
}

test("two processes that find the lock of a killed one at once: one takes the folder (hosts-and-sync 1)", async () => {
  const folder = await givenFolder();
  const openers = [startOpener(folder), startOpener(folder)];
  // The first round waits until both have started.
  for (let round = 0; round < 400; round++) {
    await writeFile(join(folder, "server.pid"), "999999999 1");
    const moment = Date.now() + 4;
    const outcomes = await Promise.all(openers.map((open) => open(moment)));
    expect(
      outcomes.filter((outcome) => outcome === "took"),
      `round ${round}`,
    ).toHaveLength(1);
    expect(await readdir(folder)).toEqual(["server.pid"]);
  }
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
