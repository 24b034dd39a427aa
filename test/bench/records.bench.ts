import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express from "express";
import { openConnection } from "../../shared/database/sqlite-driver.ts";
import { type BenchServer, startBenchServer } from "../support/bench-server.ts";
import { givenRecord as givenRecordWith } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { measureThroughput } from "../support/load.ts";
import { givenDraft, givenRecord, publish, withoutFiles } from "../support/records.ts";
import { type BenchCase, byTurns, type Measured } from "./bench-case.ts";

async function withServer<R>(work: (server: BenchServer) => Promise<R>): Promise<R> {
  const server = await startBenchServer();
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

async function callsPerSecond(address: string): Promise<number> {
  const { perSecond, failures } = await measureThroughput(address, { seconds: 2 });
  if (failures > 0) throw new Error(`${failures} calls failed.`);
  return perSecond;
}

/** Bare Express in this process with the same body. */
async function withBareExpress<R>(body: unknown, work: (address: string) => Promise<R>): Promise<R> {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.get("/record", (_req, res) => void res.json(body));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/record`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Reads of one address, compared with bare Express and the same body. */
const measureReads = (given: (client: HttpClient) => Promise<string>): Promise<Measured> =>
  withServer(async ({ url, client }) => {
    const address = url + (await given(client));
    const { body } = await client.get(address);
    const measured = await withBareExpress(body, (bare) =>
      byTurns(
        () => callsPerSecond(address),
        () => callsPerSecond(bare),
      ),
    );
    return { ...measured, unit: "calls/s", against: "bare Express 5" };
  });

const recordPath = async (client: HttpClient): Promise<string> => `/api/records/${await givenRecord(client)}`;

const twentyFiles = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`core-${at + 1}.csv`, "depth,salt\n"]));
const filesPath = async (client: HttpClient): Promise<string> =>
  `/api/records/${await givenRecordWith(client, twentyFiles)}/files`;

const seconds = 3;

/** Creates, replaces and publishes drafts, eight at a time. */
async function cyclesPerSecond(client: HttpClient): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let count = 0;
  const work = async () => {
    while (performance.now() < until) {
      const id = await givenDraft(client);
      const metadata = { ...withoutFiles.metadata, publisher: "Press" };
      await client.put(`/api/records/${id}/draft`, { ...withoutFiles, metadata });
      await publish(client, id);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return count / seconds;
}

/** Three bare commits, each synced: the minimum cost of a cycle. */
async function commitsOfCyclePerSecond(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-commits-"));
  const connection = openConnection(join(folder, "bare.sqlite"));
  connection.exec("CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT)");
  const insert = connection.prepare("INSERT INTO row (text) VALUES (?)");
  const text = JSON.stringify(withoutFiles);
  const until = performance.now() + 1000;
  let count = 0;
  for (; performance.now() < until; count += 1) insert.run(text);
  connection.close();
  await rm(folder, { recursive: true });
  return count / 3;
}

export const bench: BenchCase[] = [
  { name: "GET /api/records/{id}", reach: ">= 0.35", run: () => measureReads(recordPath) },
  { name: "GET /api/records/{id}/files of 20 files", reach: ">= 0.1", run: () => measureReads(filesPath) },
  {
    name: "draft: create, PUT, publish",
    reach: ">= 0.005",
    run: () =>
      withServer(async ({ client }) => ({
        ...(await byTurns(() => cyclesPerSecond(client), commitsOfCyclePerSecond)),
        unit: "cycles/s",
        against: "three bare SQLite commits",
      })),
  },
];
