import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openReplica, type RunningReplica } from "../../main/replica/open-replica.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { type Api, startApi } from "./api.ts";
import { FaultProxy } from "./fault-proxy.ts";
import { must } from "./files.ts";
import { HttpClient } from "./http-client.ts";
import { givenDatabase } from "./migrated-folder.ts";
import { until } from "./until.ts";

/** A new unconnected replica, closed at the end of the test. */
export async function newReplica(environment = machineEnvironment(), parent = tmpdir()): Promise<RunningReplica> {
  const dataDir = await givenDatabase(await mkdtemp(join(parent, "carrel-test-")));
  const replica = await openReplica({ dataDir, port: 0, environment, log: createLog("silent"), startPaused: false });
  onTestFinished(async () => {
    await replica.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  return replica;
}

/** The client of a user's replica that has fetched everything. */
export async function replicaOf(api: Api, name: string, environment = machineEnvironment()): Promise<HttpClient> {
  const replica = await newReplica(environment);
  const client = new HttpClient(replica.url, replica.guard.secret);
  const { token } = await api.person(name);
  await client.post("/api/sync/connect", { server: api.server.url, token });
  await synced(client);
  return client;
}

export const stateOf = async (client: HttpClient) => (await client.get("/api/sync/status")).body.state;
export const synced = (client: HttpClient) =>
  until(async () => ["up_to_date", "needs_you"].includes(await stateOf(client)), "settled");
export const pause = (...clients: HttpClient[]) => Promise.all(clients.map((one) => one.post("/api/sync/pause")));
/** Resumes the clients one at a time. Each sends and fetches; then all fetch what the others sent. */
export async function resume(...clients: HttpClient[]): Promise<void> {
  for (const _round of ["send", "see"])
    for (const client of clients) {
      await pause(client);
      await client.post("/api/sync/resume");
      await synced(client);
    }
}
export const trayOf = async (client: HttpClient) => (await client.get("/api/sync/tray")).body.hits.hits;

/** A fault proxy to a server or its successor, closed at the end of the test. */
export async function faultProxyTo(url: string | (() => string | undefined)): Promise<FaultProxy> {
  const proxy = new FaultProxy(() => (typeof url === "string" ? url : url()));
  await proxy.listen();
  onTestFinished(() => proxy.close());
  return proxy;
}

interface OnLine {
  api: Api;
  server: HttpClient;
  client: HttpClient;
  replica: RunningReplica;
  line: FaultProxy;
  token: string;
}

/** A replica of alice behind a fault proxy. */
export async function replicaBehindProxy(options: { settings?: object; isConnected?: boolean } = {}): Promise<OnLine> {
  const api = await startApi("server", options);
  const replica = await newReplica();
  const { token } = await api.person("alice");
  const line = await faultProxyTo(api.server.url);
  const client = new HttpClient(replica.url, replica.guard.secret);
  if (options.isConnected !== false) {
    must(await client.post("/api/sync/connect", { server: line.url, token }), 200);
    await synced(client);
  }
  return { api, server: new HttpClient(api.server.url, token), client, replica, line, token };
}
