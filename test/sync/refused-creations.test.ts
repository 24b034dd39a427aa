import { sql } from "kysely";
import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { addFile, fileOf, givenDraft, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { pause, replicaBehindProxy, replicaOf, stateOf, synced, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const refusedOf = async (client: HttpClient): Promise<string[]> =>
  (await trayOf(client)).map(({ kind }: { kind: string }) => kind);

/** Kinds of unsent operations, all of which wait for a rejected one. */
async function waitingOf(client: HttpClient): Promise<string[]> {
  const { hits } = (await client.get("/api/sync/operations")).body.hits;
  for (const { reason } of hits) expect(reason).toMatch(/^It waits for what was refused before/);
  return hits.map(({ kind }: { kind: string }) => kind);
}

async function edited(client: HttpClient, id: string, title: string): Promise<void> {
  const { body } = await client.get(`/api/records/${id}/draft`);
  must(await client.put(`/api/records/${id}/draft`, { ...body, metadata: { ...body.metadata, title } }), 200);
}

async function settled(client: HttpClient): Promise<void> {
  await client.post("/api/sync/resume");
  await until(async () => (await trayOf(client)).length > 0, "refused");
  await synced(client);
  expect(await stateOf(client)).toBe("needs_you");
}

test("a new draft is refused: its edits and files wait, and a retry delivers all of it (hosts-and-sync 4)", async () => {
  const { api, server, client } = await replicaBehindProxy();
  await pause(client);
  const id = await givenDraft(client);
  await edited(client, id, "A day's typing");
  await addFile(client, id, "day.csv", "day's bytes");
  const [creation] = (await client.get("/api/sync/operations")).body.hits.hits;
  const ofAnother = sql`insert into operation_result (id, user_id, digest, outcome, result, seq, created)
    values (${creation.id}, '1', 'x', 'applied', '{}', 1, 1)`;
  await ofAnother.execute(api.server.host.db);
  await settled(client);
  expect(await refusedOf(client)).toEqual(["draft.create"]);
  expect(await waitingOf(client)).toEqual(["draft.edit", "file.init", "file.commit"]);
  must(await client.post(`/api/sync/tray/${creation.id}/retry`), 200);
  await until(async () => (await stateOf(client)) === "up_to_date", "delivered");
  expect((await server.get(`/api/records/${id}/draft`)).body.metadata.title).toBe("A day's typing");
  expect((await server.get(`${fileOf(id, "day.csv")}/content`)).text).toBe("day's bytes");
});

test("a review is refused: its submission waits, and a retry delivers both (hosts-and-sync 4)", async () => {
  const { api, server, client } = await replicaBehindProxy();
  const receiver = { user: await api.idOf("bob") };
  const setActive = (active: 0 | 1) =>
    sql`update user set active = ${active} where id = ${receiver.user}`.execute(api.server.host.db);
  await client.get(`/api/users/${receiver.user}`);
  const id = await givenDraft(client, { isFilesEnabled: false });
  await synced(client);
  await pause(client);
  must(await client.put(`/api/records/${id}/draft/review`, { receiver }), 200, 202);
  must(await client.post(`/api/records/${id}/draft/actions/submit-review`), 202);
  await setActive(0);
  await settled(client);
  expect(await refusedOf(client)).toEqual(["review.put"]);
  expect(await waitingOf(client)).toEqual(["review.submit"]);
  await setActive(1);
  const [entry] = await trayOf(client);
  must(await client.post(`/api/sync/tray/${entry.id}/retry`), 200);
  await until(async () => (await stateOf(client)) === "up_to_date", "delivered");
  expect((await server.get(`/api/records/${id}/draft/review`)).body.status).toBe("submitted");
});

test("a new version is refused: its words and files are in one entry, whose copy has them all (hosts-and-sync 4)", async () => {
  const { api, client } = await replicaBehindProxy();
  const admin = await api.as("admin");
  const id = await givenDraft(client);
  await addFile(client, id, "base.csv", "base");
  must(await client.post(`/api/records/${id}/draft/actions/publish`), 202);
  await synced(client);
  await pause(client);
  const { id: version } = must(await client.post(`/api/records/${id}/versions`), 201).body;
  await edited(client, version, "Version two");
  await addFile(client, version, "two.csv", "two");
  must(await admin.delete(`/api/records/${id}/delete`, { removal_reason: { id: "spam" }, note: "x" }), 204);
  await settled(client);
  const [entry, ...others] = await trayOf(client);
  expect(others).toEqual([]);
  expect(entry.kind).toBe("draft.new-version");
  const { body } = must(await client.post(`/api/sync/tray/${entry.id}/copy`), 201);
  expect(body.metadata.title).toBe("Version two");
  expect((await client.get(`${fileOf(body.id, "two.csv")}/content`)).text).toBe("two");
});

/** A file that bob added offline to alice's draft, which he may no longer edit, and what gives him the right again. */
async function givenRefusedFile() {
  const api = await startApi("server");
  const [alice, bob] = [await api.as("alice"), await replicaOf(api, "bob")];
  const id = await givenDraft(alice);
  const grants = `/api/records/${id}/access/grants`;
  const subject = { type: "user", id: await api.idOf("bob") };
  must(await alice.post(grants, { grants: [{ permission: "edit", subject }] }), 201);
  await until(async () => (await bob.get(`/api/records/${id}/draft`)).status === 200, "shared");
  await pause(bob);
  await addFile(bob, id, "day.csv", "day's bytes");
  const allow = async (permission: string) => must(await alice.put(`${grants}/0`, { permission, subject }), 200);
  await allow("preview");
  await settled(bob);
  return { alice, bob, id, allow };
}

test("a new file is refused: it is one entry whose bytes wait, and a copy or a retry has both (hosts-and-sync 4)", async () => {
  const { alice, bob, id, allow } = await givenRefusedFile();
  expect(await refusedOf(bob)).toEqual(["file.init"]);
  expect(await waitingOf(bob)).toEqual(["file.commit"]);
  const [entry] = await trayOf(bob);
  const copy = must(await bob.post(`/api/sync/tray/${entry.id}/copy`), 201).body;
  expect((await bob.get(`${fileOf(copy.id, "day.csv")}/content`)).text).toBe("day's bytes");
  await allow("edit");
  must(await bob.post(`/api/sync/tray/${entry.id}/retry`), 200);
  await until(async () => (await stateOf(bob)) === "up_to_date", "delivered");
  expect((await alice.get(`${fileOf(id, "day.csv")}/content`)).text).toBe("day's bytes");
});

test("a new file is refused and discarded: nothing of it is sent later (hosts-and-sync 5, 8)", async () => {
  const { alice, bob, id, allow } = await givenRefusedFile();
  const [entry] = await trayOf(bob);
  await allow("edit");
  must(await bob.delete(`/api/sync/tray/${entry.id}`), 204);
  await until(async () => (await stateOf(bob)) === "up_to_date", "nothing left");
  expect(await trayOf(bob)).toEqual([]);
  expect((await alice.get(`/api/records/${id}/draft/files`)).body.entries).toEqual([]);
});

test("a draft with a new file is discarded elsewhere: the file is one entry, whose copy has its bytes (hosts-and-sync 4)", async () => {
  const { server, client } = await replicaBehindProxy();
  const id = await givenDraft(client);
  await synced(client);
  await pause(client);
  await addFile(client, id, "day.csv", "day's bytes");
  must(await server.delete(`/api/records/${id}/draft`), 204);
  await settled(client);
  expect(await refusedOf(client)).toEqual(["file.init"]);
  const [entry] = await trayOf(client);
  const copy = must(await client.post(`/api/sync/tray/${entry.id}/copy`), 201).body;
  expect((await client.get(`${fileOf(copy.id, "day.csv")}/content`)).text).toBe("day's bytes");
  must(await client.delete(`/api/sync/tray/${entry.id}`), 204);
  await until(async () => (await stateOf(client)) === "up_to_date", "nothing left");
});

test("a grant is refused: its change and its removal wait, and discarding it sends nothing (hosts-and-sync 4, 8)", async () => {
  const { server, client } = await replicaBehindProxy();
  const id = await givenDraft(client);
  await synced(client);
  await pause(client);
  const access = `/api/records/${id}/access`;
  const link = must(await client.post(`${access}/links`, { permission: "view" }), 201).body;
  must(await client.patch(`${access}/links/${link.id}`, { permission: "edit" }), 200);
  const grants = [{ permission: "view", subject: { type: "user", id: "9999" } }];
  must(await client.post(`${access}/grants`, { grants }), 201);
  must(await client.patch(`${access}/users/9999`, { permission: "edit" }), 200);
  must(await client.delete(`${access}/users/9999`), 204);
  await settled(client);
  expect(await refusedOf(client)).toEqual(["access-grant.create"]);
  expect(await waitingOf(client)).toEqual(["access-grant.update", "access-grant.delete"]);
  expect((await server.get(`${access}/links/${link.id}`)).body.permission).toBe("edit");
  const [entry] = await trayOf(client);
  must(await client.delete(`/api/sync/tray/${entry.id}`), 204);
  await until(async () => (await stateOf(client)) === "up_to_date", "nothing left");
  expect(await refusedOf(client)).toEqual([]);
});
