import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { addFile, fileOf, filesOf, givenDraft, must } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { newReplica, pause, replicaBehindProxy, stateOf, synced, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const bytes = randomBytes(200_000);

test("a slow connection: everything arrives once and unchanged, and the replica stays responsive (hosts-and-sync 3, 4)", async () => {
  const { client, server, line } = await replicaBehindProxy();
  line.fail("slow");
  const id = await givenDraft(client);
  await addFile(client, id, "core.bin", bytes);
  must(await client.put(`/api/records/${id}/draft`, { metadata: { title: "Written while it goes" } }), 200);
  let status = 0;
  void client.get(`/api/records/${id}/draft`).then((answer) => {
    status = answer.status;
  });
  await until(() => status === 200, "answered at once", 2000);
  await until(async () => (await stateOf(client)) === "up_to_date", "sent");
  expect((await server.get(`/api/records/${id}/draft`)).body.metadata.title).toBe("Written while it goes");
  expect((await server.get(`${fileOf(id, "core.bin")}/content`)).bytes.equals(bytes)).toBe(true);
  expect((await server.get("/api/user/records")).body.hits.total).toBe(1);
});

test("bytes flipped during an upload are detected by digest, never stored, and sent again (hosts-and-sync 4, 7)", async () => {
  const { client, server, line } = await replicaBehindProxy();
  line.fail("corrupt");
  const id = await givenDraft(client);
  await addFile(client, id, "core.bin", bytes);
  const before = line.bytes.up;
  for (const attempts of [1, 2]) {
    const sent = async () => line.turned > 0 && line.bytes.up - before > attempts * bytes.length;
    await until(sent, `tried ${attempts} times`);
    await client.post("/api/sync/run");
  }
  expect((await server.get(`${fileOf(id, "core.bin")}/content`)).status).not.toBe(200);
  expect(await stateOf(client)).not.toBe("up_to_date");
  expect((await client.get(`${fileOf(id, "core.bin")}/content`)).bytes.equals(bytes)).toBe(true);
  line.heal();
  await client.post("/api/sync/run");
  await until(async () => (await stateOf(client)) === "up_to_date", "sent");
  expect((await server.get(`${fileOf(id, "core.bin")}/content`)).bytes.equals(bytes)).toBe(true);
  expect((await server.get(filesOf(id))).body.entries).toHaveLength(1);
  expect(await trayOf(client)).toEqual([]);
});

test("bytes flipped during a download: the download is cut and nothing of it is stored (hosts-and-sync 3, 4)", async () => {
  const { client, server, line } = await replicaBehindProxy();
  const id = await givenDraft(server);
  await addFile(server, id, "core.bin", bytes);
  await until(async () => (await client.get(filesOf(id))).body?.entries?.length === 1, "the draft is here");
  line.fail("corrupt");
  const answer = await client.get(`${fileOf(id, "core.bin")}/content`).catch(() => undefined);
  expect(line.turned).toBeGreaterThan(0);
  expect(answer?.status === 200).toBe(false);
  line.heal();
  await client.post("/api/sync/run");
  await until(async () => (await stateOf(client)) === "up_to_date", "calm");
  expect((await client.get(`${fileOf(id, "core.bin")}/content`)).bytes.equals(bytes)).toBe(true);
});

test("an incompatible version gets 426 with a reason; local work stays readable and is sent after the update (hosts-and-sync 6)", async () => {
  const { client, server, line } = await replicaBehindProxy();
  for (const version of ["0", "9"]) {
    const answer = await server.get("/api/sync/changes", { headers: { "carrel-protocol": version } });
    expect(answer).toMatchObject({ status: 426, body: { message: expect.stringMatching(/update/i) } });
  }
  line.fail("newer");
  const id = await givenDraft(client);
  const status = async () => (await client.get("/api/sync/status")).body;
  await until(async () => /older than this app/.test((await status()).last_error ?? ""), "told in words");
  expect(await status()).toMatchObject({ asks: "update", state: "offline" });
  must(await client.put(`/api/records/${id}/draft`, { metadata: { title: "Goes on" } }), 200);
  expect((await client.get(`/api/records/${id}/draft`)).body.metadata.title).toBe("Goes on");
  line.heal();
  await client.post("/api/sync/run");
  await until(async () => (await stateOf(client)) === "up_to_date", "sent");
  expect((await server.get(`/api/records/${id}/draft`)).body.metadata.title).toBe("Goes on");
  await synced(client);
});

test("operations unknown to the server wait with their dependants; others are sent, these after the update (hosts-and-sync 4, 6)", async () => {
  const api = await startApi("server");
  const replica = await newReplica();
  const client = new HttpClient(replica.url, replica.guard.secret);
  must(await client.post("/api/sync/connect", { server: api.server.url, token: (await api.person("ada")).token }), 200);
  await synced(client);
  await pause(client);
  const [first, second] = [await givenDraft(client), await givenDraft(client)];
  must(await client.put(`/api/records/${first}/draft`, { metadata: { title: "Goes on" } }), 200);
  const speak = (version: number) =>
    replica.host.db
      .updateTable("operation")
      .set({ version })
      .where("kind", "=", "draft.create")
      .where("object_id", "=", first)
      .execute();
  await speak(99);
  must(await client.post("/api/sync/resume"), 200);
  const server = await api.as("ada");
  await until(async () => (await server.get(`/api/records/${second}/draft`)).status === 200, "the rest is there");
  const status = async () => (await client.get("/api/sync/status")).body;
  await until(async () => (await status()).pending === 2, "it waits, with what needs it");
  expect(await status()).toMatchObject({
    ...{ asks: "update", online: true, state: "syncing", rejected: 0 },
    last_error: expect.stringMatching(/too old for 'draft.create' version 99/),
  });
  expect((await server.get(`/api/records/${first}/draft`)).status).toBe(404);
  await speak(1);
  must(await client.post("/api/sync/run"), 202);
  await synced(client);
  expect((await server.get(`/api/records/${first}/draft`)).body.metadata.title).toBe("Goes on");
  expect(await status()).toMatchObject({ last_error: null });
});

test("a delta goes only to replicas that have the base and accept deltas; others get the whole object (hosts-and-sync 6)", async () => {
  const server = await (await startApi("server")).as("ada");
  const id = await givenDraft(server, { isFilesEnabled: false });
  const page = async (protocol: number, query: string) =>
    must(await server.get(`/api/sync/changes?${query}`, { headers: { "carrel-protocol": String(protocol) } }), 200)
      .body;
  let { cursor } = await page(3, "limit=500");
  const sent: string[][] = [];
  for (const version of ["1", "2", "3"]) {
    must(await server.put(`/api/records/${id}/draft`, { metadata: { title: "Cores", version } }), 200);
    const after = `cursor=${cursor}`;
    const pages = [await page(3, after), await page(3, `${after}&whole=1`), await page(2, after), await page(1, after)];
    sent.push(pages.map(({ changes }) => (changes[0].bundle ? "whole" : "difference")));
    cursor = pages[0].cursor;
  }
  expect(sent).toEqual([
    ["whole", "whole", "whole", "whole"],
    ["difference", "whole", "whole", "whole"],
    ["difference", "whole", "whole", "whole"],
  ]);
});
