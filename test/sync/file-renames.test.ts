import { expect, test } from "vitest";
import { addFile, fileOf, filesOf, givenDraft, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { pause, replicaBehindProxy, replicaOf, synced, trayOf } from "../support/two-replicas.ts";

const rename = async (client: HttpClient, id: string, key: string, new_key: string) =>
  must(await client.post(`/api/records/${id}/draft/actions/files-rename`, [{ key, new_key }]), 200);
const resume = async (client: HttpClient) => {
  must(await client.post("/api/sync/resume"), 200, 202, 204);
  await synced(client);
};
const namesOf = async (client: HttpClient, id: string): Promise<string[]> =>
  (await client.get(filesOf(id))).body.entries.map(({ key }: { key: string }) => key).toSorted();
const contentOf = async (client: HttpClient, id: string, key: string) =>
  (await client.get(`${fileOf(id, key)}/content`)).text;

test("added and renamed offline, the file arrives under its new name (app M25)", async () => {
  const { client, server } = await replicaBehindProxy();
  const id = await givenDraft(client);
  await synced(client);
  await pause(client);
  await addFile(client, id, "a.txt", "one");
  await rename(client, id, "a.txt", "data/b.txt");
  await rename(client, id, "data/b.txt", "data/c.txt");
  await resume(client);
  expect(await trayOf(client)).toEqual([]);
  for (const host of [client, server]) expect(await namesOf(host, id)).toEqual(["data/c.txt"]);
  expect(await contentOf(server, id, "data/c.txt")).toBe("one");
});

test("two people rename apart: no file is lost, a name that both chose gets the words of a conflict (app M25)", async () => {
  const { api, client, server } = await replicaBehindProxy();
  const id = await givenDraft(client);
  await addFile(client, id, "a.txt", "one");
  await addFile(client, id, "b.txt", "two");
  await synced(client);
  await pause(client);
  await rename(client, id, "a.txt", "x.txt");
  await rename(server, id, "b.txt", "x.txt");
  await resume(client);
  expect(await trayOf(client)).toEqual([]);
  for (const host of [client, server, await replicaOf(api, "alice")]) {
    const [conflict = "", ...others] = await namesOf(host, id);
    expect(conflict).toMatch(/^x \(conflict, alice, .+\)\.txt$/);
    expect(others).toEqual(["x.txt"]);
    expect(await contentOf(host, id, conflict)).toBe("one");
    expect(await contentOf(host, id, "x.txt")).toBe("two");
  }
});

test("a file that was removed meanwhile stays removed, and the other one is renamed (app M25)", async () => {
  const { client, server } = await replicaBehindProxy();
  const id = await givenDraft(client);
  await addFile(client, id, "raw/a.txt", "one");
  await addFile(client, id, "raw/b.txt", "two");
  await synced(client);
  await pause(client);
  const files = ["a.txt", "b.txt"].map((name) => ({ key: `raw/${name}`, new_key: `data/${name}` }));
  must(await client.post(`/api/records/${id}/draft/actions/files-rename`, files), 200);
  must(await server.delete(fileOf(id, "raw/a.txt")), 204);
  await resume(client);
  expect(await trayOf(client)).toEqual([]);
  for (const host of [client, server]) expect(await namesOf(host, id)).toEqual(["data/b.txt"]);
});

test("a draft published meanwhile: the rename is refused with words (app M25)", async () => {
  const { client, server } = await replicaBehindProxy();
  const id = await givenDraft(client);
  await addFile(client, id, "a.txt", "one");
  await synced(client);
  await pause(client);
  await rename(client, id, "a.txt", "b.txt");
  must(await server.post(`/api/records/${id}/draft/actions/publish`), 202);
  await resume(client);
  const [entry] = await trayOf(client);
  expect(entry).toMatchObject({ kind: "files.rename" });
  expect(entry.reason).toMatch(/\w+ \w+/);
});
