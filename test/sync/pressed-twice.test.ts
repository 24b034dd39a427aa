import { expect, test } from "vitest";
import { givenDraft, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { comment, givenSubmitted } from "../support/reviews.ts";
import { pause, replicaBehindProxy, stateOf, synced, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const publishOf = (id: string): string => `/api/records/${id}/draft/actions/publish`;

async function expectPublishedOnce(client: HttpClient, server: HttpClient, id: string): Promise<void> {
  must(await client.post("/api/sync/run"), 202);
  await until(async () => (await client.get(`/api/records/${id}`)).body.is_published === true, "published here");
  await synced(client);
  expect(await trayOf(client)).toEqual([]);
  expect(await stateOf(client)).toBe("up_to_date");
  expect((await server.get(`/api/records/${id}`)).status).toBe(200);
}

test("publish is pressed twice while the connection works: both get the server's answer (hosts-and-sync 3)", async () => {
  const { server, client } = await replicaBehindProxy();
  const id = await givenDraft(client, { isFilesEnabled: false });
  await synced(client);
  const answers = await Promise.all([client.post(publishOf(id)), client.post(publishOf(id))]);
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  await expectPublishedOnce(client, server, id);
});

test("publish is pressed three times while answers are lost: one operation, nothing in the tray (hosts-and-sync 4)", async () => {
  const { server, client, line } = await replicaBehindProxy();
  const id = await givenDraft(client, { isFilesEnabled: false });
  await synced(client);
  line.fail("lose-answers");
  for (const answer of await Promise.all([client.post(publishOf(id)), client.post(publishOf(id))]))
    expect(answer.status, answer.text).toBe(202);
  must(await client.post(publishOf(id)), 202);
  expect((await client.get("/api/sync/operations")).body.hits.total).toBe(1);
  line.heal();
  await expectPublishedOnce(client, server, id);
});

test("a publication is retried twice while answers are lost: published once, nothing in the tray (hosts-and-sync 4)", async () => {
  const { server, client, line } = await replicaBehindProxy();
  const id = await givenDraft(client, { isFilesEnabled: false });
  await synced(client);
  await pause(client);
  must(await client.post(publishOf(id)), 202);
  const { body } = await server.get(`/api/records/${id}/draft`);
  must(await server.put(`/api/records/${id}/draft`, { ...body, metadata: { ...body.metadata, title: "Newer" } }), 200);
  await client.post("/api/sync/resume");
  await until(async () => (await trayOf(client)).length === 1, "refused");
  const [entry] = await trayOf(client);
  line.fail("lose-answers");
  must(await client.post(`/api/sync/tray/${entry.id}/retry`), 200);
  await client.post("/api/sync/run");
  await until(async () => (await server.get(`/api/records/${id}`)).status === 200, "published");
  must(await client.post(`/api/sync/tray/${entry.id}/retry`), 200);
  line.heal();
  await expectPublishedOnce(client, server, id);
});

test("a comment is retried twice while answers are lost: it is there once, nothing in the tray (hosts-and-sync 4)", async () => {
  const { api, server, client, line } = await replicaBehindProxy();
  const bob = await api.as("bob");
  const { request } = await givenSubmitted(api, "alice", "bob");
  await until(async () => (await client.get(`/api/requests/${request}`)).body.status === "submitted", "request");
  await pause(client);
  must(await client.post(`/api/requests/${request}/comments`, comment("Words of mine")), 201);
  must(await bob.post(`/api/requests/${request}/lock`), 200, 201, 204);
  await client.post("/api/sync/resume");
  await until(async () => (await trayOf(client)).length === 1, "refused");
  const [entry] = await trayOf(client);
  must(await bob.post(`/api/requests/${request}/unlock`), 200, 201, 204);
  await synced(client);
  line.fail("lose-answers");
  const timesThere = async (): Promise<number> =>
    (await server.get(`/api/requests/${request}/timeline`)).text.split('"content":"Words of mine"').length - 1;
  must(await client.post(`/api/sync/tray/${entry.id}/retry`), 200);
  await client.post("/api/sync/run");
  await until(async () => (await timesThere()) === 1, "delivered");
  must(await client.post(`/api/sync/tray/${entry.id}/retry`), 200);
  line.heal();
  await client.post("/api/sync/run");
  await until(async () => (await trayOf(client)).length === 0, "tray empty");
  await synced(client);
  expect(await stateOf(client)).toBe("up_to_date");
  expect(await timesThere()).toBe(1);
});
