import { expect, test } from "vitest";
import { addFile, fileOf, filesOf } from "../support/files.ts";
import { comment, complete, givenWorld, titled } from "../support/restored-server.ts";
import { stateOf, trayOf } from "../support/two-replicas.ts";

test("a second person's work on what the server lost, delivered before the first person's: it goes to the server by itself when what it needs is back, once (hosts-and-sync 4)", async () => {
  const { alice, onServer, backUp, restore, synced, secondDesk } = await givenWorld();
  const { bob, id: bobId } = await secondDesk("bob");
  const reviewed = (await alice.post("/api/records", complete("Reviewed"))).body.id;
  await synced();
  const review = await onServer.put(`/api/records/${reviewed}/draft/review`, { receiver: { user: bobId } });
  expect((await onServer.post(`/api/records/${reviewed}/draft/actions/submit-review`)).status).toBe(202);
  const comments = `/api/requests/${review.body.id}/comments`;
  await backUp();

  const shared = (await alice.post("/api/records", { metadata: { title: "Shared later" } })).body.id;
  const grants = [{ subject: { type: "user", id: bobId }, permission: "manage" }];
  expect((await alice.post(`/api/records/${shared}/access/grants`, { grants })).status).toBe(201);
  const asked = await alice.post(comments, comment("Which core?"));
  await synced();
  await expect.poll(async () => (await bob.get(`/api/records/${shared}/draft`)).status).toBe(200);
  await addFile(bob, shared, "by-bob.txt", "bytes of bob");
  expect((await bob.put(`/api/records/${shared}/draft`, { metadata: { title: "Shared, by bob" } })).status).toBe(200);
  await expect
    .poll(async () => (await bob.post(`${comments}/${asked.body.id}/reply`, comment("Core 12"))).status)
    .toBe(201);
  await expect.poll(() => stateOf(bob)).toBe("up_to_date");
  await alice.post("/api/sync/pause");

  await restore();
  await bob.post("/api/sync/run");
  await expect
    .poll(async () => (await trayOf(bob)).map(({ kind }: { kind: string }) => kind).sort())
    .toEqual(["comment.create", "draft.edit", "file.init"]);
  for (const { reason } of await trayOf(bob)) expect.soft(reason).toContain("The server was restored from a backup");
  await alice.post("/api/sync/resume");

  await expect.poll(() => stateOf(bob)).toBe("up_to_date");
  await synced();
  for (const client of [onServer, alice, bob]) {
    await expect
      .poll(async () => (await client.get(`/api/records/${shared}/draft`)).body.metadata?.title)
      .toBe("Shared, by bob");
    expect((await client.get(`${fileOf(shared, "by-bob.txt")}/content`)).text).toBe("bytes of bob");
    const replies = await client.get(`${comments}/${asked.body.id}/replies`);
    expect(replies.body.hits.hits.map((hit: { payload: { content: string } }) => hit.payload.content)).toEqual([
      "Core 12",
    ]);
  }
  expect(await trayOf(bob)).toEqual([]);
});

test("work that nobody had sent yet, on what the server lost: the tray says that the server was restored, and it goes by itself when what it needs is back (hosts-and-sync 4, 5)", async () => {
  const { alice, onServer, backUp, restore, synced, secondDesk } = await givenWorld();
  const { bob, id: bobId } = await secondDesk("bob");
  await synced();
  await backUp();

  const reviewed = (await alice.post("/api/records", complete("Reviewed"))).body.id;
  const review = await alice.put(`/api/records/${reviewed}/draft/review`, { receiver: { user: bobId } });
  const request = `/api/requests/${review.body.id}`;
  expect((await alice.post(`/api/records/${reviewed}/draft/actions/submit-review`)).status).toBe(202);
  const shared = (await alice.post("/api/records", { metadata: { title: "Shared later" } })).body.id;
  const grants = [{ subject: { type: "user", id: bobId }, permission: "manage" }];
  expect((await alice.post(`/api/records/${shared}/access/grants`, { grants })).status).toBe(201);
  const published = (await alice.post("/api/records", complete("Published"))).body.id;
  expect((await alice.post(`/api/records/${published}/draft/actions/publish`)).status).toBe(202);
  await synced();
  for (const path of [request, `/api/records/${shared}/draft`, `/api/records/${published}`])
    await expect.poll(async () => (await bob.get(path)).status).toBe(200);
  await alice.post("/api/sync/pause");
  await bob.post("/api/sync/pause");
  expect((await bob.post(`${request}/comments`, comment("Which core?"))).status).toBe(201);
  expect((await bob.post(`${request}/actions/accept`)).status).toBe(202);
  expect((await bob.put(`/api/records/${shared}/draft`, { metadata: { title: "Shared, by bob" } })).status).toBe(200);

  await restore();
  await bob.post("/api/sync/resume");
  await expect
    .poll(async () => (await trayOf(bob)).map(({ kind }: { kind: string }) => kind).sort())
    .toEqual(["comment.create", "draft.edit", "request.accept"]);
  for (const { reason } of await trayOf(bob)) expect.soft(reason).toContain("The server was restored from a backup");
  await alice.post("/api/sync/resume");

  await expect.poll(() => stateOf(bob)).toBe("up_to_date");
  expect(await trayOf(bob)).toEqual([]);
  await synced();
  expect((await onServer.get(`/api/records/${shared}/draft`)).body.metadata.title).toBe("Shared, by bob");
  expect((await onServer.get(request)).body.status).toBe("accepted");
  const { body } = await onServer.get(`${request}/timeline`);
  expect(body.hits.hits.map(({ payload }: { payload: object }) => payload)).toMatchObject([
    { content: "Which core?" },
    { event: "accepted" },
  ]);
});

test("a decision that was unsent when the server was restored, and is refused for what others did since: it waits for the user (hosts-and-sync 4)", async () => {
  const { alice, onServer, backUp, restore, synced, secondDesk } = await givenWorld();
  const { bob, id: bobId } = await secondDesk("bob");
  const draft = (await alice.post("/api/records", complete("Reviewed"))).body.id;
  const review = await alice.put(`/api/records/${draft}/draft/review`, { receiver: { user: bobId } });
  const request = `/api/requests/${review.body.id}`;
  expect((await alice.post(`/api/records/${draft}/draft/actions/submit-review`)).status).toBe(202);
  await synced();
  await expect.poll(async () => (await bob.get(request)).body.status).toBe("submitted");
  await backUp();
  await bob.post("/api/sync/pause");
  expect((await bob.post(`${request}/actions/accept`)).status).toBe(202);
  await restore();
  const change = (title: string) => onServer.put(`/api/records/${draft}/draft`, complete(title));
  expect((await change("Changed")).status).toBe(200);
  await bob.post("/api/sync/resume");
  const reasons = async () => (await trayOf(bob)).map(({ reason }: { reason: string }) => reason);
  const looked = "The draft was changed meanwhile: look at it again before accepting it.";
  await expect.poll(reasons).toEqual([looked]);

  expect((await change("Reviewed")).status).toBe(200);
  expect((await onServer.post(`${request}/comments`, comment("As it was"))).status).toBe(201);
  await expect.poll(async () => (await bob.get(`${request}/timeline`)).body.hits.total).toBe(1);
  await expect.poll(() => stateOf(bob)).toBe("needs_you");
  expect(await reasons()).toEqual([looked]);
  expect((await onServer.get(request)).body.status).toBe("submitted");
});

test("a text and a list item that a second person removed, who delivers before the first: what the first sends again stays removed (hosts-and-sync 4)", async () => {
  const { alice, onServer, backUp, restore, synced, secondDesk } = await givenWorld();
  const { bob, id: bobId } = await secondDesk("bob");
  const draft = (await alice.post("/api/records", titled("Shared"))).body.id;
  const path = `/api/records/${draft}/draft`;
  const grants = [{ subject: { type: "user", id: bobId }, permission: "edit" }];
  expect((await alice.post(`/api/records/${draft}/access/grants`, { grants })).status).toBe(201);
  await synced();
  await backUp();

  const change = async (client: typeof alice, more: object) => {
    const { body } = await client.get(path);
    expect((await client.put(path, { ...body, metadata: { title: "Shared", ...more } })).status).toBe(200);
  };
  const seen = async (client: typeof alice) => {
    const { description = "", subjects = [] } = (await client.get(path)).body.metadata ?? {};
    return [description, subjects.length];
  };
  await change(alice, { description: "Not to be published", subjects: [{ subject: "secret" }] });
  await synced();
  await expect.poll(() => seen(bob)).toEqual(["Not to be published", 1]);
  await change(bob, {});
  await expect.poll(() => stateOf(bob)).toBe("up_to_date");
  await expect.poll(() => seen(alice)).toEqual(["", 0]);
  await synced();
  await alice.post("/api/sync/pause");

  await restore();
  await bob.post("/api/sync/run");
  await expect.poll(async () => (await bob.get("/api/sync/status")).body.last_success !== null).toBe(true);
  await expect.poll(() => stateOf(bob)).toBe("up_to_date");
  expect(await trayOf(bob)).toEqual([]);
  await alice.post("/api/sync/resume");
  await synced();
  for (const client of [onServer, bob, alice]) await expect.poll(() => seen(client)).toEqual(["", 0]);
  await expect.poll(() => stateOf(bob)).toBe("up_to_date");
});

test("files that a second person removed and renamed, and a draft they discarded, who delivers before the first: so they stay (hosts-and-sync 4)", async () => {
  const { alice, onServer, backUp, restore, synced, secondDesk } = await givenWorld();
  const { bob, id: bobId } = await secondDesk("bob");
  const draft = (await alice.post("/api/records", { metadata: { title: "Shared" } })).body.id;
  const grants = [{ subject: { type: "user", id: bobId }, permission: "manage" }];
  expect((await alice.post(`/api/records/${draft}/access/grants`, { grants })).status).toBe(201);
  await synced();
  await backUp();
  await addFile(alice, draft, "secret.txt", "secret");
  await addFile(alice, draft, "old.txt", "kept");
  const later = (await alice.post("/api/records", titled("Later"))).body.id;
  expect((await alice.post(`/api/records/${later}/access/grants`, { grants })).status).toBe(201);
  await synced();
  const namesOn = async (client: typeof alice) =>
    (await client.get(filesOf(draft))).body.entries?.map(({ key }: { key: string }) => key);
  await expect.poll(() => namesOn(bob)).toEqual(["secret.txt", "old.txt"]);
  await expect.poll(async () => (await bob.get(`/api/records/${later}/draft`)).status).toBe(200);
  const rename = [{ key: "old.txt", new_key: "new.txt" }];
  expect((await bob.post(`/api/records/${draft}/draft/actions/files-rename`, rename)).status).toBe(200);
  expect((await bob.delete(fileOf(draft, "secret.txt"))).status).toBe(204);
  expect((await bob.delete(`/api/records/${later}/draft`)).status).toBe(204);
  await expect.poll(() => stateOf(bob)).toBe("up_to_date");
  await expect.poll(() => namesOn(alice)).toEqual(["new.txt"]);
  await expect.poll(async () => (await alice.get(`/api/records/${later}/draft`)).status).toBe(404);
  await alice.post("/api/sync/pause");

  await restore();
  await bob.post("/api/sync/run");
  await expect.poll(() => namesOn(bob)).toEqual([]);
  await expect.poll(() => stateOf(bob)).toBe("up_to_date");
  await alice.post("/api/sync/resume");
  for (const client of [onServer, alice, bob]) {
    await expect.poll(() => namesOn(client)).toEqual(["new.txt"]);
    await expect.poll(async () => (await client.get(`/api/records/${later}/draft`)).status).toBe(404);
  }
  await synced();
  await expect.poll(() => stateOf(bob)).toBe("up_to_date");
  expect((await onServer.get(`${fileOf(draft, "new.txt")}/content`)).text).toBe("kept");
});
