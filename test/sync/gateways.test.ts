import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { httpTransport } from "../../main/sync/transport.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { behindGateway, chinese, draftWith, operationsOf } from "../support/behind-gateway.ts";
import { addFile, filesOf, givenDraft, must } from "../support/files.ts";
import { withBodyLimit } from "../support/gateway.ts";
import { HttpClient } from "../support/http-client.ts";
import { newReplica, pause, stateOf, synced, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

test("any proxy that passes REST passes sync: a batch is below its limit, counted in bytes (hosts-and-sync 8)", async () => {
  const { gateway, client, server } = await behindGateway();
  await pause(client);
  const refused: number[] = [];
  gateway.answer = withBodyLimit(refused);
  for (let count = 0; count < 20; count++)
    must(await client.post("/api/records", draftWith({ description: `<p>${chinese(16_000 + count)}</p>` })), 201);
  await client.post("/api/sync/resume");
  await synced(client);
  expect((await server.get("/api/user/records?size=1")).body.hits.total).toBe(20);
  expect(refused).toEqual([]);
});

test("an operation that the server fails at waits and says so; others are sent, and it is sent later (hosts-and-sync 4)", async () => {
  const { api, client, server } = await behindGateway();
  const one = await givenDraft(client, { isFilesEnabled: false });
  const two = await givenDraft(client, { isFilesEnabled: false });
  await synced(client);
  await sql`create trigger boom before insert on access_link when new.description = 'boom'
    begin select raise(abort, 'boom'); end`.execute(api.server.host.db);
  await pause(client);
  must(await client.post(`/api/records/${one}/access/links`, { permission: "view", description: "boom" }), 201);
  for (const title of ["Second", "Third", "Fourth"])
    must(await client.put(`/api/records/${two}/draft`, draftWith({ title })), 200);
  must(await client.put(`/api/records/${one}/draft`, draftWith({ title: "Of the same record" })), 200);
  await client.post("/api/sync/resume");
  const titleOf = async (id: string) => (await server.get(`/api/records/${id}/draft`)).body.metadata.title;
  await until(async () => (await titleOf(two)) === "Fourth", "the other draft is sent");
  await until(async () => (await titleOf(one)) === "Of the same record", "so is what does not need the link");
  await until(async () => (await operationsOf(client)).length === 1, "only the link waits");
  const [waiting] = await operationsOf(client);
  expect(waiting).toMatchObject({ kind: "access-link.create", reason: expect.stringMatching(/error 500.*sent again/) });
  const status = (await client.get("/api/sync/status")).body;
  expect(status).toMatchObject({ pending: 1, online: true, last_error: waiting.reason });
  await sql`drop trigger boom`.execute(api.server.host.db);
  await until(async () => (await stateOf(client)) === "up_to_date", "sent by itself", 30_000);
  expect((await server.get(`/api/records/${one}/access/links`)).body.hits.total).toBe(1);
  expect(await trayOf(client)).toEqual([]);
});

test.each([
  ["a page of a firewall", [403, "<html>Blocked</html>"]],
  ["JSON of a gateway", [413, '{"message": "Request size limit exceeded"}']],
  ["a gateway that waits too long", [504, "<html>504 Gateway Time-out</html>"]],
] as const)("%s for one operation does not stop the others (hosts-and-sync 4, 8)", async (_what, answer) => {
  const { gateway, client, server } = await behindGateway();
  await pause(client);
  const bad = (await client.post("/api/records", draftWith({ title: "x".repeat(30_000) }))).body.id;
  const good: string[] = [];
  for (let count = 0; count < 5; count++) good.push((await client.post("/api/records", draftWith({}))).body.id);
  let pushes = 0;
  gateway.answer = ({ url, headers }) => {
    if (url !== "/api/sync/push") return undefined;
    pushes += 1;
    return Number(headers["content-length"]) > 30_000 ? answer : undefined;
  };
  await client.post("/api/sync/resume");
  await until(async () => (await operationsOf(client)).length === 1, "the others are sent");
  for (const id of good) expect((await server.get(`/api/records/${id}/draft`)).status).toBe(200);
  const [waiting] = await operationsOf(client);
  expect(waiting).toMatchObject({ object: { id: bad }, reason: expect.stringMatching(/proxy/) });
  expect(pushes).toBeLessThan(20);
  gateway.answer = () => undefined;
  await until(async () => (await stateOf(client)) === "up_to_date", "sent by itself", 30_000);
  expect((await server.get(`/api/records/${bad}/draft`)).status).toBe(200);
});

test("a slow connection may take its time, a silent one may not (hosts-and-sync 8)", async () => {
  const slow = createServer((req, res) => {
    req.resume();
    res.writeHead(200, { "content-type": "application/json" });
    const [pieces, piece] = req.url === "/slow" ? [20, " ".repeat(16_384)] : [2000, " "];
    let left = pieces;
    const timer = setInterval(() => {
      if (left > 0) res.write(piece);
      else res.end("{}");
      left -= 1;
    }, 50);
    res.on("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    slow.closeAllConnections();
    slow.close();
  });
  const server = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
  const { call } = httpTransport({ server, headers: {} });
  await expect(call("GET", "/slow", undefined, { timeoutMs: 300 })).resolves.toMatchObject({ status: 200 });
  await expect(call("GET", "/silent", undefined, { timeoutMs: 300 })).rejects.toThrow("did not answer in time");
});

test("a connection that breaks within each large message copies and sends all in smaller ones (hosts-and-sync 8)", async () => {
  const { gateway, client, server, token } = await behindGateway();
  const description = `<p>${chinese(8000)}</p>`;
  for (let count = 0; count < 12; count++) must(await server.post("/api/records", draftWith({ description })), 201);
  await synced(client);
  await pause(client);
  for (let count = 0; count < 12; count++) must(await client.post("/api/records", draftWith({ description })), 201);
  gateway.mostBytes = 100_000;
  await client.post("/api/sync/resume");
  await until(async () => (await stateOf(client)) === "up_to_date", "all sent");
  expect((await server.get("/api/user/records?size=1")).body.hits.total).toBe(24);
  const other = await newReplica();
  const second = new HttpClient(other.url, other.guard.secret);
  must(await second.post("/api/sync/connect", { server: gateway.url, token }), 200);
  await until(async () => (await stateOf(second)) === "up_to_date", "all copied");
  expect((await second.get("/api/user/records?size=1")).body.hits.total).toBe(24);
});

const fileNames = async (client: HttpClient, id: string): Promise<string[]> =>
  ((await client.get(filesOf(id))).body.entries ?? [])
    .filter(({ status }: { status: string }) => status === "completed")
    .map(({ key }: { key: string }) => key)
    .toSorted();

test("any proxy that passes REST passes sync: files go through a limit of 1 MiB in smaller pieces (hosts-and-sync 8)", async () => {
  const { gateway, client, server } = await behindGateway();
  const refused: number[] = [];
  gateway.answer = withBodyLimit(refused);
  const id = await givenDraft(client);
  await addFile(client, id, "five.bin", Buffer.alloc(5_000_000, 5));
  await synced(client);
  expect(await fileNames(server, id)).toEqual(["five.bin"]);
  expect(await trayOf(client)).toEqual([]);
  expect(refused.length).toBeLessThan(3);
});

test.each([
  ["a page of a firewall", [403, "<html>Blocked</html>"]],
  ["JSON of a gateway", [403, '{"message": "Request blocked"}']],
  ["a page of a proxy", [413, "<html>413</html>"]],
  ["a conflict on the way", [409, "<html>409</html>"]],
] as const)(
  "%s for one file is no refusal by the server: the others are sent (hosts-and-sync 4, 8)",
  async (_what, answer) => {
    const { gateway, client, server } = await behindGateway();
    await pause(client);
    const bad = await givenDraft(client);
    await addFile(client, bad, "bad.bin", "bad");
    const good = await givenDraft(client);
    await addFile(client, good, "good.bin", Buffer.alloc(50_000, 3));
    let calls = 0;
    gateway.answer = ({ method, url, headers }) => {
      const isBad = url?.startsWith("/api/sync/blobs/") && method !== "HEAD" && headers["content-length"] === "3";
      if (!isBad) return undefined;
      calls += 1;
      return answer;
    };
    await client.post("/api/sync/resume");
    await until(async () => (await fileNames(server, good)).length === 1, "the other is sent", 15_000);
    await until(async () => (await operationsOf(client)).length === 1, "only one waits");
    const [waiting] = await operationsOf(client);
    expect(waiting).toMatchObject({ kind: "file.commit", reason: expect.stringMatching(/did not come from a Carrel/) });
    expect(calls).toBeLessThan(6);
    expect(await trayOf(client)).toEqual([]);
    gateway.answer = () => undefined;
    await until(async () => (await stateOf(client)) === "up_to_date", "sent by itself", 30_000);
    expect(await fileNames(server, bad)).toEqual(["bad.bin"]);
  },
);

test("a 401 of a gateway ends by itself within 30 s, and at once with `run`; the token is tried seldom (hosts-and-sync 8)", async () => {
  const { gateway, client } = await behindGateway();
  let calls = 0;
  const refuse = () => {
    calls = 0;
    gateway.answer = ({ url }) => {
      if (!url?.startsWith("/api/sync/")) return undefined;
      calls += 1;
      return [401, '{"status": 401, "message": "Try later."}'];
    };
    return until(async () => (await stateOf(client)) === "sign_in", "refused", 20_000);
  };
  await refuse();
  must(await client.post("/api/records", draftWith({})), 201);
  gateway.answer = () => undefined;
  await until(async () => (await stateOf(client)) === "up_to_date", "sent by itself", 30_000);
  await refuse();
  const before = calls;
  for (let count = 0; count < 5; count++) must(await client.post("/api/records", draftWith({})), 201);
  expect(calls - before).toBeLessThan(3);
  gateway.answer = () => undefined;
  must(await client.post("/api/sync/run"), 202);
  await until(async () => (await stateOf(client)) === "up_to_date", "sent at once", 8000);
}, 90_000);

test("a token that the server does not know waits for the user: it is tried ever more seldom; a 401 of a gateway every 15 s (hosts-and-sync 4, 8)", async () => {
  const { connection } = (await newReplica()).engine;
  const dead = new Failure("unauthorized", "Unknown.", { extra: { error: "invalid_token" } });
  const waits = Array.from({ length: 12 }, () => connection.failed(dead) / 1000);
  for (const [index, wait] of waits.entries()) {
    expect(wait).toBeGreaterThanOrEqual(Math.min(15 * 2 ** index, 1800));
    expect(wait).toBeLessThanOrEqual(3600);
  }
  expect(connection.failed(new Failure("unauthorized", "Try later."))).toBe(15_000);
  connection.retryNow();
  expect(connection.failed(dead)).toBeLessThanOrEqual(30_000);
});
