import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { addFile, fileOf, givenDraft, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { pause, replicaOf, resume, synced, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const kept = "The draft was changed meanwhile: look at it again before deleting it.";

async function givenShared(): Promise<{ a: HttpClient; b: HttpClient; server: HttpClient; id: string }> {
  const api = await startApi("server");
  const [a, b] = [await replicaOf(api, "ada"), await replicaOf(api, "bob")];
  const id = await givenDraft(a);
  const subject = { type: "user", id: await api.idOf("bob") };
  must(await a.post(`/api/records/${id}/access/grants`, { grants: [{ permission: "edit", subject }] }), 201);
  await until(async () => (await b.get(`/api/records/${id}/draft`)).status === 200, "shared");
  await resume(a, b);
  return { a, b, server: await api.onServer("ada"), id };
}

const titleOf = async (client: HttpClient, id: string) =>
  (await client.get(`/api/records/${id}/draft`)).body.metadata?.title;

async function retitle(client: HttpClient, id: string, title: string): Promise<void> {
  const { body } = await client.get(`/api/records/${id}/draft`);
  must(await client.put(`/api/records/${id}/draft`, { ...body, metadata: { ...body.metadata, title } }), 200);
}

test("an old discard does not delete what another user delivered since; a retry discards what is seen then (hosts-and-sync 4)", async () => {
  const { a, b, server, id } = await givenShared();
  await pause(a);
  must(await a.delete(`/api/records/${id}/draft`), 204);
  await retitle(b, id, "Bob's week of work");
  await addFile(b, id, "bobs.csv", "bobs bytes");
  await synced(b);
  await resume(a, b);
  expect(await titleOf(server, id)).toBe("Bob's week of work");
  expect(await titleOf(b, id)).toBe("Bob's week of work");
  expect(await titleOf(a, id)).toBe("Bob's week of work");
  expect((await server.get(`${fileOf(id, "bobs.csv")}/content`)).text).toBe("bobs bytes");
  expect(await trayOf(b)).toEqual([]);
  const [entry, ...others] = await trayOf(a);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ kind: "draft.discard", object: { kind: "draft", id }, reason: kept });
  expect(JSON.stringify(entry.server)).toContain("Bob's week of work");
  must(await a.post(`/api/sync/tray/${entry.id}/retry`), 200);
  await until(async () => (await server.get(`/api/records/${id}/draft`)).status === 404, "discarded");
  await until(async () => (await trayOf(a)).length === 0, "tray empty");
});

test("a file that another user added is enough to refuse an old discard (hosts-and-sync 4)", async () => {
  const { a, b, server, id } = await givenShared();
  await pause(a);
  must(await a.delete(`/api/records/${id}/draft`), 204);
  await addFile(b, id, "bobs.csv", "bobs bytes");
  await synced(b);
  await resume(a);
  expect((await server.get(`${fileOf(id, "bobs.csv")}/content`)).text).toBe("bobs bytes");
  expect((await trayOf(a)).map(({ reason }: { reason: string }) => reason)).toEqual([kept]);
});

test("one's own unsent edits and files do not refuse the discard after them (hosts-and-sync 4)", async () => {
  const { a, server, id } = await givenShared();
  await pause(a);
  await retitle(a, id, "Not worth keeping");
  await addFile(a, id, "mine.csv", "my bytes");
  must(await a.delete(`/api/records/${id}/draft`), 204);
  await resume(a);
  expect((await server.get(`/api/records/${id}/draft`)).status).toBe(404);
  expect(await trayOf(a)).toEqual([]);
});

test("an edit of a record that was begun and discarded here leaves the one that was begun elsewhere (hosts-and-sync 4)", async () => {
  const api = await startApi("server");
  const [a, b] = [await replicaOf(api, "ada"), await replicaOf(api, "ada")];
  const server = await api.onServer("ada");
  const id = await givenDraft(a, { isFilesEnabled: false });
  must(await a.post(`/api/records/${id}/draft/actions/publish`), 202);
  await until(async () => (await b.get(`/api/records/${id}`)).status === 200, "published");
  await resume(a, b);
  await pause(a, b);
  must(await a.post(`/api/records/${id}/draft`), 201);
  must(await a.delete(`/api/records/${id}/draft`), 204);
  must(await b.post(`/api/records/${id}/draft`), 201);
  await retitle(b, id, "Edited on B");
  await resume(b, a);
  expect(await titleOf(server, id)).toBe("Edited on B");
  expect(await titleOf(b, id)).toBe("Edited on B");
  expect((await trayOf(a)).map(({ reason }: { reason: string }) => reason)).toEqual([kept]);
});
