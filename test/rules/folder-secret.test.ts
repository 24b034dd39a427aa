import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";

const secretModule = new URL("../../shared/kernel/folder-secret.ts", import.meta.url).href;

test("processes that begin a data folder at once have one secret (scale 9)", async () => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-secret-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const workerData = { folder, gate: new SharedArrayBuffer(4), module: secretModule };
  const code = `const { workerData, parentPort } = require("node:worker_threads");
    import(workerData.module).then(({ folderSecret }) => {
      parentPort.postMessage("loaded");
      Atomics.wait(new Int32Array(workerData.gate), 0, 0);
      parentPort.postMessage(folderSecret(workerData.folder).toString("hex"));
    });`;
  const workers = Array.from({ length: 4 }, () => new Worker(code, { eval: true, workerData }));
  await Promise.all(workers.map((worker) => once(worker, "message")));
  const secrets = workers.map((worker) => once(worker, "message"));
  const gate = new Int32Array(workerData.gate);
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  const [first, ...others] = (await Promise.all(secrets)).map(([secret]) => String(secret));
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(others).toEqual([first, first, first]);
  expect(await readdir(folder)).toEqual(["secret.key"]);
});
