import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openReplica } from "../../main/replica/open-replica.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { startApi } from "../support/api.ts";
import { addFile, fileOf, filesOf, givenDraft, must } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { CarrelProcess, runCarrel } from "../support/process.ts";
import { faultProxyTo, replicaBehindProxy, stateOf, synced, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const isOnline = async (client: HttpClient): Promise<boolean> => (await client.get("/api/sync/status")).body.online;

describe("a lost connection (hosts-and-sync 3, 5, 8)", () => {
  test.each(["cut", "hole"] as const)(
    "%s: offline 202 with the draft body, is_published false, sync.state pending",
    async (fault) => {
      const { client, server, line } = await replicaBehindProxy();
      line.fail(fault);
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
      await until(async () => (await stateOf(client)) === "up_to_date", "reconnects by itself within 30 s", 30_000);
      expect((await server.get(`/api/records/${id}`)).status).toBe(200);
    },
  );

  test("publish while the answer is lost: 202 and pending, then published once", async () => {
    const { client, server, line } = await replicaBehindProxy();
    const id = await givenDraft(client, { isFilesEnabled: false });
    await synced(client);
    line.fail("lose-answers");
    const published = await client.post(`/api/records/${id}/draft/actions/publish`);
    expect(published).toMatchObject({ status: 202, body: { is_published: false, sync: { state: "pending" } } });
    line.heal();
    await until(async () => (await stateOf(client)) === "up_to_date", "up to date");
    const versions = await server.get(`/api/records/${id}/versions`);
    expect(versions.body.hits.total).toBe(1);
    expect(await trayOf(client)).toEqual([]);
  });

  test("hosts 3: calls that need the server answer 503 with a reason after a lost connection or a revoked token", async () => {
    const { api, client, line, token } = await replicaBehindProxy();
    /** Whether so many operations get on their way before the replica notices the hole. */
    const areSent = async (count: number): Promise<boolean> => {
      let status = { sending: 0, online: true };
      const isDecided = () => status.sending === count || !status.online;
      await until(async () => {
        status = (await client.get("/api/sync/status")).body;
        return isDecided();
      }, `${count} are on their way, or the replica is offline`);
      return status.sending === count;
    };
    const asks = () => [
      client.post("/api/groups", { name: "crew" }),
      client.get("/api/records?scope=server"),
      client.get("/api/records/abcde-fgh23"),
    ];
    const areRefused = async (calls: ReturnType<typeof asks>) => {
      for (const { status, text } of await Promise.all(calls))
        expect([status, text]).toEqual([503, expect.stringMatching(/server is needed/)]);
    };
    /** Calls that wait for a second operation, since what they ask may depend on it. A slow machine gets several tries. */
    const waitingCalls = async (): Promise<ReturnType<typeof asks>> => {
      for (let tries = 0; tries < 10; tries++) {
        line.fail("hole");
        await givenDraft(client, { isFilesEnabled: false });
        if (await areSent(1)) {
          await givenDraft(client, { isFilesEnabled: false });
          const calls = asks();
          if (await areSent(2)) return calls;
          await areRefused(calls);
        }
        line.heal();
        await synced(client);
      }
      throw new Error("the replica noticed the hole first each time");
    };
    const calls = await waitingCalls();
    line.fail("cut");
    await areRefused(calls);
    line.heal();
    await synced(client);
    // A 401 of somebody on the way is no answer of the server: its word on the token is still to come.
    line.fail("portal");
    await areRefused(asks().slice(1));
    line.heal();
    await until(async () => (await stateOf(client)) === "up_to_date", "the token is still good");
    must(await new HttpClient(api.server.url, token).delete("/api/tokens/current"), 204);
    await areRefused(asks());
    expect(await stateOf(client)).toBe("sign_in");
  });

  test("a forwarded answer has this replica's links, whatever address the caller used", async () => {
    const { client, server } = await replicaBehindProxy();
    const id = await givenDraft(server, { isFilesEnabled: false });
    must(await server.post(`/api/records/${id}/draft/actions/publish`), 202);
    const found = await client.get(`/api/records?scope=server&q=id:${id}`);
    expect(found.body.hits.total).toBe(1);
    expect(found.text).not.toContain(server.url);
    expect(found.body.hits.hits[0].links.self).toBe(`${client.url}/api/records/${id}`);
  });
});

test("a 64 MiB file sent over a connection that is cut every 8 MiB costs at most 1.1 times its bytes (hosts-and-sync 8)", async () => {
  const { client, server, line } = await replicaBehindProxy();
  const size = 64 * 1024 * 1024;
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 4) bytes.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at);
  const id = await givenDraft(client);
  line.breakEvery = 8 * 1024 * 1024;
  const before = line.bytes.up;
  await addFile(client, id, "core.bin", bytes);
  await until(async () => (await stateOf(client)) === "up_to_date", "sent", 120_000);
  expect(line.bytes.up - before).toBeLessThan(1.1 * size);
  expect((await server.get(`${fileOf(id, "core.bin")}/content`)).bytes.equals(bytes)).toBe(true);
});

test("the download of a file kept offline resumes after a restart (design, ux 10)", async () => {
  const api = await startApi("server");
  const { token } = await api.person("alice");
  const server = new HttpClient(api.server.url, token);
  const mebibyte = 1024 * 1024;
  await addFile(server, await givenDraft(server), "core.bin", Buffer.alloc(16 * mebibyte, "core"));
  const line = await faultProxyTo(api.server.url);
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-test-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const common = { environment: machineEnvironment(), log: createLog("silent"), port: 0, startPaused: false, dataDir };
  const open = async () => {
    const replica = await openReplica(common);
    onTestFinished(() => replica.close());
    return { replica, client: new HttpClient(replica.url, replica.guard.secret) };
  };
  const before = await open();
  must(await before.client.post("/api/sync/connect", { server: line.url, token }), 200);
  await synced(before.client);
  must(await before.client.put("/api/sync/keeping", { own: "always", rate: 8 * mebibyte }), 200);
  const arrived = async () => (await before.client.get("/api/sync/status")).body.transfers[0]?.bytes ?? 0;
  await until(async () => (await arrived()) >= 8 * mebibyte, "half of it is here");
  line.fail("cut");
  await before.replica.close();
  const passed = line.bytes.down;
  line.heal();
  const { client } = await open();
  must(await client.put("/api/sync/keeping", { own: "always" }), 200);
  const cached = async () => (await client.get("/api/sync/storage")).body.cached;
  await until(async () => (await cached()) === 16 * mebibyte, "all of it is here");
  expect(line.bytes.down - passed).toBeLessThan(9 * mebibyte);
});

test("a review submitted offline waits for the files of its draft, however the connection fails (hosts-and-sync 3)", async () => {
  const { api, client, server, line } = await replicaBehindProxy();
  must(await client.post("/api/sync/pause"), 200);
  const id = await givenDraft(client);
  await addFile(client, id, "core.bin", Buffer.alloc(4 * 1024 * 1024, 7));
  const review = `/api/records/${id}/draft/review`;
  must(await client.put(review, { receiver: { user: await api.idOf("alice") } }), 202);
  must(await client.post(`/api/records/${id}/draft/actions/submit-review`), 202);
  line.breakEvery = 1024 * 1024;
  await client.post("/api/sync/resume");
  let looksBefore = 0;
  await until(
    async () => {
      const { status } = (await server.get(`/api/records/${id}/draft`)).body;
      const isSent = status === "in_review";
      // Read after the state of the review: what was sent, was sent with its file.
      const file = (await server.get(fileOf(id, "core.bin"))).body;
      if (isSent) expect(file).toMatchObject({ status: "completed", size: 4 * 1024 * 1024 });
      else if (typeof status === "string" && file.status !== "completed") looksBefore++;
      return isSent;
    },
    "the review is sent",
    60_000,
  );
  expect(looksBefore, "the draft was there before its file").toBeGreaterThan(0);
  expect(await trayOf(client)).toEqual([]);
});

describe("bytes that never arrive (hosts-and-sync 4, 8)", () => {
  test("a file larger than the server accepts goes to the tray, with its title and the server's message", async () => {
    const { client, server, line, token } = await replicaBehindProxy({
      settings: { max_file_bytes: 1000 },
      isConnected: false,
    });
    const id = await givenDraft(client);
    await addFile(client, id, "large.bin", Buffer.alloc(2000, 1));
    await addFile(client, id, "small.bin", Buffer.alloc(200, 1));
    must(await client.post("/api/sync/connect", { server: line.url, token }), 200);
    await until(async () => (await stateOf(client)) === "needs_you", "the person is asked");
    const [entry, ...others] = await trayOf(client);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ kind: "file.commit", object: { kind: "draft", id, title: "Deep sea core" } });
    expect(entry.operation.title).toContain("large.bin");
    expect(entry.reason).toMatch(/\w+ \w+/);
    expect(entry.server).toMatchObject({ id });
    const small = await server.get(fileOf(id, "small.bin"));
    expect(small, "what waited for it went at once").toMatchObject({ status: 200, body: { status: "completed" } });
  });
});

test("replica --offline starts without its server and connects later (hosts-and-sync 1)", async () => {
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
  await until(async () => (await stateOf(client)) === "up_to_date", "connected");
  expect((await new HttpClient(api.server.url, token).get(filesOf(id))).status).toBe(200);
});

test("a server that stops while replicas poll reports no error (hosts-and-sync 1)", async () => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const person = ["--username", "grace", "--email", "grace@example.org", "--token", "test"];
  const { token } = JSON.parse((await runCarrel("users", "create", "--data", folder, ...person)).stdout);
  const process = new CarrelProcess(["server", "--data", folder, "--port", "0"]);
  const client = new HttpClient((await process.ready()).url, token);
  const { cursor } = (await client.get("/api/sync/changes")).body;
  const waiting = [1, 2, 3].map(() => client.get(`/api/sync/changes?cursor=${cursor}&wait=8`).catch(() => undefined));
  // They have arrived before a later call is answered.
  expect((await client.get("/api/me")).status).toBe(200);
  const { code, stderr } = await process.stop();
  await Promise.all(waiting);
  expect(code).toBe(0);
  const errors = stderr.split("\n").filter((line) => line.startsWith("{") && JSON.parse(line).level >= 50);
  expect(errors).toEqual([]);
});
