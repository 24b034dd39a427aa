import { expect, test } from "vitest";
import { givenDraft, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { pause, replicaBehindProxy, synced, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const kindsOf = async (client: HttpClient): Promise<string[]> =>
  (await client.get("/api/sync/operations")).body.hits.hits.map(({ kind }: { kind: string }) => kind);

async function resumed(client: HttpClient): Promise<void> {
  must(await client.post("/api/sync/resume"), 200);
  await synced(client);
}

test("a draft that was published and then discarded offline is not published (hosts-and-sync 4)", async () => {
  const { server, client } = await replicaBehindProxy();
  await pause(client);
  const id = await givenDraft(client, { isFilesEnabled: false });
  must(await client.post(`/api/records/${id}/draft/actions/publish`), 202);
  must(await client.delete(`/api/records/${id}/draft`), 204);
  expect(await kindsOf(client)).not.toContain("draft.publish");
  await resumed(client);
  expect((await server.get(`/api/records/${id}`)).status).toBe(404);
  expect((await server.get(`/api/records/${id}/draft`)).status).toBe(404);
  expect(await trayOf(client)).toEqual([]);
});

test("a draft that was submitted and then discarded offline is not submitted (hosts-and-sync 4)", async () => {
  const { api, server, client } = await replicaBehindProxy();
  const receiver = { user: await api.idOf("bob") };
  const id = await givenDraft(client, { isFilesEnabled: false });
  await synced(client);
  const review = must(await client.put(`/api/records/${id}/draft/review`, { receiver }), 200).body.id;
  await synced(client);
  await pause(client);
  must(await client.post(`/api/records/${id}/draft/actions/submit-review`), 202);
  must(await client.delete(`/api/records/${id}/draft`), 204);
  expect(await kindsOf(client)).toEqual(["draft.discard"]);
  await resumed(client);
  expect((await server.get(`/api/records/${id}/draft`)).status).toBe(404);
  expect((await server.get(`/api/requests/${review}`)).status).toBe(404);
  expect(await trayOf(client)).toEqual([]);
});

test("a review that was requested, cancelled and discarded with its draft offline leaves nothing to decide (hosts-and-sync 4)", async () => {
  const { api, server, client } = await replicaBehindProxy();
  const receiver = { user: await api.idOf("bob") };
  const known = await givenDraft(client, { isFilesEnabled: false });
  must(await client.put(`/api/records/${known}/draft/review`, { receiver }), 200);
  await synced(client);
  await pause(client);
  const id = await givenDraft(client, { isFilesEnabled: false });
  const review = must(await client.put(`/api/records/${id}/draft/review`, { receiver }), 202).body.id;
  must(await client.post(`/api/records/${id}/draft/actions/submit-review`), 202);
  must(await client.post(`/api/requests/${review}/actions/cancel`), 202);
  must(await client.delete(`/api/records/${id}/draft`), 204);
  expect(await kindsOf(client)).toEqual(["draft.create", "draft.discard"]);
  await resumed(client);
  expect((await server.get(`/api/requests/${review}`)).status).toBe(404);
  expect(await trayOf(client)).toEqual([]);
});

test("a draft whose publication may have arrived is discarded only after the server's answer (hosts-and-sync 4)", async () => {
  const { server, client, line } = await replicaBehindProxy();
  const id = await givenDraft(client, { isFilesEnabled: false });
  await synced(client);
  await pause(client);
  must(await client.post(`/api/records/${id}/draft/actions/publish`), 202);
  line.fail("lose-answers");
  await client.post("/api/sync/resume");
  await until(async () => (await server.get(`/api/records/${id}`)).status === 200, "published");
  const refused = must(await client.delete(`/api/records/${id}/draft`), 409);
  expect(refused.body.message).toMatch(/Wait for its answer before deleting the draft/);
  expect((await client.get(`/api/records/${id}/draft`)).status).toBe(200);
  line.heal();
  await client.post("/api/sync/run");
  await until(async () => (await client.get(`/api/records/${id}`)).status === 200, "published here");
  expect(await trayOf(client)).toEqual([]);
});
