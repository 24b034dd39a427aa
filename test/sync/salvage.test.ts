import { mkdtemp, open, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { offerSalvage, type ReplicaAddress } from "../../main/replica/offer-salvage.ts";
import { openReplica } from "../../main/replica/open-replica.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { startApi } from "../support/api.ts";
import { addFile } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { until } from "../support/until.ts";

/** Overwrites the first page of a table, so that its rows cannot be read. */
async function damage(file: string, table: string): Promise<void> {
  const database = new SQLite(file);
  const { rootpage } = database
    .prepare<[string], { rootpage: number }>("select rootpage from sqlite_schema where name = ?")
    .get(table) ?? { rootpage: 0 };
  const pageBytes = Number(database.pragma("page_size", { simple: true }));
  database.close();
  const handle = await open(file, "r+");
  await handle.write(Buffer.alloc(pageBytes, 0xff), 0, pageBytes, (rootpage - 1) * pageBytes);
  await handle.close();
}

/** Does as the app's pages do: reads what is damaged, and starts the salvage. */
async function salvaged(dataDir: string, pending: number): Promise<ReplicaAddress> {
  const damage = new Failure("unavailable", "The database is damaged (a page). Nothing was changed.");
  const { promise: reachable, resolve } = Promise.withResolvers<ReplicaAddress>();
  const running = offerSalvage({
    options: { environment: machineEnvironment(), log: createLog("silent"), port: 0, dataDir },
    damage,
    address: undefined,
    onReachable(address) {
      resolve(address);
      return new Promise(() => undefined);
    },
  });
  const address = await reachable;
  const client = new HttpClient(address.url, address.guard.secret);
  expect(await client.get("/api/sync/status")).toMatchObject({ status: 503, body: { message: damage.message } });
  expect((await new HttpClient(address.url).post("/api/sync/salvage")).status).toBe(401);
  expect((await client.get("/api/sync/salvage")).body).toEqual({ damage: damage.message });
  expect((await client.post("/api/sync/salvage")).body).toEqual({ saved: pending });
  expect(await running).toBe(true);
  return address;
}

test("a damaged database: unsent operations are saved, the rest is fetched again, the damaged files are kept (hosts-and-sync 7; sync 1.7, C14)", async () => {
  const api = await startApi("server");
  const onServer = await api.onServer("alice");
  const { token } = await api.person("alice");
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-salvage-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const common = { environment: machineEnvironment(), log: createLog("silent"), port: 0, dataDir };
  const start = async (isSalvage: boolean, address?: ReplicaAddress) => {
    const replica = await openReplica({ ...common, ...address, startPaused: false, isSalvage });
    onTestFinished(() => replica.close());
    return { replica, client: new HttpClient(replica.url, replica.guard.secret) };
  };
  const status = async (client: HttpClient) => (await client.get("/api/sync/status")).body;

  const first = await start(false);
  await first.client.post("/api/sync/connect", { server: api.server.url, token });
  const sent = (await first.client.post("/api/records", { metadata: { title: "Sent" } })).body.id;
  await until(async () => (await status(first.client)).state === "up_to_date");
  await first.client.post("/api/sync/pause");
  await first.client.put(`/api/records/${sent}/draft`, { metadata: { title: "Sent, then edited" } });
  const unsent = (await first.client.post("/api/records", { metadata: { title: "Unsent" } })).body.id;
  await addFile(first.client, unsent, "core.bin", "bytes of a core");
  const { pending } = await status(first.client);
  await first.replica.close();
  await expect(start(true)).rejects.toThrow(/is not damaged/);
  await damage(join(dataDir, "carrel.sqlite"), "draft");

  await expect(start(false)).rejects.toThrow(/is damaged /);
  const address = await salvaged(dataDir, pending);
  const { client } = await start(false, address);
  expect(client.url).toBe(address.url);
  expect(await status(client)).toMatchObject({ state: "paused", pending });
  expect((await client.get(`/api/records/${unsent}/draft`)).body.metadata.title).toBe("Unsent");
  await client.post("/api/sync/resume");
  await until(async () => (await status(client)).state === "up_to_date");
  for (const one of [client, onServer]) {
    expect((await one.get(`/api/records/${sent}/draft`)).body.metadata.title).toBe("Sent, then edited");
    const { body } = await one.get(`/api/records/${unsent}/draft/files`);
    expect(body.entries).toMatchObject([{ key: "core.bin", status: "completed", size: 15 }]);
  }
  const kept = (await readdir(dataDir)).filter((name) => name.startsWith("damaged-"));
  expect(await readdir(join(dataDir, kept[0] ?? ""))).toContain("carrel.sqlite");
});
