import { createHash, randomBytes } from "node:crypto";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { departure } from "../../server/draining.ts";
import { openServer } from "../../server/open-server.ts";
import { readiness } from "../../server/readiness.ts";
import { claimForServer } from "../../shared/database/library.ts";
import { type Db, openDatabase } from "../../shared/database/open.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { type Api, startApi } from "../support/api.ts";
import { Balancer } from "../support/balancer.ts";
import { pollOn, workOn } from "../support/endless-calls.ts";
import { fileOf, filesOf } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { CarrelProcess } from "../support/process.ts";
import { openRequest, send, statusLine } from "../support/raw-request.ts";
import { givenDraft, metadata } from "../support/records.ts";
import { until } from "../support/until.ts";

/** The server again, on its data folder. */
async function openedAgain(dataDir: string) {
  const common = { hostName: "127.0.0.1", port: 0, settings: defaultSettings, environment: machineEnvironment() };
  const server = await openServer({ ...common, dataDir, log: createLog("error") });
  onTestFinished(() => server.close());
  return server;
}

/** Resolves when the server has the head of a call. */
const receives = ({ server }: Api, path: string): Promise<void> =>
  new Promise((resolve) => {
    // First of all listeners: a router shortens the address.
    server.listening.server.prependListener("request", ({ url }) => url?.startsWith(path) && resolve());
  });

const octets = { "content-type": "application/octet-stream" };
const partial = { "content-type": "application/partial-upload" };

test("/readyz needs no credentials, and says what is missing (scale 9)", async () => {
  const api = await startApi("server");
  const stranger = new HttpClient(api.server.url);
  expect(await stranger.get("/readyz")).toMatchObject({ status: 200, body: { status: "ready" } });
  const blobs = join(api.dataDir, "blobs");
  await rename(blobs, `${blobs}.away`);
  const answer = await stranger.get("/readyz");
  expect(answer).toMatchObject({
    status: 503,
    body: { message: "The file storage does not answer or cannot be written." },
  });
  await rename(`${blobs}.away`, blobs);
  expect((await stranger.get("/readyz")).status).toBe(200);
});

test("a database or a storage that hangs is no reason to hang: the process is not ready (scale 9)", async () => {
  const { db, close } = openDatabase(":memory:");
  const bytes = { answers: async () => true };
  expect(await readiness({ db, bytes }).missing(), "no server's database").toContain("database");
  const silent = { selectFrom: () => silent, select: () => silent, where: () => silent } as unknown as Db;
  expect(await readiness({ db: silent, bytes }).missing()).toContain("database");
  await claimForServer(db, "memory");
  expect(await readiness({ db, bytes }).missing()).toBeUndefined();
  const away = { answers: () => new Promise<boolean>(() => undefined) };
  expect(await readiness({ db, bytes: away }).missing()).toContain("file storage");
  await close();
});

test("a server that stops ends polls and streams without an error, and finishes what is under way (scale 9)", async () => {
  const api = await startApi("server", { aloneBecause: "it opens the data folder again" });
  const ada = await api.as("ada");
  const id = await givenDraft(ada, { metadata });
  await ada.post(filesOf(id), [{ key: "a" }]);
  const bytes = randomBytes(200_000);
  const path = `${fileOf(id, "a")}/content`;
  const received = [receives(api, path), receives(api, "/api/sync/changes?wait")];
  const upload = await openRequest(ada.url, {
    method: "PUT",
    path,
    headers: { ...octets, authorization: ada.authorization, "content-length": String(bytes.length) },
  });
  const uploaded = statusLine(upload);
  await send(upload, bytes.subarray(0, 100_000));
  const { cursor } = (await ada.get("/api/sync/changes")).body;
  const poll = ada.get(`/api/sync/changes?wait=30&cursor=${cursor}`);
  const headers = { authorization: ada.authorization };
  const events = await fetch(`${ada.url}/api/sync/events`, { headers });
  const { ticket } = (await ada.post("/api/sync/ticket")).body;
  const socket = new WebSocket(`${ada.url.replace("http", "ws")}/api/sync/documents/draft:${id}?ticket=${ticket}`);
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  const told = new Promise<CloseEvent>((resolve) => socket.addEventListener("close", resolve));
  await Promise.all(received);
  const closed = api.server.close();
  expect(await poll, "an answer without news, not an error").toMatchObject({ status: 200, body: { changes: [] } });
  expect(await events.text()).toContain(": carrel");
  expect((await told).code, "the server restarts").toBe(1012);
  await expect(fetch(`${ada.url}/ping`), "no new calls").rejects.toThrow();
  await send(upload, bytes.subarray(100_000));
  expect(await uploaded).toContain("200");
  await closed;
  const again = await openedAgain(api.dataDir);
  const content = new HttpClient(again.url, (await api.person("ada")).token);
  await content.post(`${fileOf(id, "a")}/commit`);
  const stored = await content.get(path);
  expect(createHash("md5").update(stored.bytes).digest("hex")).toBe(createHash("md5").update(bytes).digest("hex"));
});

test("an upload that does not end in time keeps its exact offset (scale 9, records 6.4.1)", async () => {
  const api = await startApi("server", { aloneBecause: "it opens the data folder again" });
  const ada = await api.as("ada");
  const id = await givenDraft(ada, { metadata });
  await ada.post(filesOf(id), [{ key: "a" }]);
  const path = `${fileOf(id, "a")}/content`;
  const bytes = randomBytes(200_000);
  await ada.putBytes(path, bytes.subarray(0, 50_000), { headers: { ...octets, "upload-complete": "?0" } });
  const patch = { ...partial, "upload-complete": "?1" };
  const received = receives(api, path);
  const silent = await openRequest(ada.url, {
    method: "PATCH",
    path,
    headers: { ...patch, authorization: ada.authorization, "upload-offset": "50000", "content-length": "150000" },
  });
  await send(silent, bytes.subarray(50_000, 120_000));
  await received;
  await api.server.close();
  const again = new HttpClient((await openedAgain(api.dataDir)).url, (await api.person("ada")).token);
  const offset = Number((await again.head(path)).headers.get("upload-offset"));
  expect(offset, "all that arrived").toBe(120_000);
  const rest = { headers: { ...patch, "upload-offset": String(offset) } };
  expect((await again.call("PATCH", path, bytes.subarray(offset), rest)).status).toBe(200);
});

test("a call that begins while the others end is waited for; none begins on a closed database (scale 9)", async () => {
  const { db, close } = openDatabase(":memory:");
  const listening = { drain: () => undefined, refuse: () => undefined, close: async () => undefined };
  const bytes = { answers: async () => true };
  const leaving = departure({ db, bytes, listening, closing: new AbortController() });
  const [early, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done: string[] = [];
  const serve = (name: string, work: Promise<void>) =>
    leaving.serve(async () => {
      await work;
      done.push(name);
    });
  void serve("early", early.promise);
  const stopped = leaving.stopAnswering({ close: async () => undefined }).then(() => done.push("stopped"));
  await setImmediate();
  // It waited for its turn, where requests expire, and its client has left.
  void serve("late", late.promise);
  early.resolve();
  await setImmediate();
  late.resolve();
  await stopped;
  await serve("too late", Promise.resolve());
  expect(done).toEqual(["early", "late", "stopped"]);
  await close();
});

/** A process of the server on a data folder. */
async function startProcess({ dataDir }: Pick<Api, "dataDir">, ...options: string[]) {
  const common = ["--data", dataDir, "--port", "0", "--log-level", "error"];
  const server = new CarrelProcess(["server", ...common, ...options]);
  onTestFinished(async () => {
    await server.stop("SIGKILL");
  });
  return { server, url: (await server.ready()).url };
}

test("SIGTERM: the process goes on answering while /readyz says that it leaves; a second signal ends it (scale 9)", async () => {
  const api = await startApi("server", { aloneBecause: "it opens the data folder again" });
  await api.server.close();
  const { server, url } = await startProcess(api, "--drain", "3600");
  const stranger = new HttpClient(url);
  expect(await stranger.get("/readyz")).toMatchObject({ status: 200 });
  const ended = server.stop("SIGTERM");
  await until(async () => (await stranger.get("/readyz")).status === 503, "the process leaves");
  expect((await stranger.get("/readyz")).body.message).toBe("The server is stopping.");
  const answer = await stranger.get("/api/records");
  expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
  const { code } = await server.stop("SIGTERM");
  expect(code).toBe(1);
  await ended;
});

test("a rolling update: each process is replaced by a new one, and no call fails (scale 9, issue 19.5)", async () => {
  const api = await startApi("server");
  const [ada, bob] = [await api.person("ada"), await api.person("bob")];
  await api.server.close();
  const balancer = new Balancer();
  await balancer.listen();
  onTestFinished(() => balancer.close());
  const start = () => startProcess(api, "--shared", "--base-url", balancer.url);
  const running = await Promise.all([start(), start()]);
  for (const { url } of running) await balancer.add(url);
  const { resolve: stop, promise: stopped } = Promise.withResolvers<void>();
  let isOver = false;
  void stopped.then(() => {
    isOver = true;
  });
  const client = (token: string) => new HttpClient(balancer.url, token);
  const working = [ada, bob].map(({ token }) => workOn(client(token), () => isOver));
  const listening = pollOn(client(ada.token), () => isOver);
  for (const old of running) {
    const fresh = await start();
    await balancer.add(fresh.url);
    const { code, stderr } = await old.server.stop();
    balancer.remove(old.url);
    expect([code, stderr]).toEqual([0, ""]);
  }
  stop();
  const done = await Promise.all(working);
  // One more change ends the poll that waits.
  await givenDraft(client(ada.token));
  expect(await listening).toEqual([]);
  expect(done.flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(balancer.failed).toEqual([]);
  for (const { calls } of done) expect(calls).toBeGreaterThan(10);
});
