import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listenOnLastPort } from "../../main/replica/listen-on-last-port.ts";
import type { Listening } from "../../shared/kernel/listen.ts";

let folder: string;
const open: Listening[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-port-"));
});
afterEach(async () => {
  for (const listening of open.splice(0)) await listening.close(100);
  await rm(folder, { recursive: true, force: true });
});

async function start(port = 0): Promise<Listening> {
  const listening = await listenOnLastPort((_req, res) => res.end(), folder, port);
  open.push(listening);
  return listening;
}

test("a free port is that of the last start, so that a browser knows the app again", async () => {
  const first = await start();
  await first.close(100);
  open.length = 0;
  expect((await start()).port).toBe(first.port);
});

test("when that one is taken, another one is found", async () => {
  const other = createServer();
  const taken = await new Promise<number>((resolve) =>
    other.listen(0, "127.0.0.1", () => resolve((other.address() as { port: number }).port)),
  );
  await writeFile(join(folder, "last-port"), String(taken));
  const { port } = await start();
  expect(port).not.toBe(taken);
  await new Promise((resolve) => other.close(resolve));
});

test("a port that was asked for is that port or a refusal in words; nonsense in the file is no port", async () => {
  await writeFile(join(folder, "last-port"), "80; rm");
  const { port } = await start();
  await expect(start(port)).rejects.toThrow(`Port ${port} on 127.0.0.1 is already in use.`);
});
