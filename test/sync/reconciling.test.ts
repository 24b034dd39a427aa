import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { addFile, givenDraft as draftWithFiles, filesOf } from "../support/files.ts";
import { givenSubmitted, publishable } from "../support/reviews.ts";
import { pause, replicaOf, resume, stateOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

describe("two replicas of one user (hosts-and-sync 4)", () => {
  test("a change of one replica is on another one online within 2 s", async () => {
    const api = await startApi("server");
    const [a, b] = [await replicaOf(api, "alice"), await replicaOf(api, "alice")];
    const id = (await a.post("/api/records", publishable("One"))).body.id;
    const path = `/api/records/${id}/draft`;
    await until(async () => (await b.get(path)).body.metadata?.title === "One", "draft on b", 2000);
    await b.put(path, publishable("Two"));
    await until(async () => (await a.get(path)).body.metadata.title === "Two", "edit on a", 2000);
  });

  test("a new version created on two replicas becomes one draft; the later id is an alias, its edits are merged", async () => {
    const api = await startApi("server");
    const [a, b] = [await replicaOf(api, "alice"), await replicaOf(api, "alice")];
    const server = await api.onServer("alice");
    const record = (await a.post("/api/records", publishable())).body.id;
    await a.post(`/api/records/${record}/draft/actions/publish`);
    await until(async () => (await b.get(`/api/records/${record}`)).status === 200, "record on b");
    await pause(a, b);
    const first = (await a.post(`/api/records/${record}/versions`)).body;
    const second = (await b.post(`/api/records/${record}/versions`)).body;
    expect(second.id).not.toBe(first.id);
    const base = publishable().metadata;
    await a.put(`/api/records/${first.id}/draft`, { ...publishable(), metadata: { ...base, publisher: "From a" } });
    await b.put(`/api/records/${second.id}/draft`, { ...publishable(), metadata: { ...base, version: "v-b" } });
    await resume(a, b, a);
    for (const client of [server, a, b]) {
      const draft = await client.get(`/api/records/${first.id}/draft`);
      expect.soft(draft.status).toBe(200);
      expect.soft(draft.body.metadata).toMatchObject({ publisher: "From a", version: "v-b" });
      const old = await client.get(`/api/records/${second.id}/draft`);
      expect.soft(old.status, client.url).toBe(301);
      expect.soft(old.headers.get("location")).toContain(`/api/records/${first.id}/draft`);
      expect.soft((await client.put(`/api/records/${second.id}/draft`, publishable())).status).toBe(308);
      expect.soft((await client.get("/api/user/records?q=is_published:false")).body.hits.total).toBe(1);
    }
    for (const client of [a, b]) expect.soft(await stateOf(client)).toBe("up_to_date");
  });

  test("same file name attached on two replicas: same bytes one entry; different bytes both kept, the later renamed", async () => {
    const api = await startApi("server");
    const [a, b] = [await replicaOf(api, "alice"), await replicaOf(api, "alice")];
    const server = await api.onServer("alice");
    const draft = await draftWithFiles(a);
    await until(async () => (await b.get(`/api/records/${draft}/draft`)).status === 200, "draft on b");
    await pause(a, b);
    for (const client of [a, b]) await addFile(client, draft, "same.txt", "same bytes");
    await addFile(a, draft, "data.csv", "from a");
    await addFile(b, draft, "data.csv", "from b");
    await resume(a, b, a);
    for (const client of [server, a, b]) {
      const { body } = await client.get(filesOf(draft));
      const keys = body.entries.map((entry: { key: string }) => entry.key).sort();
      expect
        .soft(keys, client.url)
        .toEqual([expect.stringMatching(/^data \(conflict, alice, \d{4}-\d\d-\d\d\)\.csv$/), "data.csv", "same.txt"]);
      expect.soft((await client.get(`${filesOf(draft)}/data.csv/content`)).text).toBe("from a");
      expect.soft((await client.get(`${filesOf(draft)}/${encodeURIComponent(keys[0])}/content`)).text).toBe("from b");
    }
  });

  test("the same scalar edited to two values: listed on every replica; choosing on one replica resolves it on all", async () => {
    const api = await startApi("server");
    const [a, b] = [await replicaOf(api, "alice"), await replicaOf(api, "alice")];
    const id = (await a.post("/api/records", publishable())).body.id;
    const path = `/api/records/${id}/draft`;
    await until(async () => (await b.get(path)).status === 200, "draft on b");
    await pause(a, b);
    const dated = (date: string) => ({
      ...publishable(),
      metadata: { ...publishable().metadata, publication_date: date },
    });
    await a.put(path, dated("2001"));
    await b.put(path, dated("2002"));
    await resume(a, b, a);
    for (const client of [a, b]) {
      const { hits } = (await client.get("/api/sync/conflicts")).body;
      expect.soft(hits.total).toBe(1);
      expect
        .soft(Object.keys(hits.hits[0]).sort())
        .toEqual(["created", "id", "mine", "path", "record", "theirs", "theirs_by"]);
      expect.soft(hits.hits[0]).toMatchObject({ record: id, mine: "2002", theirs: "2001" });
      expect
        .soft((await client.get(path)).body)
        .toMatchObject({ sync: { state: "conflict" }, metadata: { publication_date: "2001" } });
      expect.soft((await client.get("/api/sync/status")).body).toMatchObject({ state: "needs_you", conflicts: 1 });
    }
    const [entry] = (await a.get("/api/sync/conflicts")).body.hits.hits;
    expect.soft((await a.post(`/api/sync/conflicts/${entry.id}`, { choose: "both" })).status).toBe(400);
    expect.soft((await a.post("/api/sync/conflicts/nothing", { choose: "mine" })).status).toBe(404);
    expect.soft((await a.post(`/api/sync/conflicts/${entry.id}`, { choose: "mine" })).status).toBe(200);
    await until(async () => (await stateOf(b)) === "up_to_date", "settled on b");
    for (const client of [a, b]) expect.soft((await client.get(path)).body.metadata.publication_date).toBe("2002");
  });

  test("notifications marked read are read on all replicas of the user", async () => {
    const api = await startApi("server");
    const [a, b] = [await replicaOf(api, "bob"), await replicaOf(api, "bob")];
    const { request } = await givenSubmitted(api, "alice", "bob");
    await until(async () => (await a.get("/api/sync/notifications")).body.unread === 1, "unread on a");
    await until(async () => (await b.get("/api/sync/notifications")).body.unread === 1, "unread on b");
    const [entry] = (await a.get("/api/sync/notifications")).body.hits.hits;
    expect(Object.keys(entry).sort()).toEqual([
      "actor",
      "comment",
      "created",
      "id",
      "kind",
      "read",
      "request",
      "title",
    ]);
    expect(entry).toMatchObject({ kind: "submitted", request });
    await pause(a);
    expect((await a.post("/api/sync/notifications/read", { ids: [entry.id] })).status).toBe(204);
    expect((await a.get("/api/sync/notifications")).body.unread).toBe(0);
    await a.post("/api/sync/resume");
    await until(async () => (await b.get("/api/sync/notifications")).body.unread === 0, "read on b");
  });
});

test("server-sent events: status, and changed with the id of each object that sync changed (hosts-and-sync 5)", async () => {
  const api = await startApi("server");
  const a = await replicaOf(api, "alice");
  const stop = new AbortController();
  const stream = await fetch(`${a.url}/api/sync/events`, {
    headers: { authorization: a.authorization },
    signal: stop.signal,
  });
  expect(stream.headers.get("content-type")).toContain("text/event-stream");
  let text = "";
  const reading = (async () => {
    for await (const chunk of stream.body ?? []) text += Buffer.from(chunk).toString();
  })().catch(() => {});
  const id = (await (await api.onServer("alice")).post("/api/records", publishable())).body.id;
  await until(async () => text.includes(`"${id}"`) && text.includes("event: status"), "both events");
  expect(text).toMatch(/event: status\ndata: \{"state"/);
  expect(text).toContain(`event: changed\ndata: {"kind":"draft","id":"${id}"}`);
  stop.abort();
  await reading;
});
