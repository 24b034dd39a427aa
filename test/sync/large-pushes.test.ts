import { expect, test } from "vitest";
import { behindGateway, chinese, draftWith, operationsOf } from "../support/behind-gateway.ts";
import { givenDraft, must } from "../support/files.ts";
import { withBodyLimit } from "../support/gateway.ts";
import { Random } from "../support/random.ts";
import { pause, stateOf, synced, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

/** Bytes: less than the compressed texts of these tests have. */
const smallLimit = 256 * 1024;

test("a text of two megabytes passes a proxy's limit of one, since long pushes are compressed (hosts-and-sync 8)", async () => {
  const { gateway, client, server } = await behindGateway();
  const mine = await givenDraft(client, { isFilesEnabled: false });
  await synced(client);
  const refused: number[] = [];
  gateway.answer = withBodyLimit(refused);
  const words = "core depth salinity temperature pressure sediment layer tide gauge buoy drift vessel log".split(" ");
  const random = new Random(1);
  const word = () => random.of(words);
  const description = `<p>${Array.from({ length: 280_000 }, word).join(" ")}</p>`;
  expect(description.length).toBeGreaterThan(1_900_000);
  must(await client.put(`/api/records/${mine}/draft`, draftWith({ description })), 200);
  await synced(client);
  expect((await server.get(`/api/records/${mine}/draft`)).body.metadata.description).toBe(description);
  expect(refused).toEqual([]);
});

test.each([
  ["a server of an earlier version", [415, '{"status": 415, "message": "Expected: identity"}']],
  ["a proxy that knows no coding", [403, "<html>Blocked</html>"]],
] as const)("%s gets long pushes as they are, after one try (hosts-and-sync 8)", async (_what, refusal) => {
  const { gateway, client, server } = await behindGateway();
  const mine = await givenDraft(client, { isFilesEnabled: false });
  await synced(client);
  let refusals = 0;
  gateway.answer = ({ headers }) => {
    if (headers["content-encoding"] === undefined) return undefined;
    refusals += 1;
    return refusal;
  };
  for (const size of [60_000, 70_000]) {
    const description = `<p>${chinese(size)}</p>`;
    must(await client.put(`/api/records/${mine}/draft`, draftWith({ description })), 200);
    await synced(client);
    expect((await server.get(`/api/records/${mine}/draft`)).body.metadata.description).toBe(description);
  }
  expect(refusals).toBe(1);
  expect(await trayOf(client)).toEqual([]);
});

test("an operation too large for a proxy waits and says so; others are sent, and it is once the limit ends (hosts-and-sync 8)", async () => {
  const { gateway, client, server } = await behindGateway();
  const mine = await givenDraft(client, { isFilesEnabled: false });
  await synced(client);
  await pause(client);
  const refused: number[] = [];
  gateway.answer = withBodyLimit(refused, smallLimit);
  const description = `<p>${chinese(200_000)}</p>`;
  must(await client.put(`/api/records/${mine}/draft`, draftWith({ description })), 200);
  const small = (await client.post("/api/records", draftWith({ title: "Something small" }))).body.id;
  await client.post("/api/sync/resume");
  await until(async () => (await operationsOf(client)).length === 1, "the other is sent", 20_000);
  expect((await server.get(`/api/records/${small}/draft`)).status).toBe(200);
  const [waiting] = await operationsOf(client);
  expect(waiting).toMatchObject({ object: { id: mine }, reason: expect.stringMatching(/too large for a proxy/) });
  expect(refused.length).toBeGreaterThan(0);
  gateway.answer = () => undefined;
  await until(async () => (await stateOf(client)) === "up_to_date", "sent by itself", 30_000);
  expect((await server.get(`/api/records/${mine}/draft`)).body.metadata.description).toBe(description);
});

test("what builds on an operation too large for a proxy says what it waits for (hosts-and-sync 8)", async () => {
  const { gateway, client } = await behindGateway();
  const mine = await givenDraft(client, { isFilesEnabled: false });
  await synced(client);
  await pause(client);
  gateway.answer = withBodyLimit([], smallLimit);
  must(await client.put(`/api/records/${mine}/draft`, draftWith({ description: `<p>${chinese(200_000)}</p>` })), 200);
  must(await client.put(`/api/records/${mine}/draft`, draftWith({ title: "Second" })), 200);
  must(await client.post(`/api/records/${mine}/draft/actions/publish`), 202);
  await client.post("/api/sync/resume");
  const behind = "It waits for an earlier change that cannot be sent now.";
  const reasons = async () => (await operationsOf(client)).map(({ reason }: { reason: string | null }) => reason);
  await expect.poll(reasons).toEqual([expect.stringMatching(/too large for a proxy/), behind, behind]);
  gateway.answer = () => undefined;
  await until(async () => (await stateOf(client)) === "up_to_date", "sent by itself", 30_000);
});

test("an operation too large for a proxy does not slow down the others: they are sent together (hosts-and-sync 4)", async () => {
  const { gateway, client, server } = await behindGateway();
  await pause(client);
  must(await client.post("/api/records", draftWith({ description: `<p>${chinese(120_000)}</p>` })), 201);
  for (let count = 0; count < 60; count++) must(await client.post("/api/records", draftWith({})), 201);
  let pushes = 0;
  gateway.answer = ({ url, headers }) => {
    if (!url?.startsWith("/api/sync/push")) return undefined;
    pushes += 1;
    return Number(headers["content-length"]) > 150_000 ? [413, "<html>413</html>"] : undefined;
  };
  await client.post("/api/sync/resume");
  const total = async () => (await server.get("/api/user/records?size=1")).body.hits.total;
  await until(async () => (await total()) === 60, "the others are sent");
  expect(pushes).toBeLessThan(12);
});
