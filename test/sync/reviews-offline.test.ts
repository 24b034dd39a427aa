import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import {
  comment,
  givenComment,
  givenDraft,
  givenReview,
  givenSubmitted,
  linesOf,
  publishable,
} from "../support/reviews.ts";
import { until } from "../support/until.ts";

interface Waiting {
  kind: string;
  object: { id: string };
}

describe("reviewing offline (hosts-and-sync 3, 4)", () => {
  test("a reviewer reads, comments, replies and declines offline; all arrives in order", async () => {
    const api = await startApi("replica");
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { draft, request } = await givenSubmitted(api, "ada", "bob");
    const question = await givenComment(api, "ada", request, "Any thoughts?");
    await api.waitForSync();
    await bob.post("/api/sync/pause");
    const path = `/api/requests/${request}`;
    expect((await bob.get(`/api/records/${draft}/draft`)).body.metadata.title).toBe("Deep sea core 12");
    const first = await bob.post(`${path}/comments`, comment("First"));
    expect(first.status).toBe(201);
    expect(first.body.sync).toMatchObject({ state: "pending", operations: [{ kind: "comment.create" }] });
    await bob.post(`${path}/comments/${question}/reply`, comment("Yes"));
    const second = await bob.post(`${path}/comments`, comment("Secnod"));
    expect((await bob.put(`${path}/comments/${second.body.id}`, comment("Second"))).status).toBe(200);
    expect((await bob.post(`${path}/actions/cancel`)).status).toBe(403);
    expect((await bob.post(`${path}/actions/accept`, { payload: { content: "" } })).status).toBe(400);
    await bob.post(`${path}/actions/decline`, comment("Because"));
    const declined = await bob.post(`${path}/actions/decline`, comment("Because"));
    expect(declined.status).toBe(202);
    expect(declined.body).toMatchObject({
      status: "submitted",
      sync: { state: "pending", operations: [{ kind: "request.decline" }] },
    });
    expect(await linesOf(api, "bob", request)).toEqual(["C Any thoughts?", "C First", "C Second"]);
    expect((await bob.post(`${path}/lock`)).status).toBe(503);
    await bob.post("/api/sync/resume");
    await api.waitForSync();
    expect(await linesOf(api, "ada", request)).toEqual([
      ..."C Any thoughts?,C First,C Second,L declined,C Because".split(","),
    ]);
    expect((await ada.get(path)).body).toMatchObject({ status: "declined" });
    expect((await bob.get(path)).body).not.toHaveProperty("sync");
    expect((await bob.get(`${path}/comments/${first.body.id}`)).body).not.toHaveProperty("sync");
  });

  test("an author chooses a reviewer and submits the draft offline", async () => {
    const api = await startApi("replica");
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const known = await givenReview(api, "ada", "bob");
    await api.waitForSync();
    await ada.post("/api/sync/pause");
    const draft = await givenDraft(api, "ada", publishable("Written at sea"));
    const receiver = { user: await api.idOf("bob") };
    const put = await ada.put(`/api/records/${draft}/draft/review`, { receiver });
    expect(put.status, put.text).toBe(202);
    expect(put.body).toMatchObject({
      receiver,
      is_open: false,
      sync: { operations: [{ kind: "draft.create" }, { kind: "review.put" }] },
    });
    const sent = await ada.post(`/api/records/${draft}/draft/actions/submit-review`, comment("Please"));
    expect(sent.status, sent.text).toBe(202);
    expect(sent.body).toMatchObject({ id: put.body.id, status: "draft", is_open: false });
    const unknown = await ada.put(`/api/records/${draft}/draft/review`, { receiver: { user: "4711" } });
    expect(unknown.status).toBe(503);
    await ada.post(`/api/requests/${known.request}/comments`, comment("Never mind"));
    const { hits } = (await ada.get("/api/sync/operations")).body.hits;
    expect(hits.at(-1).title, "title says in words what it does").toBe("Comment on a request");
    expect((await ada.delete(`/api/records/${known.draft}/draft/review`)).status).toBe(202);
    await ada.post("/api/sync/resume");
    await api.waitForSync();
    const mine = (await bob.get("/api/requests?is_open=true")).body.hits;
    expect(mine).toMatchObject({ total: 1, hits: [{ id: put.body.id, title: "Written at sea", status: "submitted" }] });
    expect((await ada.get(`/api/requests/${known.request}`)).status).toBe(404);
  });

  test("a review requested offline is shown as if sent and can be withdrawn offline; the server decides if it may have arrived", async () => {
    const api = await startApi("replica");
    const ada = await api.as("ada");
    const receiver = { user: await api.idOf("bob") };
    await givenReview(api, "ada", "bob");
    await ada.post("/api/sync/pause");
    const draft = await givenDraft(api, "ada", publishable("Written at sea"));
    const path = `/api/records/${draft}/draft/review`;
    const put = await ada.put(path, { receiver, title: " Please ", description: "Soon" });
    expect(put).toMatchObject({ status: 202, body: { title: "Please", number: "2", revision_id: 1 } });
    const shown = await ada.get(path);
    expect([shown.status, shown.headers.get("etag"), shown.body]).toEqual([200, '"1"', put.body]);
    const request = `/api/requests/${put.body.id}`;
    expect((await ada.get(request)).body).toEqual(put.body);
    expect((await ada.get("/api/requests?q=please")).body.hits).toEqual({ hits: [put.body], total: 1 });
    expect((await ada.get(`${request}/timeline`)).body.hits).toEqual({ hits: [], total: 0 });
    expect((await ada.post(`${request}/comments`, comment("Before you read it"))).status).toBe(201);
    expect((await ada.get(`${request}/timeline`)).body.hits.total).toBe(1);
    expect((await ada.post(`${request}/lock`)).status).toBe(503);
    const sent = await ada.post(`${request}/actions/submit`, comment("Now"));
    expect(sent).toMatchObject({ status: 202, body: { status: "draft", sync: { state: "pending" } } });
    await ada.post("/api/sync/resume");
    await api.waitForSync();
    expect((await ada.get(request)).body).toMatchObject({ status: "submitted", title: "Please" });
    expect(await linesOf(api, "bob", put.body.id)).toEqual(["C Before you read it", "C Now"]);

    await ada.post("/api/sync/pause");
    const other = await givenDraft(api, "ada", publishable("Changed my mind"));
    const otherPath = `/api/records/${other}/draft/review`;
    expect((await ada.delete(otherPath)).status).toBe(404);
    const first = (await ada.put(otherPath, { receiver })).body.id;
    const second = (await ada.put(otherPath, { receiver, title: "Anew" })).body.id;
    expect((await ada.get(otherPath)).body).toMatchObject({ id: second, title: "Anew" });
    await ada.post(`/api/records/${other}/draft/actions/submit-review`);
    expect((await ada.delete(otherPath)).status).toBe(204);
    for (const deleted of [otherPath, `/api/requests/${first}`, `/api/requests/${second}`]) {
      expect((await ada.get(deleted)).status).toBe(deleted === otherPath ? 404 : 503);
    }
    const kinds = async () =>
      (await ada.get("/api/sync/operations")).body.hits.hits.map(({ kind }: { kind: string }) => kind);
    expect(await kinds()).toEqual(["draft.create"]);
    await ada.put(otherPath, { receiver });
    const { db } = (await api.replicaOf("ada")).host;
    await db.updateTable("operation").set({ attempts: 1 }).where("kind", "=", "review.put").execute();
    expect((await ada.delete(otherPath)).status).toBe(202);
    expect((await ada.get(otherPath)).status).toBe(404);
    expect(await kinds()).toEqual(["draft.create", "review.put", "review.delete"]);
    await ada.post("/api/sync/resume");
    await api.waitForSync();
    expect((await ada.get(otherPath)).status).toBe(404);
    expect((await ada.get(`/api/records/${other}/draft`)).body.status).toBe("draft");
  });

  test("a declined draft is submitted again offline", async () => {
    const api = await startApi("replica");
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { draft, request } = await givenSubmitted(api, "ada", "bob");
    await bob.post(`/api/requests/${request}/actions/decline`);
    await api.waitForSync();
    await ada.post("/api/sync/pause");
    const path = `/api/records/${draft}/draft`;
    expect((await ada.post(`${path}/actions/submit-review`)).status).toBe(400);
    const put = await ada.put(`${path}/review`, { receiver: { user: await api.idOf("bob") } });
    expect(put.status).toBe(202);
    expect((await ada.post(`${path}/actions/submit-review`, { payload: { content: "" } })).status).toBe(400);
    expect((await ada.post(`${path}/actions/submit-review`, comment("Better now"))).status).toBe(202);
    await ada.post("/api/sync/resume");
    await api.waitForSync();
    expect((await bob.get(`/api/requests/${put.body.id}`)).body).toMatchObject({ status: "submitted" });
    expect(await linesOf(api, "bob", put.body.id)).toEqual(["C Better now"]);
  });

  test("an offline decision on a request whose status changed meanwhile is rejected with the reason and kept in the tray", async () => {
    const api = await startApi("replica");
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { request } = await givenSubmitted(api, "ada", "bob");
    await api.waitForSync();
    await bob.post("/api/sync/pause");
    expect((await bob.post(`/api/requests/${request}/actions/accept`)).status).toBe(202);
    await ada.post(`/api/requests/${request}/actions/cancel`);
    await bob.post("/api/sync/resume");
    const tray = async () => (await bob.get("/api/sync/tray")).body.hits;
    await until(async () => (await tray()).total > 0, "it is in the tray");
    expect((await tray()).hits[0]).toMatchObject({
      kind: "request.accept",
      reason: expect.stringMatching(/cancelled/),
    });
  });

  test("a comment on a request locked meanwhile is rejected and its text kept; on a closed request it is delivered", async () => {
    const api = await startApi("replica");
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const locked = await givenSubmitted(api, "ada", "bob");
    const closed = await givenSubmitted(api, "ada", "bob");
    await api.waitForSync();
    await ada.post("/api/sync/pause");
    await ada.post(`/api/requests/${locked.request}/comments`, comment("Too late"));
    await ada.post(`/api/requests/${closed.request}/comments`, comment("In time"));
    await bob.post(`/api/requests/${locked.request}/lock`);
    await bob.post(`/api/requests/${closed.request}/actions/decline`);
    await ada.post("/api/sync/resume");
    const tray = async () => (await ada.get("/api/sync/tray")).body.hits;
    await until(async () => (await tray()).total > 0, "it is in the tray");
    expect((await tray()).hits[0]).toMatchObject({ kind: "comment.create", reason: expect.stringMatching(/locked/) });
    expect(await linesOf(api, "bob", closed.request)).toEqual(["L declined", "C In time"]);
    expect(await linesOf(api, "bob", locked.request)).toEqual(["L locked"]);
  });

  test("a comment that was never sent can be withdrawn without a trace; one that may have arrived cannot", async () => {
    const api = await startApi("replica");
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { request } = await givenSubmitted(api, "ada", "bob");
    const sent = await givenComment(api, "bob", request, "Sent");
    await bob.post("/api/sync/pause");
    const path = `/api/requests/${request}/comments`;
    const slip = await givenComment(api, "bob", request, "A slip");
    await bob.put(`${path}/${slip}`, comment("A worse slip"));
    const reply = (await bob.post(`${path}/${slip}/reply`, comment("And a reply"))).body.id;
    await bob.put(`${path}/${sent}`, comment("Changed"));
    const kept = await givenComment(api, "bob", request, "Kept");
    const takeBack = async (kind: string, id: string) => {
      const operations = (await bob.get("/api/sync/operations")).body.hits.hits;
      const found = operations.find((one: Waiting) => one.kind === kind && one.object.id === id);
      return bob.delete(`/api/sync/operations/${found?.id}`);
    };
    const refused = await takeBack("comment.create", slip);
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringMatching(/reply/) } });
    for (const id of [reply, slip]) expect((await takeBack("comment.create", id)).status).toBe(204);
    expect((await takeBack("comment.update", sent)).status).toBe(204);
    expect((await bob.get(`${path}/${slip}`)).status).toBe(404);
    expect(await linesOf(api, "bob", request)).toEqual(["C Sent", "C Kept"]);
    const { db } = (await api.replicaOf("bob")).host;
    await db.updateTable("operation").set({ attempts: 1 }).where("object_id", "=", kept).execute();
    expect((await takeBack("comment.create", kept)).status).toBe(409);
    expect((await bob.get("/api/sync/operations")).body.hits.total).toBe(1);
    await bob.post("/api/sync/resume");
    await api.waitForSync();
    for (const who of ["ada", "bob"]) expect(await linesOf(api, who, request)).toEqual(["C Sent", "C Kept"]);
    expect((await ada.get(`${path}/${slip}`)).status).toBe(404);
  });

  test("a comment deleted before it was sent: position and replies stay, the text is never sent, nobody is notified", async () => {
    const api = await startApi("replica");
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { request } = await givenSubmitted(api, "ada", "bob");
    const up = await bob.putBytes(`/api/requests/${request}/files/upload/a.txt`, "bytes");
    await api.waitForSync();
    await bob.post("/api/sync/pause");
    const path = `/api/requests/${request}/comments`;
    const files = [{ file_id: up.body.id }];
    const slip = (await bob.post(path, comment("A slip", { files }))).body.id;
    await bob.put(`${path}/${slip}`, comment("A worse slip"));
    await bob.post(`${path}/${slip}/reply`, comment("A reply"));
    await givenComment(api, "bob", request, "Kept");
    const { host } = await api.replicaOf("bob");
    const waiting = async () => (await bob.get("/api/sync/operations")).body.hits.hits;
    expect((await bob.delete(`${path}/${slip}`, undefined, { headers: { "if-match": '"2"' } })).status).toBe(204);
    expect((await waiting()).map(({ kind, title }: { kind: string; title: string }) => [kind, title])).toEqual([
      ["comment.create", expect.stringMatching(/^Delete a comment/)],
      ["comment.create", expect.stringMatching(/^Reply/)],
      ["comment.create", expect.stringMatching(/^Comment/)],
    ]);
    const stored = await host.db.selectFrom("operation").select("payload").execute();
    expect(stored.filter(({ payload }) => payload.includes("slip"))).toEqual([]);
    expect((await bob.get(`${path}/${slip}`)).body).toMatchObject({
      type: "L",
      payload: { event: "comment_deleted", content: "", format: "html" },
      sync: { operations: [{ kind: "comment.create" }] },
    });
    await bob.post("/api/sync/resume");
    await api.waitForSync();
    for (const client of [ada, bob]) {
      expect(await linesOf(api, client === ada ? "ada" : "bob", request)).toEqual(["L comment_deleted", "C Kept"]);
      const deleted = (await client.get(`${path}/${slip}`)).body;
      expect(deleted).toMatchObject({ type: "L", payload: { event: "comment_deleted", content: "" }, revision_id: 2 });
      expect(deleted).not.toHaveProperty("sync");
      expect((await client.get(`${path}/${slip}/replies`)).body.hits.total).toBe(1);
    }
    expect((await ada.get(`/api/requests/${request}/files/${up.body.key}/content`)).status).toBe(404);
    const notifications = (await ada.get("/api/sync/notifications")).body.hits.hits;
    expect(notifications.map(({ comment: id }: { comment: string }) => id)).not.toContain(slip);
  });

  test("attachments of a conversation are fetched when opened", async () => {
    const api = await startApi("replica");
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { request } = await givenSubmitted(api, "ada", "bob");
    const up = await bob.putBytes(`/api/requests/${request}/files/upload/a.txt`, "bytes");
    expect(up.status, up.text).toBe(200);
    const files = [{ file_id: up.body.id }];
    expect((await bob.post(`/api/requests/${request}/comments`, comment("see", { files }))).status).toBe(201);
    await api.waitForSync();
    const path = `/api/requests/${request}/files/${up.body.key}/content`;
    expect(await ada.get(path)).toMatchObject({ status: 200, text: "bytes" });
    expect(await bob.get(path)).toMatchObject({ status: 200, text: "bytes" });
    const { sha256 } = await api.server.host.db.selectFrom("event_file").select("sha256").executeTakeFirstOrThrow();
    for (const name of ["ada", "bob"]) {
      const { host } = await api.replicaOf(name);
      await until(() => host.blobs.has(sha256), "the bytes are here");
    }
  });
});
