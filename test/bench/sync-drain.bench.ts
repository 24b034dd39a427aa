import { createHash } from "node:crypto";
import { join } from "node:path";
import { ReadableStream } from "node:stream/web";
import { startBenchReplica, startBenchServer } from "../support/bench-server.ts";
import { addFile, fileOf, givenDraft } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import type { BenchCase, Measured } from "./bench-case.ts";
import { sent, withSyncWorld } from "./sync-world.ts";

/** CARREL_BENCH_OPERATIONS=1000 drains fewer. */
const operations = Number(process.env.CARREL_BENCH_OPERATIONS ?? 10_000);
/** CARREL_BENCH_MIB=10240 CARREL_BENCH_CUTS=100 for the long run. */
const mebibytes = Number(process.env.CARREL_BENCH_MIB ?? 1024);
const cuts = Number(process.env.CARREL_BENCH_CUTS ?? 10);
const size = mebibytes * 1024 * 1024;

/** Makes drafts offline, one operation each, and measures sending them. */
async function drain(): Promise<Measured> {
  const server = await startBenchServer();
  const { child, client } = await startBenchReplica(join(server.folder, "replica"), server);
  try {
    await sent({ client });
    await client.post("/api/sync/pause");
    for (let made = 0; made < operations; made++) {
      await client.post("/api/records", { files: { enabled: false }, metadata: { title: `Draft ${made}` } });
    }
    const started = performance.now();
    await client.post("/api/sync/resume");
    await sent({ client });
    const seconds = (performance.now() - started) / 1000;
    const { total } = (await server.client.get("/api/user/records?size=1")).body.hits;
    if (total !== operations) throw new Error(`${total} drafts arrived of ${operations}`);
    return { ours: seconds, reference: (60 * operations) / 10_000, unit: "s", against: "s allowed" };
  } finally {
    child.removeAllListeners("exit");
    child.kill("SIGKILL");
    await server.close();
  }
}

/** Sends zeros and a counter to the replica in pieces, as a browser sends a file. */
async function putLarge(client: HttpClient, path: string): Promise<string> {
  const hash = createHash("sha256");
  const piece = Buffer.alloc(1024 * 1024);
  async function* content() {
    for (let index = 0; index < mebibytes; index++) {
      piece.writeUInt32LE(index, 0);
      hash.update(piece);
      yield Buffer.from(piece);
    }
  }
  const headers = { authorization: client.authorization, "content-type": "application/octet-stream" };
  const init = {
    method: "PUT",
    headers,
    body: ReadableStream.from(content()) as unknown as BodyInit,
    duplex: "half",
  } as const;
  const answer = await fetch(client.url + path, init);
  if (answer.status !== 200) throw new Error(`the file was answered ${answer.status}`);
  return hash.digest("hex");
}

async function attachLarge(client: HttpClient): Promise<void> {
  const id = await givenDraft(client);
  await client.post(`/api/records/${id}/draft/files`, [{ key: "large.bin" }]);
  await putLarge(client, `${fileOf(id, "large.bin")}/content`);
  await client.post(`${fileOf(id, "large.bin")}/commit`);
}

/** Bytes sent because of a broken connection, and bytes for attaching the same file again. */
async function upload(): Promise<{ first: number; again: number }> {
  return withSyncWorld(async ({ seat }) => {
    const desk = await seat("desk");
    await sent(desk);
    await addFile(desk.client, await givenDraft(desk.client), "small.txt", "so that the line is warm");
    await sent(desk);
    desk.line.breakEvery = Math.ceil(size / (cuts + 1));
    const before = desk.line.bytes.up;
    await attachLarge(desk.client);
    await sent(desk);
    const first = desk.line.bytes.up - before;
    await attachLarge(desk.client);
    await sent(desk);
    return { first, again: desk.line.bytes.up - before - first };
  });
}

let uploaded: ReturnType<typeof upload> | undefined;
const uploadedOnce = () => {
  uploaded ??= upload();
  return uploaded;
};

export const bench: BenchCase[] = [
  { name: `drain of ${operations.toLocaleString("en")} queued operations`, reach: "<= 1", run: drain },
  {
    name: `upload of ${mebibytes} MiB with ${cuts} cuts`,
    reach: "<= 1.03",
    run: async () => ({ ours: (await uploadedOnce()).first, reference: size, unit: "B", against: "B of the file" }),
  },
  {
    name: "the same file attached again",
    reach: "<= 1",
    run: async () => ({
      ours: (await uploadedOnce()).again,
      reference: 64 * 1024,
      unit: "B",
      against: "B, no content",
    }),
  },
];
