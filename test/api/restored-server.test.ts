import { expect, test } from "vitest";
import { addFile, fileOf, givenDraft } from "../support/files.ts";
import { complete, givenWorld, titled } from "../support/restored-server.ts";

test.each(["present", "earlier"] as const)(
  "server restored from an older backup (of the %s version of the database): noticed; what was delivered since is delivered again, once (hosts-and-sync 4, 7)",
  async (version) => {
    const { alice, onServer, backUp, restore, synced, replica } = await givenWorld();
    const old = (await alice.post("/api/records", titled("Before"))).body.id;
    const dropped = (await alice.post("/api/records", titled("Dropped later"))).body.id;
    expect(await synced()).toMatchObject({ state: "up_to_date" });
    await backUp();
    expect((await alice.put(`/api/records/${old}/draft`, titled("Before, changed after"))).status).toBe(200);
    expect((await alice.delete(`/api/records/${dropped}/draft`)).status).toBe(204);
    const made = await givenDraft(alice);
    await addFile(alice, made, "core.bin", "bytes that came after the backup");
    const published = await alice.post("/api/records", complete("Published"));
    await synced();
    expect((await alice.post(`/api/records/${published.body.id}/draft/actions/publish`)).status).toBe(202);
    await synced();
    const link = await alice.post(`/api/records/${made}/access/links`, { permission: "view" });
    expect(link.status).toBe(201);
    expect(await synced()).toMatchObject({ state: "up_to_date", pending: 0 });
    expect((await alice.get("/api/sync/operations")).body.hits.total).toBe(0);

    await restore(version);
    expect(await synced()).toMatchObject({ state: "up_to_date", pending: 0, rejected: 0 });

    expect((await onServer.get(`/api/records/${old}/draft`)).body.metadata.title).toBe("Before, changed after");
    expect((await onServer.get(`/api/records/${dropped}/draft`)).status).toBe(404);
    expect((await onServer.get(`${fileOf(made, "core.bin")}/content`)).text).toBe("bytes that came after the backup");
    expect((await onServer.get(`/api/records/${made}/access/links`)).body.hits.hits).toMatchObject([
      { id: link.body.id, token: link.body.token },
    ]);
    expect((await onServer.get(`/api/records/${published.body.id}`)).body.metadata.title).toBe("Published");
    for (const client of [alice, onServer]) {
      const { body } = await client.get("/api/user/records");
      expect(body.hits.hits.map((hit: { id: string }) => hit.id).sort()).toEqual([old, made, published.body.id].sort());
    }
    expect(replica.engine.connection.lastError).toBeNull();
  },
);

test("a grant to a user whom the server lost reaches nobody else: it goes to the tray (hosts-and-sync 3, 4)", async () => {
  const { alice, onServer, backUp, newUser, restore } = await givenWorld();
  const draft = (await alice.post("/api/records", titled("Shared"))).body.id;
  const state = async () => (await alice.get("/api/sync/status")).body.state;
  await expect.poll(state).toBe("up_to_date");
  await backUp();
  const lost = await newUser("bob");
  const grants = `/api/records/${draft}/access/grants`;
  await alice.post(grants, { grants: [{ subject: { type: "user", id: lost }, permission: "edit" }] });
  await expect.poll(state).toBe("up_to_date");
  await alice.post("/api/sync/pause");

  await restore();
  expect(await newUser("eve")).not.toBe(lost);
  await alice.post("/api/sync/resume");
  await expect.poll(state).toBe("needs_you");
  expect((await onServer.get(grants)).body.hits.hits).toEqual([]);
  const [refused] = (await alice.get("/api/sync/tray")).body.hits.hits;
  expect(refused).toMatchObject({ kind: "access-grant.create", reason: expect.stringContaining(lost) });
});

test("work of another person that the server lost goes from the replica; own unsent work waits for its turn", async () => {
  const { alice, onServer, backUp, restore, synced } = await givenWorld();
  await synced();
  await backUp();
  const there = (await onServer.post("/api/records", titled("Made on the server"))).body.id;
  await expect.poll(async () => (await alice.get(`/api/records/${there}/draft`)).status).toBe(200);
  const here = (await alice.post("/api/records", titled("Made here"))).body.id;
  await synced();
  await alice.post("/api/sync/pause");
  await alice.put(`/api/records/${here}/draft`, titled("Made here, unsent"));
  await restore();
  await alice.post("/api/sync/resume");
  expect(await synced()).toMatchObject({ state: "up_to_date" });
  expect((await alice.get(`/api/records/${there}/draft`)).status).toBe(404);
  expect((await onServer.get(`/api/records/${here}/draft`)).body.metadata.title).toBe("Made here, unsent");
});

test("bytes freed here and lost by a restored server: the tray says so; the same file added again is sent (hosts-and-sync 4, 5)", async () => {
  const { alice, backUp, onServer, restore, synced } = await givenWorld();
  const id = await givenDraft(alice);
  await synced();
  await backUp();
  await addFile(alice, id, "core.bin", "the only bytes");
  await synced();
  expect((await alice.post("/api/sync/storage/free")).body.cached).toBe(0);
  await restore();
  const tray = async () => (await alice.get("/api/sync/tray")).body.hits.hits;
  await expect.poll(tray).toHaveLength(1);
  const [entry] = await tray();
  expect(entry).toMatchObject({ kind: "file.commit", object: { id, title: "Deep sea core" } });
  expect(entry.reason).toContain("no longer on this computer or on the server");
  await expect
    .poll(async () => (await alice.get("/api/sync/status")).body)
    .toMatchObject({ state: "needs_you", pending: 0 });
  expect((await alice.putBytes(`${fileOf(id, "core.bin")}/content`, "the only bytes")).status).toBe(200);
  expect((await alice.post(`${fileOf(id, "core.bin")}/commit`)).status).toBe(200);
  await expect.poll(async () => (await onServer.get(`${fileOf(id, "core.bin")}/content`)).text).toBe("the only bytes");
  expect((await alice.delete(`/api/sync/tray/${entry.id}`)).status).toBe(204);
  expect(await synced()).toMatchObject({ state: "up_to_date" });
});

test("old files put back by hand, and others wrote past the lost part: noticed; what was delivered since is delivered again, and a lost user's id is not given to another (hosts-and-sync 4)", async () => {
  const { alice, onServer, newUser, copyFiles, synced } = await givenWorld();
  const draft = (await alice.post("/api/records", titled("Before"))).body.id;
  await synced();
  const putBack = await copyFiles();
  await synced();
  const lost = await newUser("bob");
  await alice.put(`/api/records/${draft}/draft`, titled("Before, changed after"));
  const made = (await alice.post("/api/records", titled("Made after"))).body.id;
  await synced();
  await alice.post("/api/sync/pause");

  await putBack();
  const others: string[] = [];
  for (let index = 0; index < 8; index += 1) {
    others.push((await onServer.post("/api/records", titled(`Written by others ${index}`))).body.id);
  }
  await alice.post("/api/sync/resume");
  await expect.poll(async () => (await onServer.get(`/api/records/${made}/draft`)).status).toBe(200);
  expect(await synced()).toMatchObject({ pending: 0, rejected: 0 });
  expect((await onServer.get(`/api/records/${draft}/draft`)).body.metadata.title).toBe("Before, changed after");
  for (const id of others) expect((await alice.get(`/api/records/${id}/draft`)).status).toBe(200);
  expect(await newUser("eve")).not.toBe(lost);
});
