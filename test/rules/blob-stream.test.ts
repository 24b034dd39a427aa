import { randomBytes } from "node:crypto";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Request } from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BlobStream } from "../../shared/blobs/blob-stream.ts";
import { lentBody } from "../../shared/kernel/body.ts";

const bytes = randomBytes(3_000_001);
let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "carrel-stream-"));
  file = path.join(folder, "blob");
  await writeFile(file, bytes);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const streamOf = async (start = 0, end = bytes.byteLength) => new BlobStream(await open(file, "r"), { start, end });

test("a blob is read as a stream, whole, in part and empty", async () => {
  expect((await buffer(await streamOf())).equals(bytes)).toBe(true);
  expect((await buffer(await streamOf(10, 1_000_000))).equals(bytes.subarray(10, 1_000_000))).toBe(true);
  expect(await buffer(await streamOf(5, 5))).toHaveLength(0);
});

test("a connection gets every byte although two buffers carry them all", async () => {
  const server = createServer(async (_req, res) => void (await (await streamOf()).sendTo(res)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const received = await new Promise<Buffer>((resolve) => {
    get(`http://127.0.0.1:${port}/`, (answer) => resolve(buffer(answer)));
  });
  server.close();
  expect(received.equals(bytes)).toBe(true);
});

test("a receiver that goes away ends the sending and closes the file", async () => {
  const stream = await streamOf();
  const sink = new Writable({
    write(_chunk, _encoding, callback) {
      this.destroy();
      callback();
    },
  });
  expect(await stream.sendTo(sink)).toBe(false);
  expect(stream.destroyed).toBe(true);
});

test("a connection cut in the middle ends the sending, and the server goes on", async () => {
  const { promise: outcome, resolve } = Promise.withResolvers<boolean>();
  const server = createServer(async (_req, res) => resolve(await (await streamOf()).sendTo(res)));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  get(`http://127.0.0.1:${port}/`, (answer) => answer.once("data", () => answer.destroy())).on(
    "error",
    () => undefined,
  );
  // A small answer may fit into the buffers of the connection before the cut is noticed.
  expect(typeof (await outcome)).toBe("boolean");
  server.close();
});

test("a blob that is shorter than said is an error, not a short answer", async () => {
  const stream = new BlobStream(await open(file, "r"), { start: 0, end: bytes.byteLength + 1 });
  const sink = new Writable({ write: (_chunk, _encoding, callback) => callback() });
  await expect(stream.sendTo(sink)).rejects.toThrow("ended before its size");
});

test("a body that is lent gives the memory of each part back when the next one is asked for", async () => {
  const parts = [1, 2, 3].map((value) => Buffer.allocUnsafeSlow(65_536).fill(value));
  const seen: Buffer[] = [];
  for await (const part of lentBody(Readable.from(parts) as unknown as Request)) {
    expect(part.every((value) => value === seen.length + 1)).toBe(true);
    seen.push(part);
  }
  expect(seen.map((part) => part.byteLength)).toEqual([0, 0, 0]);
});
