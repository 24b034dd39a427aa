import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { get, request } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type BenchServer, memoryDuring, startBenchServer } from "../support/bench-server.ts";
import { measureDiskFloor } from "../support/disk-floor.ts";
import { fileOf, filesOf, givenDraft, must } from "../support/files.ts";
import { type BenchCase, byTurns } from "./bench-case.ts";

const sizeBytes = 1024 ** 3;
const rounds = 3;

async function withServer<R>(work: (server: BenchServer) => Promise<R>): Promise<R> {
  const server = await startBenchServer();
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

/** A file that does not compress and has no repetitions. */
async function makeSource(path: string): Promise<void> {
  const part = Buffer.alloc(8 * 1024 * 1024);
  for (let at = 0; at < part.byteLength; at += 4) part.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at);
  const file = await open(path, "w");
  for (let index = 0; index * part.byteLength < sizeBytes; index += 1) {
    part.writeUInt32LE(index, 0);
    await file.write(part);
  }
  await file.close();
}

async function upload({ url, client }: BenchServer, path: string, source: string): Promise<void> {
  const headers = {
    authorization: client.authorization,
    "content-type": "application/octet-stream",
    "content-length": sizeBytes,
    "upload-complete": "?1",
  };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const call = request(`${url}${path}`, { method: "PUT", headers }, (answer) => {
    answer.resume().once("end", () => {
      if (answer.statusCode === 200) resolve();
      else reject(new Error(`the upload was answered ${answer.statusCode}`));
    });
  });
  await Promise.all([pipeline(createReadStream(source, { highWaterMark: 256 * 1024 }), call), promise]);
}

/** MB/s of a download that is discarded. */
function downloadSpeed(url: string, authorization = ""): Promise<number> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { headers: { authorization } }, (answer) => {
      let count = 0;
      answer.on("data", (chunk: Buffer) => {
        count += chunk.byteLength;
      });
      answer.once("end", () => {
        if (count === sizeBytes) resolve(count / 1000 / (performance.now() - started));
        else reject(new Error(`${count} bytes arrived with ${answer.statusCode}`));
      });
    }).once("error", reject);
  });
}

async function newEntry({ client }: BenchServer): Promise<string> {
  const id = await givenDraft(client);
  must(await client.post(filesOf(id), [{ key: "large.bin" }]), 201);
  return fileOf(id, "large.bin");
}

async function uploadSpeed(server: BenchServer, source: string): Promise<number> {
  const file = await newEntry(server);
  const started = performance.now();
  await upload(server, `${file}/content`, source);
  const speed = sizeBytes / 1000 / (performance.now() - started);
  must(await server.client.delete(file), 204);
  return speed;
}

const bareServer = `require("node:http").createServer((_, res) => {
  require("node:fs").createReadStream(process.argv[1]).pipe(res);
}).listen(0, "127.0.0.1", function () { console.log(this.address().port); });`;

async function withBareServer<R>(source: string, work: (url: string) => Promise<R>): Promise<R> {
  const child = spawn(process.execPath, ["-e", bareServer, source], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const port = await new Promise<string>((resolve) =>
      child.stdout.once("data", (line) => resolve(String(line).trim())),
    );
    return await work(`http://127.0.0.1:${port}/`);
  } finally {
    child.kill();
  }
}

export const bench: BenchCase[] = [
  {
    name: "upload of 1 GiB",
    reach: ">= 0.6",
    run: () =>
      withServer(async (server) => {
        const source = join(server.folder, "source");
        await makeSource(source);
        const floor = async () => (await measureDiskFloor({ sizeBytes, folder: server.folder })) / 1e6;
        const measured = await byTurns(() => uploadSpeed(server, source), floor, rounds);
        return { ...measured, unit: "MB/s", against: "read-hash-write-fsync loop" };
      }),
  },
  {
    name: "memory during an upload of 1 GiB",
    reach: "<= 1",
    run: () =>
      withServer(async (server) => {
        const source = join(server.folder, "source");
        await makeSource(source);
        const file = await newEntry(server);
        const ours = await memoryDuring(server, () => upload(server, `${file}/content`, source));
        return { ours, reference: 80, unit: "MB", against: "MB above idle that are allowed" };
      }),
  },
  {
    name: "download of 1 GiB",
    reach: ">= 0.9",
    run: () =>
      withServer(async (server) => {
        const source = join(server.folder, "source");
        await makeSource(source);
        const file = await newEntry(server);
        await upload(server, `${file}/content`, source);
        must(await server.client.post(`${file}/commit`), 200);
        const { authorization } = server.client;
        return withBareServer(source, async (url) => ({
          ...(await byTurns(
            () => downloadSpeed(`${server.url}${file}/content`, authorization),
            () => downloadSpeed(url),
            rounds,
          )),
          unit: "MB/s",
          against: "createReadStream().pipe(res)",
        }));
      }),
  },
];
