import { expect, test } from "vitest";
import { addFile, fileOf, filesOf, givenDraft, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { pause, replicaBehindProxy, replicaOf, synced, trayOf } from "../support/two-replicas.ts";

const remove = async (client: HttpClient, id: string, key: string) => must(await client.delete(fileOf(id, key)), 204);
const restore = async (client: HttpClient, id: string, version: string) =>
  must(await client.post(`/api/records/${id}/draft/removed-files/${version}/restore`), 200);
const resume = async (client: HttpClient) => {
  must(await client.post("/api/sync/resume"), 200, 202, 204);
  await synced(client);
};
const namesOf = async (client: HttpClient, id: string) =>
  (await client.get(filesOf(id))).body.entries.map(({ key }: { key: string }) => key);
const contentOf = async (client: HttpClient, id: string, key: string) =>
  (await client.get(`${fileOf(id, key)}/content`)).text;

test("a removal that the server has is undone offline; the file is back on both (app H2)", async () => {
  const { client, server } = await replicaBehindProxy();
  const id = await givenDraft(client);
  const { version_id } = (await addFile(client, id, "a.txt", "one")).body;
  await synced(client);
  await remove(client, id, "a.txt");
  await synced(client);
  expect(await namesOf(server, id)).toEqual([]);
  await pause(client);
  await restore(client, id, version_id);
  expect(await contentOf(client, id, "a.txt")).toBe("one");
  await resume(client);
  expect(await trayOf(client)).toEqual([]);
  for (const host of [client, server]) expect(await namesOf(host, id)).toEqual(["a.txt"]);
  expect(await contentOf(server, id, "a.txt")).toBe("one");
});

test("added, removed and restored offline, the file arrives once (app H2)", async () => {
  const { client, server } = await replicaBehindProxy();
  const id = await givenDraft(client);
  await synced(client);
  await pause(client);
  const { version_id } = (await addFile(client, id, "a.txt", "one")).body;
  await remove(client, id, "a.txt");
  await restore(client, id, version_id);
  await resume(client);
  expect(await trayOf(client)).toEqual([]);
  for (const host of [client, server]) expect(await namesOf(host, id)).toEqual(["a.txt"]);
  expect(await contentOf(server, id, "a.txt")).toBe("one");
});

test("a server that no longer has the removed file takes its bytes again (app H2)", async () => {
  const { api, client, server } = await replicaBehindProxy();
  const id = await givenDraft(client);
  const { version_id } = (await addFile(client, id, "a.txt", "one")).body;
  await synced(client);
  await remove(client, id, "a.txt");
  await synced(client);
  await api.server.host.db.deleteFrom("removed_file").execute();
  await restore(client, id, version_id);
  await synced(client);
  expect(await trayOf(client)).toEqual([]);
  expect(await contentOf(server, id, "a.txt")).toBe("one");
});

test("a name that another person took meanwhile: both files stay (app H2)", async () => {
  const { api, client, server } = await replicaBehindProxy();
  const id = await givenDraft(client);
  const { version_id } = (await addFile(client, id, "a.txt", "one")).body;
  await synced(client);
  await remove(client, id, "a.txt");
  await synced(client);
  await pause(client);
  await restore(client, id, version_id);
  await addFile(server, id, "a.txt", "two");
  await resume(client);
  expect(await trayOf(client)).toEqual([]);
  for (const host of [client, server, await replicaOf(api, "alice")]) {
    expect((await namesOf(host, id)).toSorted()).toEqual(["a (restored).txt", "a.txt"]);
    expect(await contentOf(host, id, "a.txt")).toBe("two");
    expect(await contentOf(host, id, "a (restored).txt")).toBe("one");
  }
});

test("a draft published meanwhile: the restoration is refused with words (app H2)", async () => {
  const { client, server } = await replicaBehindProxy();
  const id = await givenDraft(client);
  const { version_id } = (await addFile(client, id, "a.txt", "one")).body;
  await addFile(client, id, "b.txt", "two");
  await synced(client);
  await remove(client, id, "a.txt");
  await synced(client);
  await pause(client);
  await restore(client, id, version_id);
  must(await server.post(`/api/records/${id}/draft/actions/publish`), 202);
  await resume(client);
  const [entry] = await trayOf(client);
  expect(entry).toMatchObject({ kind: "file.restore" });
  expect(entry.reason).toMatch(/\w+ \w+/);
});
