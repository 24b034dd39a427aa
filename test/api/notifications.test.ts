import { describe, expect, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import { givenRecord } from "../support/records.ts";
import { comment, type GivenReview, givenComment, givenReview, givenSubmitted } from "../support/reviews.ts";
import { replicaOf, synced } from "../support/two-replicas.ts";

const kindsOf = (body: { hits: { hits: { kind: string }[] } }): string[] => body.hits.hits.map(({ kind }) => kind);

describe.each(roles)("notifications on the %s (hosts-and-sync 5)", (role) => {
  test("what others did that concerns the caller, newest first, with unread; marking read", async () => {
    const api = await startApi(role);
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { request } = await givenSubmitted(api, "ada", "bob");
    const first = await givenComment(api, "bob", request, "A question");
    await ada.post(`/api/requests/${request}/comments/${first}/reply`, comment("An answer"));
    await bob.post(`/api/requests/${request}/actions/decline`, comment("Not yet"));
    await api.waitForSync();
    const forBob = (await bob.get("/api/sync/notifications")).body;
    expect(kindsOf(forBob)).toEqual(["replied", "submitted"]);
    expect(forBob.unread).toBe(2);
    const forAda = (await ada.get("/api/sync/notifications")).body;
    expect(kindsOf(forAda)).toEqual(["declined", "commented"]);
    expect(forAda.hits.hits[1]).toMatchObject({
      ...{ request, comment: first, actor: await api.idOf("bob"), title: "Deep sea core 12", read: false },
      created: expect.stringMatching(/\+00:00$/),
    });
    const [newest] = forBob.hits.hits;
    expect((await bob.post("/api/sync/notifications/read", { ids: [newest.id] })).status).toBe(204);
    expect((await bob.get("/api/sync/notifications")).body).toMatchObject({ unread: 1 });
    expect((await bob.post("/api/sync/notifications/read", { all: true })).status).toBe(204);
    await api.waitForSync();
    expect((await bob.get("/api/sync/notifications")).body).toMatchObject({ unread: 0 });
    expect((await (await api.onServer("bob")).get("/api/sync/notifications")).body).toMatchObject({ unread: 0 });
    expect((await ada.get("/api/sync/notifications")).body.unread).toBe(2);
  });

  test("the owner of a record is notified when an administrator deletes it, but not of an own deletion (issue 17)", async () => {
    const api = await startApi(role);
    const [ada, admin] = [await api.as("ada"), await api.onServer("admin")];
    const [hidden, lost, own] = [await givenRecord(ada), await givenRecord(ada), await givenRecord(admin)];
    await api.waitForSync();
    expect((await admin.delete(`/api/records/${hidden}/delete`, { is_visible: false })).status).toBe(204);
    expect((await admin.delete(`/api/records/${lost}/delete`, { note: "Twice" })).status).toBe(204);
    expect((await admin.delete(`/api/records/${own}/delete`, {})).status).toBe(204);
    await api.waitForSync();
    await expect.poll(async () => (await ada.get("/api/sync/notifications")).body.unread).toBe(2);
    const { body } = await ada.get("/api/sync/notifications");
    expect(body.hits.hits).toMatchObject([
      {
        ...{ kind: "record_deleted", request: null, record: lost, comment: null, title: "A Romans story" },
        actor: await api.idOf("admin"),
      },
      { kind: "record_deleted", request: null, record: hidden, title: "A Romans story" },
    ]);
    expect((await admin.get("/api/sync/notifications")).body.hits.total).toBe(0);
  });

  test("notifications about a request are deleted with it, everywhere: review replaced or deleted, request deleted, draft discarded", async () => {
    const api = await startApi(role);
    const ada = await api.as("ada");
    const another = { receiver: { user: await api.idOf("cleo") }, type: "default-request" };
    const ways = [
      ({ draft }: GivenReview) => ada.put(`/api/records/${draft}/draft/review`, another),
      ({ draft }: GivenReview) => ada.delete(`/api/records/${draft}/draft/review`),
      ({ request }: GivenReview) => ada.delete(`/api/requests/${request}`),
      ({ draft }: GivenReview) => ada.delete(`/api/records/${draft}/draft`),
    ];
    const seen = async () => (await ada.get("/api/sync/notifications")).body;
    for (const remove of ways) {
      const given = await givenReview(api, "ada", "bob");
      await api.waitForSync();
      await givenComment(api, "admin", given.request, "Not quite");
      await api.waitForSync();
      await expect.poll(async () => kindsOf(await seen())).toEqual(["commented"]);
      expect((await remove(given)).status).toBeLessThan(300);
      await api.waitForSync();
      await expect.poll(async () => kindsOf(await seen())).toEqual([]);
      expect((await (await api.onServer("ada")).get("/api/sync/notifications")).body.hits.total).toBe(0);
    }
  });
});

describe("notifications", () => {
  test("nobody reads or marks those of another; anonymous 403; a body of another shape 400", async () => {
    const api = await startApi();
    await givenSubmitted(api, "ada", "bob");
    const bob = await api.as("bob");
    const { id } = (await bob.get("/api/sync/notifications")).body.hits.hits[0];
    await (await api.as("cleo")).post("/api/sync/notifications/read", { ids: [id] });
    expect((await bob.get("/api/sync/notifications")).body.unread).toBe(1);
    expect((await api.anonymous.get("/api/sync/notifications")).status).toBe(403);
    for (const [body, field, message] of [
      [[], "_schema", "Invalid input type."],
      ["5", "_schema", "Invalid input type."],
      [{}, "_schema", "Either ids or all is expected."],
      [{ ids: [id], all: true }, "_schema", "Either ids or all is expected."],
      [{ ids: [5] }, "ids.0", "Not a valid string."],
      [{ all: false }, "all", "Must be one of: true."],
      [{ some: 1 }, "some", "Unknown field."],
    ] as const) {
      const json = { headers: { "content-type": "application/json" } };
      const refused = await bob.post("/api/sync/notifications/read", body, json);
      expect([refused.status, refused.body.errors[0]]).toEqual([400, { field, messages: [message] }]);
    }
  });

  test("marked as read without the server, on all of the person's replicas; what comes meanwhile stays unread", async () => {
    const api = await startApi("replica");
    const bob = await api.as("bob");
    const second = await replicaOf(api, "bob");
    const { request } = await givenSubmitted(api, "ada", "bob");
    await synced(second);
    await bob.post("/api/sync/pause");
    expect((await bob.post("/api/sync/notifications/read", { all: true })).status).toBe(204);
    expect((await bob.get("/api/sync/notifications")).body.unread).toBe(0);
    expect((await second.get("/api/sync/notifications")).body.unread).toBe(1);
    await givenComment(api, "ada", request, "One more");
    await bob.post("/api/sync/resume");
    await api.waitForSync();
    const seen = async () => (await second.get("/api/sync/notifications")).body;
    await expect.poll(async () => (await seen()).unread).toBe(1);
    const read = (await seen()).hits.hits.map(({ kind, read }: { kind: string; read: boolean }) => [kind, read]);
    expect(read).toEqual([
      ["commented", false],
      ["submitted", true],
    ]);
    expect((await bob.get("/api/sync/notifications")).body).toMatchObject({ unread: 1, hits: { total: 2 } });
  });
});
