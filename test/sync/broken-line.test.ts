import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openReplica, type RunningReplica } from "../../main/replica/open-replica.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { type Api, startApi } from "../support/api.ts";
import { type FaultProxy, faultProxyTo } from "../support/fault-proxy.ts";
import { addFile, filesOf, givenDraft, must } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { CarrelProcess } from "../support/process.ts";
import { settled, stateOf, trayOf, until } from "../support/two-replicas.ts";

interface OnLine {
  api: Api;
  server: HttpClient;
  client: HttpClient;
  replica: RunningReplica;
  line: FaultProxy;
  token: string;
}

/** A replica that reaches its server by a line that can be broken. */
async function replicaOnLine(options: { settings?: object; isConnected?: boolean } = {}): Promise<OnLine> {
  const api = await startApi("server", options);
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-test-"));
  const environment = machineEnvironment();
  const replica = await openReplica({ dataDir, port: 0, environment, log: createLog("silent"), startPaused: false });
  onTestFinished(async () => {
    await replica.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  const { token } = await api.person("alice");
  const line = await faultProxyTo(api.server.url);
  const client = new HttpClient(replica.url, replica.door.secret);
  if (options.isConnected !== false) {
    must(await client.post("/api/sync/connect", { server: line.url, token }), 200);
    await settled(client);
  }
  return { api, server: new HttpClient(api.server.url, token), client, replica, line, token };
}

const isOnline = async (client: HttpClient): Promise<boolean> => (await client.get("/api/sync/status")).body.online;

describe("a line that is cut (hosts-and-sync 3, 5, 8)", () => {
  test.each(["cut", "hole"] as const)(
    "%s: offline 202 with the draft body, is_published false, sync.state pending",
    async (fault) => {
      const { client, server, line } = await replicaOnLine();
      line.fail(fault);
      const begin = Date.now();
      await until(async () => !(await isOnline(client)), "`online` turns false within 15 s of a cut", 15_000);
      const id = await givenDraft(client, { isFilesEnabled: false });
      for (let look = 0; look < 5; look++) {
        expect((await client.get(`/api/records/${id}/draft`)).body.sync).toMatchObject({ state: "pending" });
      }
      const published = await client.post(`/api/records/${id}/draft/actions/publish`);
      expect(published).toMatchObject({ status: 202, body: { is_published: false, sync: { state: "pending" } } });
      const [first] = (await client.get("/api/sync/operations")).body.hits.hits;
      await until(
        async () => (await client.get("/api/sync/operations")).body.hits.hits[0].next_attempt !== null,
        "it is known when the line is tried again",
      );
      expect(first).toMatchObject({ kind: "draft.create", state: "pending" });
      const { next_attempt } = (await client.get("/api/sync/operations")).body.hits.hits[0];
      expect(next_attempt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00$/);
      line.heal();
      await until(async () => (await stateOf(client)) === "up_to_date", "without a nudge within 30 s", 30_000);
      expect((await server.get(`/api/records/${id}`)).status).toBe(200);
      expect(Date.now() - begin).toBeLessThan(60_000);
    },
    90_000,
  );

  test("publish while the answer is lost: 202 and pending, then published once", async () => {
    const { client, server, line } = await replicaOnLine();
    const id = await givenDraft(client, { isFilesEnabled: false });
    await settled(client);
    line.fail("lose-answers");
    const published = await client.post(`/api/records/${id}/draft/actions/publish`);
    expect(published).toMatchObject({ status: 202, body: { is_published: false, sync: { state: "pending" } } });
    line.heal();
    await until(async () => (await stateOf(client)) === "up_to_date", "up to date", 30_000);
    const versions = await server.get(`/api/records/${id}/versions`);
    expect(versions.body.hits.total).toBe(1);
    expect(await trayOf(client)).toEqual([]);
  }, 60_000);

  test("an answer passed on from the server has this replica's links, by whatever address it is reached", async () => {
    const { client, server } = await replicaOnLine();
    const id = await givenDraft(server, { isFilesEnabled: false });
    must(await server.post(`/api/records/${id}/draft/actions/publish`), 202);
    const found = await client.get(`/api/records?scope=server&q=id:${id}`);
    expect(found.body.hits.total).toBe(1);
    expect(found.text).not.toContain(server.url);
    expect(found.body.hits.hits[0].links.self).toBe(`${client.url}/api/records/${id}`);
  });
});

describe("bytes that never arrive (hosts-and-sync 4, 8)", () => {
  test("what only the server can judge: a file larger than it takes goes to the tray, with its title and its words", async () => {
    const { client, line, token } = await replicaOnLine({ settings: { max_file_bytes: 1000 }, isConnected: false });
    const id = await givenDraft(client);
    await addFile(client, id, "large.bin", Buffer.alloc(2000, 1));
    must(await client.post("/api/sync/connect", { server: line.url, token }), 200);
    await until(async () => (await stateOf(client)) === "needs_you", "the person is asked");
    const [entry, ...others] = await trayOf(client);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ kind: "file.commit", object: { kind: "draft", id, title: "Deep sea core" } });
    expect(entry.operation.title).toContain("large.bin");
    expect(entry.reason).toMatch(/\w+ \w+/);
    expect(entry.server).toMatchObject({ id });
  });
});

test("replica --offline with a server that cannot be reached yet: starts, and is connected later (hosts-and-sync 1)", async () => {
  const api = await startApi("server");
  const { token } = await api.person("alice");
  const line = await faultProxyTo(api.server.url);
  line.fail("cut");
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-test-"));
  const process = new CarrelProcess([
    "replica",
    "--data",
    dataDir,
    "--server",
    line.url,
    "--token",
    token,
    "--offline",
  ]);
  onTestFinished(async () => {
    await process.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  const ready = await process.ready();
  const client = new HttpClient(ready.url, ready.token);
  const id = await givenDraft(client);
  expect((await client.post("/api/sync/resume")).body.state).toBe("local");
  line.heal();
  await client.post("/api/sync/run");
  await until(async () => (await stateOf(client)) === "up_to_date", "connected", 30_000);
  expect((await new HttpClient(api.server.url, token).get(filesOf(id))).status).toBe(200);
}, 60_000);
