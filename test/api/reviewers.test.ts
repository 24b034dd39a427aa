import { describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { comment, givenDraft, givenReview, givenSubmitted, linesOf } from "../support/reviews.ts";
import { pause, replicaOf, resume, trayOf } from "../support/two-replicas.ts";

const act = (request: string, action: string): string => `/api/requests/${request}/actions/${action}`;
const listOf = (request: string): string => `/api/requests/${request}/reviewers`;

/** Kinds of a user's notifications, newest first. */
const kindsFor = async (api: Api, name: string): Promise<string[]> =>
  (await (await api.onServer(name)).get("/api/sync/notifications")).body.hits.hits.map(
    ({ kind }: { kind: string }) => kind,
  );

describe.each(roles)("several reviewers on the %s (app, missing 6)", (role) => {
  test("named with the review: each reads, comments and decides, and each is notified once", async () => {
    const api = await startApi(role);
    const [ada, bob, cleo] = [await api.as("ada"), await api.as("bob"), await api.as("cleo")];
    const [first, second] = [{ user: await api.idOf("bob") }, { user: await api.idOf("cleo") }];
    const draft = await givenDraft(api, "ada");
    const body = { receiver: first, reviewers: [first, second, second] };
    const path = `/api/records/${draft}/draft/review`;
    const bad = await ada.put(path, { receiver: first, reviewers: [second, { user: "4711" }] });
    expect(bad.status).toBe(400);
    expect(bad.body.errors).toMatchObject([{ field: "reviewers.1" }]);
    expect((await ada.put(path, { receiver: first, reviewers: "cleo" })).body.errors[0].field).toBe("reviewers");
    const put = await ada.put(path, body);
    expect(put.status, put.text).toBe(200);
    const both = [first, second].map((one) => ({ ...one, outcome: "pending", decided_at: null }));
    expect(put.body).toMatchObject({ receiver: first, reviewers: both });
    await api.waitForSync();
    expect((await cleo.get(`/api/requests/${put.body.id}`)).status, "not before it is submitted").not.toBe(200);
    expect((await ada.post(`/api/records/${draft}/draft/actions/submit-review`)).status).toBe(202);
    await api.waitForSync();
    expect(await kindsFor(api, "bob")).toEqual(["submitted"]);
    expect(await kindsFor(api, "cleo")).toEqual(["submitted"]);
    const mine = await cleo.get(`/api/user/requests?waits_for=user:${second.user}`);
    expect(mine.body.hits.hits).toMatchObject([{ id: put.body.id, reviewers: both }]);
    expect((await cleo.get(`/api/records/${draft}/draft`)).status).toBe(200);
    expect((await cleo.post(`/api/requests/${put.body.id}/comments`, comment("Units?"))).status).toBe(201);
    expect((await cleo.post(act(put.body.id, "request-changes"))).status).toBe(200);
    await api.waitForSync();
    const shown = (await bob.get(`/api/requests/${put.body.id}?expand=1`)).body;
    expect(shown.reviewers.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      "pending",
      "changes_requested",
    ]);
    expect(shown.expanded.reviewers.map(({ id }: { id: string }) => id)).toEqual([first.user, second.user]);
    const sentBack = await bob.put(`/api/requests/${put.body.id}`, { ...shown, reviewers: [first] });
    expect(sentBack.body.reviewers, "a body sent back changes no reviewers (interop 6)").toEqual(shown.reviewers);
    expect((await bob.post(act(put.body.id, "accept"))).body).toMatchObject({ status: "accepted" });
  });

  test("a reviewer whose account is deactivated is said to be so until it is activated (issue 17: To review)", async () => {
    const api = await startApi(role);
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const admin = await api.onServer("admin");
    const cleo = { user: await api.idOf("cleo") };
    const { request } = await givenSubmitted(api, "ada", "bob");
    await api.waitForSync();
    expect((await ada.post(listOf(request), cleo)).status).toBe(200);
    await api.waitForSync();
    const state = async (action: string) => {
      const acted = await admin.post(`/api/administration/people/${cleo.user}/actions/${action}`);
      expect(acted.status, acted.text).toBe(200);
      await api.waitForSync();
      return (await ada.get(`/api/requests/${request}`)).body.reviewers;
    };
    const [first, gone] = await state("deactivate");
    expect(first).not.toHaveProperty("is_deactivated");
    expect(gone).toEqual({ ...cleo, outcome: "pending", decided_at: null, is_deactivated: true });
    // It stays so while others decide.
    expect((await bob.post(act(request, "request-changes"))).status).toBe(200);
    await api.waitForSync();
    expect((await ada.post(act(request, "request-review"))).status).toBe(200);
    await api.waitForSync();
    expect((await ada.get(`/api/requests/${request}`)).body.reviewers[1]).toEqual(gone);
    expect((await state("activate"))[1]).toEqual({ ...cleo, outcome: "pending", decided_at: null });
    await state("deactivate");
    const removed = await ada.delete(`${listOf(request)}/user:${cleo.user}`);
    expect(removed.body.reviewers).toHaveLength(1);
  });

  test("the creator adds and removes reviewers while it is open; a removed one loses access", async () => {
    const api = await startApi(role);
    const [ada, bob, cleo] = [await api.as("ada"), await api.as("bob"), await api.as("cleo")];
    const { draft, request } = await givenSubmitted(api, "ada", "bob");
    const [first, second] = [{ user: await api.idOf("bob") }, { user: await api.idOf("cleo") }];
    await api.waitForSync();
    const alone = await ada.delete(`${listOf(request)}/user:${first.user}`);
    expect(alone).toMatchObject({ status: 400, body: { message: expect.stringMatching(/one person must remain/) } });
    const added = await ada.post(listOf(request), second);
    expect(added.status, added.text).toBe(200);
    expect(added.body.reviewers).toMatchObject([first, { ...second, outcome: "pending" }]);
    expect((await ada.post(listOf(request), second)).body.errors).toMatchObject([{ field: "reviewer" }]);
    // A replica leaves the check of a person it does not know to the server.
    if (role === "server") expect((await ada.post(listOf(request), { user: "4711" })).status).toBe(400);
    await api.waitForSync();
    expect(await kindsFor(api, "cleo")).toEqual(["submitted"]);
    expect((await cleo.get(`/api/records/${draft}/draft`)).status).toBe(200);
    expect((await cleo.post(listOf(request), { user: await api.idOf("dora") })).status, "a reviewer names none").toBe(
      403,
    );
    expect((await bob.post(act(request, "request-changes"))).status).toBe(200);
    await api.waitForSync();
    const decided = await ada.delete(`${listOf(request)}/user:${first.user}`);
    expect(decided).toMatchObject({ status: 400, body: { message: expect.stringMatching(/has decided/) } });
    const removed = await ada.delete(`${listOf(request)}/user:${second.user}`);
    expect(removed.status, removed.text).toBe(200);
    expect(removed.body.reviewers).toMatchObject([first]);
    await api.waitForSync();
    expect((await cleo.get(`/api/requests/${request}`)).status).toBe(403);
    expect((await cleo.get(`/api/records/${draft}/draft`)).status).toBe(403);
    expect((await cleo.get("/api/requests")).body.hits.total).toBe(0);
    const lines = (await ada.get(`/api/requests/${request}/timeline`)).body.hits.hits;
    expect(
      lines.map(({ payload, about }: { payload: { event: string }; about?: object }) => [payload.event, about]),
    ).toEqual([
      ["reviewer_added", second],
      ["changes_requested", undefined],
      ["reviewer_removed", second],
    ]);
    await ada.post(act(request, "cancel"));
    expect((await ada.post(listOf(request), second)).body.message).toMatch(/the request is cancelled/i);
  });

  test("removing the first reviewer makes the next person the receiver; an unsent request has no lines", async () => {
    const api = await startApi(role);
    const ada = await api.as("ada");
    const { request } = await givenReview(api, "ada", "bob");
    const [first, second] = [{ user: await api.idOf("bob") }, { user: await api.idOf("cleo") }];
    await api.waitForSync();
    expect((await ada.post(listOf(request), second)).status).toBe(200);
    await api.waitForSync();
    const answer = await ada.delete(`${listOf(request)}/user:${first.user}`);
    expect(answer.body).toMatchObject({ receiver: second, reviewers: [second] });
    expect(answer.body.reviewers).toHaveLength(1);
    await api.waitForSync();
    expect(await linesOf(api, "ada", request)).toEqual([]);
    expect(await kindsFor(api, "cleo")).toEqual([]);
  });

  test("members of a group decide for the group, and who leaves it loses access; all whom a reader may see are listed", async () => {
    const api = await startApi(role);
    const [admin, ada, cleo, dora] = [
      await api.as("admin"),
      await api.as("ada"),
      await api.as("cleo"),
      await api.as("dora"),
    ];
    await api.server.services.groups.provide({ name: "visitors", description: "come and go", is_managed: false });
    const groupsOf = async (name: string) => `/api/users/${await api.idOf(name)}/groups`;
    for (const name of ["cleo", "dora"]) {
      expect((await admin.post(await groupsOf(name), { groups: ["visitors"] })).status).toBe(200);
    }
    const { draft, request } = await givenSubmitted(api, "ada", "bob");
    await api.waitForSync();
    if (role === "server") expect((await ada.post(listOf(request), { group: "nobody" })).status).toBe(400);
    await ada.get("/api/groups/visitors");
    await api.waitForSync();
    const added = await ada.post(listOf(request), { group: "visitors" });
    expect(added.status, added.text).toBe(200);
    expect(added.body.reviewers[1]).toMatchObject({ group: "visitors", outcome: "pending" });
    await api.waitForSync();
    const reviewing = async (name: string) => {
      const { status, body } = await (await api.as(name)).get(listOf(request));
      return status === 200 ? body.hits.hits.map(({ username }: { username: string }) => username) : status;
    };
    expect([await reviewing("ada"), await reviewing("eve")]).toEqual([["bob", "cleo", "dora"], 403]);
    await (await api.onServer("dora")).put("/api/me", { visibility: "restricted" });
    expect(await reviewing("cleo")).toEqual(["bob", "cleo"]);
    expect(await kindsFor(api, "cleo")).toEqual(["submitted"]);
    const waiting = async (name: string) => {
      const path = `/api/requests?waits_for=user:${await api.idOf(name)}`;
      return (await (await api.as(name)).get(path)).body.hits.total;
    };
    expect([await waiting("cleo"), await waiting("dora")]).toEqual([1, 1]);
    expect((await cleo.get(`/api/records/${draft}/draft`)).status).toBe(200);
    const changes = await cleo.post(act(request, "request-changes"), comment("Units?"));
    expect(changes.body.reviewers[1]).toMatchObject({ group: "visitors", outcome: "changes_requested" });
    await api.waitForSync();
    expect([await waiting("cleo"), await waiting("dora")]).toEqual([0, 0]);
    expect((await ada.post(act(request, "request-review"))).status).toBe(200);
    await api.waitForSync();
    expect((await admin.delete(await groupsOf("dora"), { groups: ["visitors"] })).status).toBe(200);
    await api.waitForSync();
    expect((await dora.get(`/api/requests/${request}`)).status).toBe(403);
    expect((await cleo.post(act(request, "accept"))).body).toMatchObject({ status: "accepted" });
  });
});

describe("reviewers named offline (app, missing 6; hosts-and-sync 3, 4)", () => {
  test("a change shows at once, is sent once, and reaches and leaves the reviewer's computer", async () => {
    const api = await startApi("server");
    await api.as("cleo");
    const { request } = await givenSubmitted(api, "ada", "bob");
    const second = { user: await api.idOf("cleo") };
    const [ada, cleo] = [await replicaOf(api, "ada"), await replicaOf(api, "cleo")];
    await ada.get(`/api/users/${second.user}`);
    await pause(ada);
    expect((await ada.post(listOf(request), { user: "4711" })).status).toBe(503);
    const added = await ada.post(listOf(request), second);
    expect(added.status, added.text).toBe(200);
    expect(added.body).toMatchObject({
      reviewers: [{}, { ...second, outcome: "pending" }],
      sync: { state: "pending", operations: [{ kind: "request.add-reviewer" }] },
    });
    await resume(ada, cleo);
    expect((await cleo.get(`/api/requests/${request}`)).body.reviewers).toMatchObject([{}, second]);
    expect(await linesOf(api, "ada", request)).toEqual(["L reviewer_added"]);
    await pause(ada);
    expect((await ada.delete(`${listOf(request)}/user:${second.user}`)).body.reviewers).toHaveLength(1);
    await resume(ada, cleo);
    expect((await cleo.get(`/api/requests/${request}`)).status).toBe(403);
    expect((await cleo.get("/api/requests")).body.hits.total).toBe(0);
    expect(await linesOf(api, "ada", request)).toEqual(["L reviewer_added", "L reviewer_removed"]);
  });

  test.each(roles)(
    "a creator who may no longer manage the draft names no reviewers on the %s (records 2)",
    async (role) => {
      const api = await startApi(role);
      const [ada, bob] = [await api.as("ada"), await api.as("bob")];
      for (const name of ["cleo", "dana"]) await api.as(name);
      const draft = await givenDraft(api, "ada");
      const grants = `/api/records/${draft}/access/grants`;
      const subject = { type: "user", id: await api.idOf("bob") };
      expect((await ada.post(grants, { grants: [{ permission: "manage", subject }] })).status).toBe(201);
      await api.waitForSync();
      const wish = { receiver: { user: await api.idOf("cleo") } };
      const { id } = (await bob.put(`/api/records/${draft}/draft/review`, wish)).body;
      await bob.post(`/api/records/${draft}/draft/actions/submit-review`);
      await api.waitForSync();
      expect((await ada.delete(`${grants}/0`)).status).toBe(204);
      await api.waitForSync();
      const asked = await bob.post(listOf(id), { user: await api.idOf("dana") });
      // The draft has left bob's computer by then.
      expect(asked.status).toBe(role === "server" ? 403 : 404);
      expect((await ada.get(`/api/requests/${id}`)).body.reviewers).toHaveLength(1);
    },
  );

  test("a reviewer added to a request that was closed meanwhile is refused with its reason", async () => {
    const api = await startApi("server");
    const { request } = await givenSubmitted(api, "ada", "bob");
    await api.as("cleo");
    const second = { user: await api.idOf("cleo") };
    const ada = await replicaOf(api, "ada");
    await ada.get(`/api/users/${second.user}`);
    await pause(ada);
    await ada.post(listOf(request), second);
    await (await api.as("bob")).post(act(request, "decline"));
    await resume(ada);
    expect(await trayOf(ada)).toMatchObject([
      { kind: "request.add-reviewer", reason: expect.stringMatching(/the request is declined/i) },
    ]);
    expect((await ada.get(`/api/requests/${request}`)).body.reviewers).toHaveLength(1);
  });

  test("several reviewers are named with a review that is queued", async () => {
    const api = await startApi("replica");
    const ada = await api.as("ada");
    const named = [{ user: await api.idOf("bob") }, { user: await api.idOf("cleo") }];
    for (const { user } of named) await ada.get(`/api/users/${user}`);
    await ada.post("/api/sync/pause");
    const draft = await givenDraft(api, "ada");
    const put = await ada.put(`/api/records/${draft}/draft/review`, { receiver: named[0], reviewers: named });
    expect(put).toMatchObject({ status: 202, body: { reviewers: named } });
    expect((await ada.post(listOf(put.body.id), named[1])).status).toBe(400);
    await ada.post(`/api/records/${draft}/draft/actions/submit-review`);
    await ada.post("/api/sync/resume");
    await api.waitForSync();
    const seen = (await (await api.as("cleo")).get(`/api/requests/${put.body.id}`)).body;
    expect(seen).toMatchObject({ status: "submitted", reviewers: named });
  });
});
