import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { addFile, givenDraft as draftWithFiles } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { comment, givenReview, givenSubmitted, publishable } from "../support/reviews.ts";
import { superuser } from "../support/superuser.ts";
import { pause, replicaOf, resume, stateOf, synced, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

describe("rejected operations stay in the tray (hosts-and-sync 4, 5, 8)", () => {
  test("a comment refused: tray with its text, retry once unlocked, copy gives the text, discard; unknown id 404", async () => {
    const api = await startApi("server");
    const a = await replicaOf(api, "alice");
    const { request } = await givenSubmitted(api, "alice", "bob");
    const bob = await api.as("bob");
    await until(async () => (await a.get(`/api/requests/${request}`)).status === 200, "request");
    await pause(a);
    const note = (await a.post(`/api/requests/${request}/comments`, comment("Kept text"))).body;
    await bob.post(`/api/requests/${request}/lock`);
    await resume(a);
    const [entry] = await trayOf(a);
    expect
      .soft(Object.keys(entry).sort())
      .toEqual(["created", "id", "kind", "object", "operation", "reason", "refused", "server"]);
    expect.soft(entry).toMatchObject({ kind: "comment.create", object: { kind: "comment", id: note.id, request } });
    expect.soft(JSON.stringify(entry.operation)).toContain("Kept text");
    expect.soft(entry.reason).toMatch(/locked/i);
    expect.soft(entry.created).toMatch(/\+00:00$/);
    expect.soft(entry.refused).toMatch(/\+00:00$/);
    for (const call of ["retry", "copy"])
      expect.soft((await a.post(`/api/sync/tray/nothing/${call}`)).status).toBe(404);
    expect.soft((await a.delete("/api/sync/tray/nothing")).status).toBe(404);
    const still = await a.post(`/api/sync/tray/${entry.id}/retry`);
    expect.soft(still.status).toBe(200);
    await synced(a);
    expect.soft(await trayOf(a)).toHaveLength(1);
    expect.soft((await a.post(`/api/sync/tray/${entry.id}/copy`)).status).toBe(201);
    expect.soft(await trayOf(a)).toHaveLength(1);
    await bob.post(`/api/requests/${request}/unlock`);
    await a.post(`/api/sync/tray/${entry.id}/retry`);
    await until(async () => (await trayOf(a)).length === 0, "tray empty");
    const timeline = (await bob.get(`/api/requests/${request}/timeline`)).body.hits.hits;
    const texts = timeline
      .filter((one: { type: string }) => one.type === "C")
      .map((one: { payload: { content: string } }) => one.payload.content);
    expect.soft(texts).toEqual(["Kept text"]);
  });

  test("a comment on a review that was not submitted is listed under the title of its draft", async () => {
    const api = await startApi("server");
    const a = await replicaOf(api, "alice");
    const { request } = await givenReview(api, "alice", "bob", "Ice core");
    await until(async () => (await a.get(`/api/requests/${request}`)).status === 200, "request");
    const files = `/api/requests/${request}/files`;
    const { id, key } = (await a.putBytes(`${files}/upload/notes.txt`, "a")).body;
    await synced(a);
    await pause(a);
    const note = comment("To myself", { files: [{ file_id: id }] });
    expect((await a.post(`/api/requests/${request}/comments`, note)).status).toBe(201);
    expect((await (await api.onServer("alice")).delete(`${files}/${key}`)).status).toBe(204);
    await resume(a);
    const [entry] = await trayOf(a);
    expect(entry).toMatchObject({ kind: "comment.create", object: { title: "Ice core" }, server: { title: "" } });
  });

  test("an operation that only the server can check is rejected with the field and the reason (hosts-and-sync 8, Tray entry)", async () => {
    const api = await startApi("server");
    const a = await replicaOf(api, "alice");
    const { id } = (await a.post("/api/records", publishable("Shared with nobody"))).body;
    const grants = [{ permission: "view", subject: { type: "user", id: "4711" } }];
    expect((await a.post(`/api/records/${id}/access/grants`, { grants })).status).toBe(201);
    await until(async () => (await trayOf(a)).length === 1, "refused");
    const [{ reason }] = await trayOf(a);
    expect(reason).toBe("A validation error occurred. subject.id: There is no user '4711'.");
  });

  test("publish offline, draft changed by another user meanwhile: rejected with the difference; retry publishes the present draft", async () => {
    const api = await startApi("server");
    const a = await replicaOf(api, "alice");
    const server = await api.onServer("alice");
    const id = (await a.post("/api/records", publishable("Seen"))).body.id;
    await synced(a);
    await pause(a);
    expect((await a.post(`/api/records/${id}/draft/actions/publish`)).status).toBe(202);
    await server.put(`/api/records/${id}/draft`, publishable("Changed"));
    await resume(a);
    const [entry] = await trayOf(a);
    expect.soft(entry.reason).toMatch(/\w/);
    expect.soft(JSON.stringify(entry.server)).toContain("Changed");
    expect.soft((await server.get(`/api/records/${id}`)).status).toBe(404);
    expect.soft((await a.post(`/api/sync/tray/${entry.id}/retry`)).status).toBe(200);
    await until(async () => (await server.get(`/api/records/${id}`)).body.metadata?.title === "Changed", "published");
    await until(async () => (await trayOf(a)).length === 0, "tray empty");
    await until(async () => (await stateOf(a)) === "up_to_date", "up to date");
    const [last] = (await a.get("/api/sync/done")).body.done;
    expect(last).toMatchObject({ kind: "draft.publish", object: { kind: "draft", id }, title: entry.operation.title });
  });

  test("accept offline, cancelled meanwhile: rejected with the reason and the server's present state", async () => {
    const api = await startApi("server");
    const b = await replicaOf(api, "bob");
    const { request } = await givenSubmitted(api, "alice", "bob");
    const alice = await api.as("alice");
    await until(async () => (await b.get(`/api/requests/${request}`)).status === 200, "request");
    await pause(b);
    const queued = await b.post(`/api/requests/${request}/actions/decline`, comment("No"));
    expect.soft(queued.status).toBe(202);
    expect
      .soft(queued.body)
      .toMatchObject({ status: "submitted", sync: { operations: [{ kind: "request.decline" }] } });
    expect.soft((await b.post(`/api/requests/${request}/actions/submit`)).status).toBeGreaterThanOrEqual(400);
    await alice.post(`/api/requests/${request}/actions/cancel`);
    await resume(b);
    const [entry] = await trayOf(b);
    expect.soft(entry.reason).toMatch(/cancelled/);
    expect.soft(JSON.stringify(entry.server)).toContain("cancelled");
    expect
      .soft((await b.get(`/api/requests/${request}`)).body)
      .toMatchObject({ status: "cancelled", sync: { state: "rejected" } });
    expect.soft((await b.get(`/api/requests/${request}`)).body.sync.operations[0].id).toBe(entry.id);
    expect.soft((await b.delete(`/api/sync/tray/${entry.id}`)).status).toBe(204);
    expect.soft((await b.get(`/api/requests/${request}`)).body.sync).toBeUndefined();
    expect.soft(await stateOf(b)).toBe("up_to_date");
  });

  test("discarded elsewhere while edited here: the edit is in the tray and becomes a new draft with the user's content and files", async () => {
    const api = await startApi("server");
    const a = await replicaOf(api, "alice");
    const server = await api.onServer("alice");
    const draft = await draftWithFiles(a);
    await synced(a);
    await pause(a);
    const body = (await a.get(`/api/records/${draft}/draft`)).body;
    await a.put(`/api/records/${draft}/draft`, { ...body, metadata: { ...body.metadata, title: "My work" } });
    await addFile(a, draft, "mine.txt", "my bytes");
    await server.delete(`/api/records/${draft}/draft`);
    await resume(a);
    const entries = await trayOf(a);
    expect.soft(entries.length).toBeGreaterThan(0);
    for (const { reason } of entries) expect.soft(reason).toBe("It was deleted or discarded elsewhere.");
    expect.soft((await a.get(`/api/records/${draft}/draft`)).status).toBe(404);
    const copy = await a.post(`/api/sync/tray/${entries.at(-1).id}/copy`);
    expect.soft(copy.status, copy.text).toBe(201);
    expect.soft(copy.body.metadata.title).toBe("My work");
    await synced(a);
    expect.soft((await server.get(`/api/records/${copy.body.id}/draft`)).body.metadata?.title).toBe("My work");
    expect.soft((await server.get(`/api/records/${copy.body.id}/draft/files/mine.txt/content`)).text).toBe("my bytes");
    for (const entry of entries) expect.soft((await a.delete(`/api/sync/tray/${entry.id}`)).status).toBe(204);
    await until(async () => (await stateOf(a)) === "up_to_date", "up to date");
  });

  test("access withdrawn: the user's text becomes a new draft, without other users' files that were not fetched", async () => {
    const api = await startApi("server");
    const [a, b, bob] = [await api.as("alice"), await replicaOf(api, "bob"), { id: await api.idOf("bob") }];
    const draft = await draftWithFiles(a);
    await addFile(a, draft, "own.txt", "own bytes");
    const grants = `/api/records/${draft}/access/grants`;
    const granted = await a.post(grants, { grants: [{ permission: "edit", subject: { type: "user", ...bob } }] });
    expect(granted.status, granted.text).toBe(201);
    await until(async () => (await b.get(`/api/records/${draft}/draft`)).status === 200, "shared");
    await pause(b);
    const body = (await b.get(`/api/records/${draft}/draft`)).body;
    await b.put(`/api/records/${draft}/draft`, { ...body, metadata: { ...body.metadata, title: "My work" } });
    await a.delete(`${grants}/0`);
    await resume(b);
    const [entry] = await trayOf(b);
    const copy = await b.post(`/api/sync/tray/${entry.id}/copy`);
    expect(copy.body).toMatchObject({ metadata: { title: "My work" }, files: { enabled: true, count: 0 } });
    expect((await b.delete(`/api/sync/tray/${entry.id}`)).status).toBe(204);
    await until(async () => (await stateOf(b)) === "up_to_date", "up to date");
  });
});

/** A published record that Bob may edit, and his replica. The edit that he began without access was refused. */
/** Kinds of unsent operations that wait for a rejected one. */
async function waitingOn(client: HttpClient): Promise<string[]> {
  const { hits } = (await client.get("/api/sync/operations")).body.hits;
  return hits.flatMap(({ kind, reason }: { kind: string; reason: string | null }) =>
    reason?.startsWith("It waits for what was refused before") ? [kind] : [],
  );
}

async function refusedEdition() {
  const api = await startApi("server");
  const [a, b] = [await api.as("alice"), await replicaOf(api, "bob")];
  const { id } = (await a.post("/api/records", publishable("Shared"))).body;
  expect((await a.post(`/api/records/${id}/draft/actions/publish`)).status).toBe(202);
  const grants = `/api/records/${id}/access/grants`;
  const body = { grants: [{ permission: "edit", subject: { type: "user", id: await api.idOf("bob") } }] };
  expect((await a.post(grants, body)).status).toBe(201);
  await until(async () => (await b.get(`/api/records/${id}`)).status === 200, "shared");
  await pause(b);
  expect((await b.post(`/api/records/${id}/draft`)).status).toBe(201);
  await edited(b, id, "Refused work");
  await a.delete(`${grants}/0`);
  await resume(b);
  expect((await trayOf(b)).map(({ kind }: { kind: string }) => kind)).toEqual(["draft.edit-published"]);
  expect(await waitingOn(b)).toEqual(["draft.edit"]);
  expect(await stateOf(b)).toBe("needs_you");
  expect((await a.post(grants, body)).status).toBe(201);
  await until(async () => (await b.post(`/api/records/${id}/versions`)).status === 201, "access is back");
  return { a, b, id };
}

async function edited(client: HttpClient, id: string, title: string): Promise<void> {
  const path = `/api/records/${id}/draft`;
  const { body } = await client.get(path);
  const put = await client.put(path, { ...body, metadata: { ...body.metadata, title } });
  expect(put.status, put.text).toBe(200);
}

describe("a rejected creation blocks only operations that need it (fault 7; hosts-and-sync 4)", () => {
  test("a new version of the record is sent, and so is a draft that is created again", async () => {
    const { a, b, id } = await refusedEdition();
    await until(async () => (await a.get(`/api/records/${id}/versions`)).body.hits.total > 0, "versions");
    await until(async () => (await b.get("/api/sync/operations")).body.hits.total === 1, "all others sent");
    expect((await b.post(`/api/records/${id}/draft`)).status).toBe(201);
    await edited(b, id, "Second attempt");
    await until(
      async () => (await a.get(`/api/records/${id}/draft`)).body.metadata?.title === "Second attempt",
      "sent",
    );
    expect(await trayOf(b)).toHaveLength(2);
  });

  test("edits of a draft that a colleague created meanwhile are sent", async () => {
    const { a, b, id } = await refusedEdition();
    expect((await a.post(`/api/records/${id}/draft`)).status).toBe(201);
    await until(async () => (await b.get(`/api/records/${id}/draft`)).status === 200, "the colleague's draft");
    await edited(b, id, "Work on the colleague's draft");
    const sent = async () => (await a.get(`/api/records/${id}/draft`)).body.metadata?.title;
    await until(async () => (await sent()) === "Work on the colleague's draft", "sent");
  });
});

test("when a superuser loses the role, objects seen only through it leave all of their replicas at once (hosts-and-sync 4, access withdrawn)", async () => {
  const api = await startApi("replica");
  const { request } = await givenSubmitted(api, "ada", "bob");
  const admin = await api.as("admin");
  const path = `/api/requests/${request}`;
  expect((await admin.get(path)).status).toBe(200);
  await admin.post("/api/sync/pause");
  expect((await admin.get(path)).status).toBe(200);
  await admin.post("/api/sync/resume");
  const role = { groups: ["superuser-access"] };
  const { memberships } = api.server.services;
  // One administrator always stays.
  await memberships.change(superuser, { userId: await api.idOf("cara"), how: "add", body: role });
  await memberships.change(superuser, { userId: await api.idOf("admin"), how: "remove", body: role });
  await until(async () => (await admin.get(path)).status === 403, "it is gone");
  await admin.post("/api/sync/pause");
  expect((await admin.get(path)).status).toBe(403);
});
