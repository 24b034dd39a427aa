import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { addFile, givenDraft } from "../support/files.ts";
import { replicaOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const metadata = {
  title: "Deep sea core 12",
  resource_type: { id: "dataset" },
  publication_date: "2026-11-21",
  creators: [{ person_or_org: { type: "personal", family_name: "Hopper", given_name: "Grace" } }],
};

describe("drafted offline, sent later (hosts-and-sync 3, 4)", () => {
  test("a draft made while paused reaches the server under its own id", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    await alice.post("/api/sync/pause");
    const created = await alice.post("/api/records", { files: { enabled: false }, metadata });
    expect(created.status).toBe(201);
    expect(created.body.sync).toMatchObject({ state: "pending", operations: [{ kind: "draft.create" }] });
    const path = `/api/records/${created.body.id}/draft`;
    const onServer = await api.onServer("alice");
    expect((await onServer.get(path)).status).toBe(404);
    await alice.put(path, { metadata: { ...metadata, title: "Deep sea core 13" } });
    await alice.post("/api/sync/resume");
    await until(async () => (await onServer.get(path)).body.metadata?.title === "Deep sea core 13");
    await until(async () => (await alice.get("/api/sync/status")).body.state === "up_to_date");
    expect((await alice.get(path)).body.sync).toBeUndefined();
    expect((await onServer.get(path)).body.parent.access.owned_by.user).toBe(await api.idOf("alice"));
  });

  test("publish offline answers 202 and is queued; online it returns the server's answer", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const draft = await alice.post("/api/records", { files: { enabled: false }, metadata });
    await alice.post("/api/sync/pause");
    const path = `/api/records/${draft.body.id}`;
    const queued = await alice.post(`${path}/draft/actions/publish`);
    expect(queued.status).toBe(202);
    expect(queued.body).toMatchObject({ is_published: false, sync: { state: "pending" } });
    await alice.post("/api/sync/resume");
    const onServer = await api.onServer("alice");
    await until(async () => (await onServer.get(path)).status === 200);
    await until(async () => (await alice.get(path)).body.is_published === true);
    const second = await alice.post("/api/records", { files: { enabled: false }, metadata });
    const published = await alice.post(`/api/records/${second.body.id}/draft/actions/publish`);
    expect(published.status).toBe(202);
    expect(published.body.is_published).toBe(true);
  });

  test("the same draft edited on a replica and the server, different fields: both edits are there", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const draft = await alice.post("/api/records", { files: { enabled: false }, metadata });
    const path = `/api/records/${draft.body.id}/draft`;
    await alice.post("/api/sync/pause");
    await alice.put(path, { metadata: { ...metadata, publisher: "Carrel Press" } });
    const onServer = await api.onServer("alice");
    await onServer.put(path, { metadata: { ...metadata, version: "v2" } });
    await alice.post("/api/sync/resume");
    await until(async () => (await onServer.get(path)).body.metadata.publisher === "Carrel Press");
    await until(async () => (await alice.get("/api/sync/status")).body.state === "up_to_date");
    for (const client of [alice, onServer]) {
      expect((await client.get(path)).body.metadata).toMatchObject({ publisher: "Carrel Press", version: "v2" });
    }
  });
});

describe("reconciling (hosts-and-sync 4)", () => {
  test("published elsewhere while edited here: the edit becomes an edit draft of the published record", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const draft = await alice.post("/api/records", { files: { enabled: false }, metadata });
    const path = `/api/records/${draft.body.id}`;
    await alice.post("/api/sync/pause");
    await alice.put(`${path}/draft`, { metadata: { ...metadata, publisher: "Late Press" } });
    const onServer = await api.onServer("alice");
    expect((await onServer.post(`${path}/draft/actions/publish`)).status).toBe(202);
    await alice.post("/api/sync/resume");
    await until(async () => (await onServer.get(`${path}/draft`)).body.metadata?.publisher === "Late Press");
    expect((await onServer.get(path)).body.metadata.publisher).toBeUndefined();
    await until(async () => (await alice.get("/api/sync/status")).body.state === "up_to_date");
    expect((await alice.get(`${path}/draft`)).body.metadata.publisher).toBe("Late Press");
  });

  test("the same scalar edited to two values: one wins everywhere, the other is kept as a conflict", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const draft = await alice.post("/api/records", { files: { enabled: false }, metadata });
    const path = `/api/records/${draft.body.id}/draft`;
    await alice.post("/api/sync/pause");
    await alice.put(path, { metadata: { ...metadata, version: "here" } });
    const onServer = await api.onServer("alice");
    await onServer.put(path, { metadata: { ...metadata, version: "there" } });
    await alice.post("/api/sync/resume");
    await until(async () => (await alice.get("/api/sync/status")).body.state === "needs_you");
    const { body } = await alice.get("/api/sync/conflicts");
    expect(body.hits.hits).toMatchObject([
      { record: draft.body.id, path: "metadata.version", mine: "here", theirs: "there" },
    ]);
    expect((await alice.get(path)).body).toMatchObject({ metadata: { version: "there" }, sync: { state: "conflict" } });
    const [conflict] = body.hits.hits;
    expect((await alice.post(`/api/sync/conflicts/${conflict.id}`, { choose: "both" })).status).toBe(400);
    expect((await alice.post(`/api/sync/conflicts/${conflict.id}`, { choose: "mine" })).status).toBe(200);
    await until(async () => (await onServer.get(path)).body.metadata.version === "here");
    await until(async () => (await alice.get("/api/sync/status")).body.state === "up_to_date");
    expect((await alice.get("/api/sync/conflicts")).body.hits.total).toBe(0);
    expect((await alice.post(`/api/sync/conflicts/${conflict.id}`, { choose: "mine" })).status).toBe(404);
  });

  test("discarded elsewhere while edited here: the work goes to the tray and can be made a new draft", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const draft = await alice.post("/api/records", { files: { enabled: false }, metadata });
    const path = `/api/records/${draft.body.id}/draft`;
    await alice.post("/api/sync/pause");
    await alice.put(path, { metadata: { ...metadata, publisher: "Kept Press" } });
    const onServer = await api.onServer("alice");
    await onServer.delete(path);
    await alice.post("/api/sync/resume");
    await until(async () => (await alice.get("/api/sync/tray")).body.hits.total === 1);
    const [entry] = (await alice.get("/api/sync/tray")).body.hits.hits;
    expect(entry).toMatchObject({ kind: "draft.edit", object: { kind: "draft", id: draft.body.id } });
    expect(entry.reason).not.toBe("");
    await expect
      .poll(async () => (await alice.get("/api/sync/status")).body)
      .toMatchObject({ state: "needs_you", rejected: 1 });
    const copy = await alice.post(`/api/sync/tray/${entry.id}/copy`);
    expect(copy.status).toBe(201);
    expect(copy.body.metadata).toMatchObject({ title: metadata.title, publisher: "Kept Press" });
    expect((await alice.get("/api/sync/tray")).body.hits.total).toBe(1);
    expect((await alice.delete(`/api/sync/tray/${entry.id}`)).status).toBe(204);
    expect((await alice.get("/api/sync/tray")).body.hits.total).toBe(0);
    await until(async () => (await onServer.get(`/api/records/${copy.body.id}/draft`)).status === 200);
    expect((await alice.delete(`/api/sync/tray/${entry.id}`)).status).toBe(404);
  });
});

describe("one new version created on two replicas (hosts-and-sync 4)", () => {
  test("discarding one's own copy offline does not remove what another user wrote in the merged draft", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const draft = await alice.post("/api/records", { files: { enabled: false }, metadata });
    const record = `/api/records/${draft.body.id}`;
    await alice.post(`${record}/draft/actions/publish`);
    await alice.post("/api/sync/pause");
    const begun = await alice.post(`${record}/versions`);
    const onServer = await api.onServer("alice");
    const first = await onServer.post(`${record}/versions`);
    const path = `/api/records/${first.body.id}/draft`;
    await onServer.put(path, { metadata: { ...metadata, publisher: "Other Press" } });
    expect((await alice.delete(`/api/records/${begun.body.id}/draft`)).status).toBe(204);
    await alice.post("/api/sync/resume");
    await until(async () => (await alice.get("/api/sync/status")).body.state === "up_to_date");
    expect((await onServer.get(path)).body.metadata.publisher).toBe("Other Press");
    expect((await alice.get(path)).body.metadata.publisher).toBe("Other Press");
  });
});

describe("access and storage (hosts-and-sync 4, 5, 8)", () => {
  test("access withdrawn: the shared data leaves this replica, 403 online and offline, unsent work to the tray", async () => {
    const api = await startApi("replica");
    const [alice, bob] = [await api.as("alice"), await api.as("bob")];
    const draft = await alice.post("/api/records", { files: { enabled: false }, metadata });
    const path = `/api/records/${draft.body.id}`;
    const subject = { type: "user", id: await api.idOf("bob") };
    expect((await alice.post(`${path}/access/grants`, { grants: [{ permission: "edit", subject }] })).status).toBe(201);
    await until(async () => (await bob.get(`${path}/draft`)).status === 200);
    await bob.post("/api/sync/pause");
    await bob.put(`${path}/draft`, { metadata: { ...metadata, publisher: "Bob Press" } });
    expect((await alice.delete(`${path}/access/grants/0`)).status).toBe(204);
    await bob.post("/api/sync/resume");
    await until(async () => (await bob.get("/api/sync/tray")).body.hits.total === 1);
    expect((await bob.get(`${path}/draft`)).status).toBe(403);
    await bob.post("/api/sync/pause");
    expect((await bob.get(`${path}/draft`)).status).toBe(403);
    const [entry] = (await bob.get("/api/sync/tray")).body.hits.hits;
    expect((await bob.post(`/api/sync/tray/${entry.id}/copy`)).body.metadata.publisher).toBe("Bob Press");
  });

  test("storage: bytes by kind; free drops cached bytes that the server holds, and they come back when opened", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const { body } = await alice.post("/api/records", { metadata });
    const files = `/api/records/${body.id}/draft/files`;
    await alice.post(files, [{ key: "a.txt" }]);
    await alice.putBytes(`${files}/a.txt/content`, "twelve bytes");
    expect((await alice.post(`${files}/a.txt/commit`)).status).toBe(200);
    await until(async () => (await alice.get("/api/sync/status")).body.state === "up_to_date");
    expect((await alice.get("/api/sync/storage")).body).toMatchObject({ cached: 12, unsent: 0 });
    expect((await alice.post("/api/sync/storage/free")).body).toMatchObject({ cached: 0 });
    await alice.post("/api/sync/pause");
    expect((await alice.get(`${files}/a.txt/content`)).status).toBe(503);
    expect((await alice.head(`${files}/a.txt/content`)).status).toBe(503);
    await alice.post("/api/sync/resume");
    await until(async () => (await alice.get("/api/sync/status")).body.online === true);
    expect((await alice.get(`${files}/a.txt/content`)).text).toBe("twelve bytes");
    await until(async () => (await alice.get("/api/sync/storage")).body.cached === 12);
  });

  test("files kept offline: by rule, for one record, not on a metered connection, never above the limit (design, ux 10)", async () => {
    const api = await startApi("replica");
    const [alice, elsewhere] = [await api.as("alice"), await api.onServer("alice")];
    const { body } = await elsewhere.post("/api/records", { metadata });
    const files = `/api/records/${body.id}/draft/files`;
    for (const [key, bytes] of [
      ["a.txt", "twelve bytes"],
      ["b.txt", "other bytes"],
    ] as const) {
      await elsewhere.post(files, [{ key }]);
      await elsewhere.putBytes(`${files}/${key}/content`, bytes);
      await elsewhere.post(`${files}/${key}/commit`);
    }
    const storage = async () => (await alice.get("/api/sync/storage")).body;
    const keep = async (rules: object) => {
      const answer = await alice.put("/api/sync/keeping", rules);
      expect(answer.status, answer.text).toBe(200);
    };
    const largest = async () => (await alice.get("/api/sync/storage/records")).body.records;
    await until(async () => (await largest())[0]?.files === 2);
    expect(await largest()).toEqual([
      { id: body.id, kind: "draft", title: metadata.title, files: 2, bytes: 23, here: 0, unsent: 0 },
    ]);
    await keep({ own: "always", hold_files: true });
    expect((await storage()).cached).toBe(0);
    await keep({ own: "always", most: 11 });
    await until(async () => (await storage()).cached === 11);
    await keep({ own: "always", rate: 10_000 });
    await until(async () => (await storage()).cached === 23);
    expect((await alice.get(`${files}/a.txt/content`)).text).toBe("twelve bytes");
    await keep({ most: 20 });
    await until(async () => (await storage()).cached === 12);
    await keep({ records: [body.id] });
    await until(async () => (await largest())[0].here === 23);
    await alice.post("/api/sync/pause");
    expect((await alice.get(`${files}/b.txt/content`)).text).toBe("other bytes");
    await alice.post("/api/sync/resume");
    expect((await alice.delete("/api/sync/storage/records/nobody-knows")).status).toBe(404);
    const released = await alice.delete(`/api/sync/storage/records/${body.id}`);
    expect(released.body).toMatchObject({ cached: 0, location: expect.any(String) });
    expect((await alice.get("/api/sync/keeping")).body).toMatchObject({ own: "opened", records: [], most: null });
    expect((await alice.put("/api/sync/keeping", { own: "sometimes", rate: 1 })).body.errors).toHaveLength(2);
  });

  test("on a metered connection, changes are sent and files wait (design, ux 10)", async () => {
    const api = await startApi("server");
    const [alice, there] = [await replicaOf(api, "alice"), await api.onServer("alice")];
    await alice.put("/api/sync/keeping", { hold_files: true });
    const id = await givenDraft(alice);
    await addFile(alice, id, "a.txt", "twelve bytes");
    await until(async () => (await there.get(`/api/records/${id}/draft`)).status === 200);
    await alice.post("/api/sync/run");
    expect((await alice.get("/api/sync/storage")).body.unsent).toBe(12);
    await alice.put("/api/sync/keeping", { rate: 10_000 });
    await until(async () => (await there.get(`/api/records/${id}/draft/files/a.txt/content`)).text === "twelve bytes");
  });
});
