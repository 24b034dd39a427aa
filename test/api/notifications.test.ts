import { describe, expect, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import { openMailbox } from "../support/mailbox.ts";
import { comment, givenComment, givenSubmitted } from "../support/reviews.ts";

const kindsOf = (body: { hits: { hits: { kind: string }[] } }): string[] => body.hits.hits.map(({ kind }) => kind);

describe.each(roles)("notifications on the %s (hosts-and-sync 5)", (role) => {
  test("what others did that concerns the caller, newest first, with unread; marking read", async () => {
    const api = await startApi(role);
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { request } = await givenSubmitted(api, "ada", "bob");
    const first = await givenComment(api, "bob", request, "A question");
    await ada.post(`/api/requests/${request}/comments/${first}/reply`, comment("An answer"));
    await bob.post(`/api/requests/${request}/actions/decline`, comment("Not yet"));
    await api.settle();
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
    await api.settle();
    expect((await bob.get("/api/sync/notifications")).body).toMatchObject({ unread: 0 });
    expect((await (await api.onServer("bob")).get("/api/sync/notifications")).body).toMatchObject({ unread: 0 });
    expect((await ada.get("/api/sync/notifications")).body.unread).toBe(2);
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
    expect((await bob.post("/api/sync/notifications/read", { some: 1 })).status).toBe(400);
  });

  test("mail for each row, never to the actor, in both forms with a link (requests 13)", async () => {
    const box = await openMailbox();
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    const { request } = await givenSubmitted(api, "ada", "bob");
    const id = await givenComment(api, "bob", request, "<p>Which <b>core</b>?</p>");
    const [submitted = "", commented = ""] = await box.first(2);
    expect(submitted).toMatch(/^To: bob@example\.org/m);
    expect(submitted).toMatch(/text\/plain/);
    expect(submitted).toMatch(/text\/html/);
    expect(commented).toMatch(/^To: ada@example\.org/m);
    const text = commented.replace(/=\r?\n/g, "").replaceAll("=3D", "=");
    expect(text).toContain(`/me/requests/${request}#commentevent-${id}`);
    expect(text).toContain("Which core?");
    expect(box.mails).toHaveLength(2);
  });

  test("delivery never delays or fails the call: without a mail server the call is as fast and the order stays", async () => {
    const api = await startApi("server", { settings: { smtp: { url: "smtp://127.0.0.1:1", from: "a@example.org" } } });
    await givenSubmitted(api, "ada", "bob");
    const jobs = await api.server.host.db.selectFrom("job").selectAll().execute();
    expect(jobs.map(({ kind }) => kind)).toEqual(["mail"]);
  });

  test("preferences.notifications.enabled false: no mail", async () => {
    const box = await openMailbox();
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    const preferences = JSON.stringify({ notifications: { enabled: false } });
    const id = await api.idOf("bob");
    await api.server.host.db.updateTable("user").set({ preferences }).where("id", "=", id).execute();
    const { request } = await givenSubmitted(api, "ada", "bob");
    await givenComment(api, "bob", request, "Hello");
    const [only = ""] = await box.first(1);
    expect(only).toMatch(/^To: ada@example\.org/m);
  });
});
