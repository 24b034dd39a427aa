import { describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { openMailbox } from "../support/mailbox.ts";
import { comment, givenReview, givenSubmitted, linesOf } from "../support/reviews.ts";
import { pause, replicaOf, resume, trayOf } from "../support/two-replicas.ts";

const pathTo = (request: string, action: string): string => `/api/requests/${request}/actions/${action}`;

/** How many requests wait for a user. */
async function waitingFor(api: Api, name: string): Promise<number> {
  const { body } = await (await api.as(name)).get(`/api/requests?waits_for=user:${await api.idOf(name)}`);
  return body.hits.total;
}

describe.each(roles)("requesting changes on the %s (app, missing 6)", (role) => {
  test("the request stays open and waits for its author; asked again, it waits for the reviewer", async () => {
    const api = await startApi(role);
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { draft, request } = await givenSubmitted(api, "ada", "bob");
    await api.waitForSync();
    expect([await waitingFor(api, "ada"), await waitingFor(api, "bob")]).toEqual([0, 1]);
    const changes = await bob.post(pathTo(request, "request-changes"), comment("Please add units"));
    expect(changes.status, changes.text).toBe(200);
    const user = await api.idOf("bob");
    expect(changes.body).toMatchObject({
      ...{ status: "submitted", is_open: true, is_closed: false, changes_requested: true },
      receiver: { user },
      reviewers: [{ user, outcome: "changes_requested", decided_at: expect.stringMatching(/^\d{4}-/) }],
    });
    expect(Object.keys(changes.body.links.actions).sort()).toEqual(["accept", "cancel", "decline", "submit"]);
    expect(changes.body.links).toMatchObject({
      request_changes: expect.stringMatching(new RegExp(`/api/requests/${request}/actions/request-changes$`)),
      request_review: expect.stringMatching(/request-review$/),
    });
    await api.waitForSync();
    expect([await waitingFor(api, "ada"), await waitingFor(api, "bob")]).toEqual([1, 0]);
    expect((await ada.get("/api/requests?changes_requested=true")).body.hits.total).toBe(1);
    expect((await ada.get("/api/requests?q=changes_requested:true")).body.hits.total).toBe(1);
    expect((await bob.put(`/api/requests/${request}`, (await bob.get(`/api/requests/${request}`)).body)).status).toBe(
      200,
    );
    expect((await bob.get(`/api/records/${draft}/draft`)).status, "the reviewer may still read").toBe(200);
    expect((await bob.post(pathTo(request, "request-changes"))).body.message).toMatch(/you have requested changes/);
    expect((await bob.post(pathTo(request, "request-review"))).status).toBe(403);
    await api.waitForSync();
    const again = await ada.post(pathTo(request, "request-review"), comment("Units added"));
    expect(again.status, again.text).toBe(200);
    expect(again.body).toMatchObject({ changes_requested: false, reviewers: [{ user, outcome: "pending" }] });
    expect((await ada.post(pathTo(request, "request-review"))).body.message).toMatch(/no changes are requested/);
    await api.waitForSync();
    expect([await waitingFor(api, "ada"), await waitingFor(api, "bob")]).toEqual([0, 1]);
    const kinds = async (name: string) =>
      (await (await api.as(name)).get("/api/sync/notifications")).body.hits.hits.map(
        (one: { kind: string }) => one.kind,
      );
    await expect.poll(() => kinds("ada")).toEqual(["changes_requested"]);
    await expect.poll(() => kinds("bob")).toEqual(["review_requested", "submitted"]);
    const accepted = await bob.post(pathTo(request, "accept"));
    expect(accepted.body).toMatchObject({ status: "accepted", reviewers: [{ user, outcome: "accepted" }] });
    await api.waitForSync();
    expect(await linesOf(api, "ada", request)).toEqual([
      ..."L changes_requested,C Please add units,L review_requested,C Units added,L accepted".split(","),
    ]);
  });

  test("only a submitted request can wait for changes", async () => {
    const api = await startApi(role);
    const bob = await api.as("bob");
    const { request } = await givenReview(api, "ada", "bob");
    await api.waitForSync();
    const answer = await bob.post(pathTo(request, "request-changes"));
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(/the request is draft/) } });
    expect((await bob.post(pathTo(request, "wave"))).status).toBe(400);
  });
});

describe("requesting changes offline (app, missing 6; hosts-and-sync 3, 4)", () => {
  test("both sides' steps are queued, sent once, and the request waits for the other in between", async () => {
    const api = await startApi("server");
    const { request } = await givenSubmitted(api, "ada", "bob");
    const [ada, bob] = [await replicaOf(api, "ada"), await replicaOf(api, "bob")];
    await pause(ada, bob);
    const queued = await bob.post(pathTo(request, "request-changes"), comment("Please add units"));
    expect(queued).toMatchObject({
      status: 202,
      body: { changes_requested: false, sync: { state: "pending", operations: [{ kind: "request.request-changes" }] } },
    });
    const twice = await bob.post(pathTo(request, "request-changes"), comment("Please add units"));
    expect(twice.body.sync.operations, "pressed twice, queued once").toHaveLength(1);
    expect((await bob.post(pathTo(request, "request-changes"), comment("And a map"))).status).toBe(400);
    await resume(bob, ada);
    expect((await ada.get(`/api/requests/${request}`)).body.changes_requested).toBe(true);
    await pause(ada);
    expect((await ada.post(pathTo(request, "request-review"))).status).toBe(202);
    await resume(ada, bob);
    expect((await bob.get(`/api/requests/${request}`)).body).toMatchObject({ changes_requested: false, is_open: true });
    expect(await linesOf(api, "ada", request)).toEqual([
      "L changes_requested",
      "C Please add units",
      "L review_requested",
    ]);
  });

  test("what is stale is refused into the tray with its reason and comment", async () => {
    const api = await startApi("server");
    const { request } = await givenSubmitted(api, "ada", "bob");
    const bob = await replicaOf(api, "bob");
    await pause(bob);
    await bob.post(pathTo(request, "request-changes"), comment("Please add units"));
    await (await api.as("ada")).post(pathTo(request, "cancel"));
    await resume(bob);
    const [refused] = await trayOf(bob);
    expect(refused).toMatchObject({
      kind: "request.request-changes",
      reason: expect.stringMatching(/the request is cancelled/),
    });
    expect((await bob.post(`/api/sync/tray/${refused.id}/copy`)).body).toMatchObject({ content: "Please add units" });
    expect(await linesOf(api, "ada", request)).toEqual(["L cancelled"]);
  });
});

test("mail about requested changes, and about another look at them (app, missing 6; requests 13)", async () => {
  const box = await openMailbox();
  const api = await startApi("server", { settings: { smtp: box.smtp } });
  const { request } = await givenSubmitted(api, "ada", "bob");
  await box.first(1);
  await (await api.as("bob")).post(pathTo(request, "request-changes"));
  await box.first(2);
  await (await api.as("ada")).post(pathTo(request, "request-review"));
  const [, changes, again] = await box.first(3);
  expect(changes).toMatchObject({ to: "ada@example.org", subject: expect.stringMatching(/ requests changes to “/) });
  expect(again).toMatchObject({
    to: "bob@example.org",
    subject: expect.stringMatching(/ asks you to look again at “/),
  });
});

test("a replica of the protocol before gets rows and notifications that it knows (app, missing 6)", async () => {
  const api = await startApi("server");
  const { request } = await givenSubmitted(api, "ada", "bob");
  const [ada, bob] = [await api.as("ada"), await api.as("bob")];
  await bob.post(pathTo(request, "request-changes"), comment("Please add units"));
  const seen = async (protocol: string) => {
    const { body } = await ada.get("/api/sync/changes", { headers: { "carrel-protocol": protocol } });
    const rows = body.changes.flatMap((one: { bundle?: { rows: object } }) => (one.bundle ? [one.bundle.rows] : []));
    return JSON.stringify(rows);
  };
  expect(await seen("5")).toMatch(/"reviewers"/);
  const older = await seen("4");
  expect(older).not.toMatch(/"reviewers"|"about"|"kind":"changes_requested"/);
  expect(older).toMatch(/"event":"changes_requested"/);
  const opened = await ada.post(
    "/api/sync/open",
    { kind: "request", id: request },
    { headers: { "carrel-protocol": "4" } },
  );
  expect(opened.text).not.toMatch(/"reviewers"/);
});
