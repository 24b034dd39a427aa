import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { addFile, fileOf, givenDraft, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { publishable } from "../support/reviews.ts";
import { pause, replicaOf, resume, stateOf, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const reasonsOf = async (client: HttpClient): Promise<Record<string, string>> =>
  Object.fromEntries((await trayOf(client)).map(({ kind, reason }: Record<string, string>) => [kind, reason]));

const removedFile = "The file was removed from the draft meanwhile, so nothing is left to send. Discard this.";

/** A draft on alice's replica, which is then paused, and on the server. */
async function givenDraftThere(isFilesEnabled: boolean) {
  const api = await startApi("server");
  const client = await replicaOf(api, "alice");
  const { id } = must(
    await client.post("/api/records", { ...publishable("Seen"), files: { enabled: isFilesEnabled } }),
    201,
  ).body;
  if (isFilesEnabled) await addFile(client, id, "one.txt", "one");
  await until(async () => (await stateOf(client)) === "up_to_date", "on the server");
  await pause(client);
  return { client, server: await api.onServer("alice"), admin: await api.as("admin"), id };
}

test("a file for a draft that was published elsewhere: the tray says so, not that it was deleted (hosts-and-sync 5, the reason in words)", async () => {
  const { client, server, id } = await givenDraftThere(true);
  await addFile(client, id, "two.txt", "two");
  must(await server.post(`/api/records/${id}/draft/actions/publish`), 202);
  await resume(client);
  const reasons = await reasonsOf(client);
  expect(reasons["file.init"]).toBe("The draft was published or discarded meanwhile, or its record was deleted.");
});

test("a refused upload whose file the user removed since: the tray says so, not that space is missing (hosts-and-sync 5, the reason in words)", async () => {
  const { client, admin, id } = await givenDraftThere(true);
  const { id: owner } = (await client.get("/api/me")).body;
  must(await admin.put(`/api/administration/people/${owner}/quota`, { quota_bytes: 5 }), 200);
  await addFile(client, id, "two.txt", "more than five bytes");
  await resume(client);
  expect((await reasonsOf(client))["file.commit"]).toMatch(/^The storage quota of 5 bytes is used up/);
  const draft = async () => (await client.get(`/api/records/${id}/draft`)).body;
  const { reason, can_retry } = (await trayOf(client))[0];
  expect([can_retry, (await draft()).sync.message]).toEqual([undefined, reason]);
  must(await client.delete(fileOf(id, "two.txt")), 204);
  // Another file of its name is not the refused one.
  await addFile(client, id, "two.txt", "2");
  expect(await trayOf(client)).toMatchObject([{ kind: "file.commit", reason: removedFile, can_retry: false }]);
  expect((await draft()).sync.message).toBe(removedFile);
});

test("a description of a file that was removed elsewhere: the tray and the draft's mark say so, and no retry is offered (hosts-and-sync 5, the reason in words)", async () => {
  const { client, server, id } = await givenDraftThere(true);
  must(await client.put(fileOf(id, "one.txt"), { metadata: { caption: "Mine" } }), 200);
  must(await server.delete(fileOf(id, "one.txt")), 204);
  await resume(client);
  expect(await trayOf(client)).toMatchObject([{ kind: "file.metadata", reason: removedFile, can_retry: false }]);
  expect((await client.get(`/api/records/${id}/draft`)).body.sync.message).toBe(removedFile);
});

test("a discard of a draft that was published elsewhere: the tray says so and has the record (hosts-and-sync 8, Tray entry: what the server has now)", async () => {
  const { client, server, id } = await givenDraftThere(false);
  must(await client.delete(`/api/records/${id}/draft`), 204);
  must(await server.post(`/api/records/${id}/draft/actions/publish`), 202);
  await resume(client);
  const [entry] = await trayOf(client);
  expect(entry.reason).toBe("The draft was published or discarded meanwhile, or its record was deleted.");
  expect(entry.server).toMatchObject({ id, is_published: true });
});

test("a right lowered to preview: the tray says that the right is gone, not the access (hosts-and-sync 5, the reason in words)", async () => {
  const api = await startApi("server");
  const [alice, bob] = [await api.as("alice"), await replicaOf(api, "bob")];
  const id = await givenDraft(alice, { isFilesEnabled: false });
  const grants = `/api/records/${id}/access/grants`;
  const subject = { type: "user", id: await api.idOf("bob") };
  must(await alice.post(grants, { grants: [{ permission: "edit", subject }] }), 201);
  await until(async () => (await bob.get(`/api/records/${id}/draft`)).status === 200, "shared");
  await pause(bob);
  const { body } = await bob.get(`/api/records/${id}/draft`);
  must(await bob.put(`/api/records/${id}/draft`, { ...body, metadata: { ...body.metadata, title: "Mine" } }), 200);
  must(await alice.put(`${grants}/0`, { permission: "preview", subject }), 200);
  await resume(bob);
  expect(await reasonsOf(bob)).toEqual({ "draft.edit": "You no longer have the right to do this." });
  expect((await bob.get(`/api/records/${id}/draft`)).status).toBe(200);
});

test("a version, an edit and a publication of a record that was deleted meanwhile: the tray says so, also after a restore, and a retry succeeds (hosts-and-sync 5, the reason in words)", async () => {
  const { client, server, admin, id } = await givenDraftThere(false);
  must(await server.post(`/api/records/${id}/draft/actions/publish`), 202);
  await resume(client);
  await pause(client);
  must(await client.post(`/api/records/${id}/draft`), 201);
  const { body } = await client.get(`/api/records/${id}/draft`);
  must(await client.put(`/api/records/${id}/draft`, { ...body, metadata: { ...body.metadata, title: "Mine" } }), 200);
  must(await client.post(`/api/records/${id}/draft/actions/publish`), 202);
  must(await client.post(`/api/records/${id}/versions`), 201);
  must(await admin.delete(`/api/records/${id}/delete`, {}), 204);
  await resume(client);
  // The edit and its publication wait for the beginning of the edit.
  const deleted = "The record was deleted.";
  const expected = { "draft.edit-published": deleted, "draft.new-version": deleted };
  expect(await reasonsOf(client)).toEqual(expected);
  must(await admin.post(`/api/records/${id}/restore`), 200);
  await resume(client);
  expect(await reasonsOf(client)).toEqual(expected);
  for (const entry of await trayOf(client)) must(await client.post(`/api/sync/tray/${entry.id}/retry`), 200);
  await resume(client);
  expect(await reasonsOf(client)).toEqual({});
  expect((await server.get(`/api/records/${id}`)).body.metadata.title).toBe("Mine");
});
