import { describe, expect, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import { comment, givenDraft, givenReview, givenSubmitted, linesOf, publishable } from "../support/reviews.ts";

describe.each(roles)("reviews of drafts on the %s (requests 4, 5)", (role) => {
  test("from choosing a reviewer to the published record", async () => {
    const api = await startApi(role);
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { draft, request } = await givenReview(api, "ada", "bob");
    const shown = await ada.get(`/api/requests/${request}`);
    expect(shown.status).toBe(200);
    expect(shown.headers.get("etag")).toBe('"1"');
    expect(shown.body).toMatchObject({
      ...{ id: request, type: "default-request", title: "", status: "draft", revision_id: 1, expires_at: null },
      created_by: { user: await api.idOf("ada") },
      receiver: { user: await api.idOf("bob") },
      topic: { record: draft },
      ...{ is_open: false, is_closed: false, is_expired: false, is_locked: false, last_reply: null },
    });
    expect(shown.body).not.toHaveProperty("description");
    expect(shown.body.created).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/);
    const self = `${ada.url}/api/requests/${request}`;
    expect(shown.body.links).toEqual({
      self,
      self_html: `${ada.url}/me/requests/${request}`,
      ...{ comments: `${self}/comments`, timeline: `${self}/timeline`, timeline_focused: `${self}/timeline_focused` },
      ...{ lock: `${self}/lock`, unlock: `${self}/unlock` },
      ...{ request_changes: `${self}/actions/request-changes`, request_review: `${self}/actions/request-review` },
      actions: {
        accept: `${self}/actions/accept`,
        cancel: `${self}/actions/cancel`,
        decline: `${self}/actions/decline`,
        submit: `${self}/actions/submit`,
      },
    });
    expect((await bob.get(`/api/records/${draft}/draft`)).status).toBe(403);
    const sent = await ada.post(`/api/records/${draft}/draft/actions/submit-review`, comment("<p>Please look</p>"));
    expect(sent.status, sent.text).toBe(202);
    expect(sent.body).toMatchObject({ status: "submitted", is_open: true, title: "Deep sea core 12", revision_id: 2 });
    expect((await ada.get(`/api/records/${draft}/draft`)).body).toMatchObject({
      status: "in_review",
      parent: { review: { id: request, type: "default-request", receiver: { user: await api.idOf("bob") } } },
    });
    expect((await bob.get(`/api/records/${draft}/draft`)).status).toBe(200);
    const accepted = await bob.post(`/api/requests/${request}/actions/accept`, comment("Good work"));
    expect(accepted.status, accepted.text).toBe(200);
    expect(accepted.body).toMatchObject({ status: "accepted", is_closed: true, is_open: false, revision_id: 3 });
    expect(accepted.headers.get("etag")).toBe('"3"');
    expect((await ada.get(`/api/records/${draft}`)).body).toMatchObject({ is_published: true });
    expect((await ada.get(`/api/records/${draft}/draft`)).status).toBe(404);
    expect((await ada.get(`/api/records/${draft}/draft/review`)).status).toBe(404);
    expect(await linesOf(api, "ada", request)).toEqual(["C <p>Please look</p>", "L accepted", "C Good work"]);
  });

  test("decline keeps the review linked, cancel unlinks it", async () => {
    const api = await startApi(role);
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const first = await givenSubmitted(api, "ada", "bob");
    expect((await bob.post(`/api/requests/${first.request}/actions/decline`)).body.status).toBe("declined");
    expect((await ada.get(`/api/records/${first.draft}/draft/review`)).body.id).toBe(first.request);
    expect((await ada.get(`/api/records/${first.draft}/draft`)).body.status).toBe("declined");
    const again = await ada.put(`/api/records/${first.draft}/draft/review`, {
      receiver: { user: await api.idOf("bob") },
    });
    expect(again.status, again.text).toBe(200);
    expect(again.body.id).not.toBe(first.request);
    expect((await ada.get(`/api/requests/${first.request}`)).status).toBe(200);
    const second = await givenSubmitted(api, "ada", "bob", "Another");
    expect((await ada.post(`/api/requests/${second.request}/actions/cancel`)).body.status).toBe("cancelled");
    expect((await ada.get(`/api/records/${second.draft}/draft/review`)).body).toEqual({
      status: 404,
      message: "Review for draft not found",
    });
    expect((await ada.get(`/api/records/${second.draft}/draft`)).body.status).toBe("draft");
    expect((await bob.get(`/api/records/${second.draft}/draft`)).status).toBe(403);
  });

  test("a draft that would not publish stays a draft request, and no comment is stored", async () => {
    const api = await startApi(role);
    const ada = await api.as("ada");
    const draft = await givenDraft(api, "ada", { ...publishable(), metadata: { title: "Only a title" } });
    const body = { receiver: { user: await api.idOf("bob") } };
    const { id } = (await ada.put(`/api/records/${draft}/draft/review`, body)).body;
    for (const path of [`/api/records/${draft}/draft/actions/submit-review`, `/api/requests/${id}/actions/submit`]) {
      const answer = await ada.post(path, comment("Look"));
      expect(answer.status, answer.text).toBe(400);
      expect(answer.body.message).toBe("A validation error occurred.");
    }
    expect((await ada.get(`/api/requests/${id}`)).body).toMatchObject({ status: "draft", revision_id: 1 });
    expect(await linesOf(api, "ada", id)).toEqual([]);
  });

  test.each([
    ["accept", "bob", "accepted", "draft"],
    ["decline", "bob", "declined", "declined"],
    ["cancel", "ada", "cancelled", "draft"],
  ])("%s of a draft request: status and flags set, nothing is published", async (action, who, status, left) => {
    const api = await startApi(role);
    const { draft, request } = await givenReview(api, "ada", "bob");
    const path = `/api/requests/${request}`;
    const answer = await (await api.as(who)).post(`${path}/actions/${action}`, comment("early"));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ status, is_closed: true, is_open: false, is_expired: false, revision_id: 2 });
    expect(await linesOf(api, "bob", request)).toEqual([`L ${status}`, "C early"]);
    const ada = await api.as("ada");
    expect((await ada.get(`/api/records/${draft}/draft`)).body).toMatchObject({ status: left, is_published: false });
    expect((await ada.get(`/api/records/${draft}`)).status).toBe(404);
  });

  test("a draft request whose reviewer was deactivated meanwhile is not submitted: inactive user, 400 receiver (4.1)", async () => {
    const api = await startApi(role);
    const ada = await api.as("ada");
    const { draft, request } = await givenReview(api, "ada", "bob");
    const { users } = api.server.services;
    await users.deactivate(await api.idOf("bob"));
    await api.waitForSync();
    const gone = await ada.post(`/api/records/${draft}/draft/actions/submit-review`);
    expect(gone).toMatchObject({ status: 400, body: { errors: [{ field: "receiver" }] } });
    expect((await ada.get(`/api/requests/${request}`)).body.status).toBe("draft");
    const other = { receiver: { user: await api.idOf("carol") }, reviewers: [{ user: await api.idOf("bob") }] };
    expect((await ada.put(`/api/records/${draft}/draft/review`, other)).status).toBe(400);
    const receiver = { user: await api.idOf("carol") };
    expect((await ada.put(`/api/records/${draft}/draft/review`, { receiver })).status).toBe(200);
    expect((await ada.post(`/api/records/${draft}/draft/actions/submit-review`)).status).toBe(202);
  });

  test("direct publishing with an open review is 400 and names it; deleting takes a draft review along", async () => {
    const api = await startApi(role);
    const ada = await api.as("ada");
    const { draft, request } = await givenReview(api, "ada", "bob");
    const refused = await ada.post(`/api/records/${draft}/draft/actions/publish`);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(/review/);
    expect((await ada.delete(`/api/records/${draft}/draft`)).status).toBe(204);
    expect((await ada.get(`/api/requests/${request}`)).status).toBe(404);
  });
});

/** On both hosts: who may preview a draft may not read an unsent request, but learns that a review exists. */
test.each(roles)(
  "parent.review for callers who may read the draft, absent otherwise, on the %s (requests 4.1)",
  async (role) => {
    const api = await startApi(role);
    const [ada, cleo, dora] = [await api.as("ada"), await api.as("cleo"), await api.as("dora")];
    const draft = await givenDraft(api, "ada");
    const path = `/api/records/${draft}/draft`;
    const subjects = [["preview", "cleo"] as const, ["edit", "dora"] as const];
    for (const [permission, who] of subjects) {
      const grants = [{ permission, subject: { type: "user", id: await api.idOf(who) } }];
      await ada.post(`/api/records/${draft}/access/grants`, { grants });
    }
    expect((await cleo.get(path)).body.parent).not.toHaveProperty("review");
    const receiver = { user: await api.idOf("bob") };
    const { id } = (await ada.put(`${path}/review`, { receiver })).body;
    const review = { id, type: "default-request", receiver };
    for (const reader of [ada, cleo, dora]) {
      const { body } = await reader.get(`${path}?expand=1`);
      expect(body).toMatchObject({ status: "draft_with_review", parent: { review } });
      expect(body.expanded.parent.review.receiver).toMatchObject({ username: "bob" });
      expect(body.links["submit-review"]).toBeTruthy();
    }
    expect((await cleo.get(`/api/requests/${id}`)).status).toBe(403);
    if (role === "replica") await dora.post("/api/sync/pause");
    const refused = await dora.post(`${path}/actions/publish`);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(/review/);
    await ada.post(`${path}/actions/submit-review`);
    expect((await cleo.get(path)).body).toMatchObject({ status: "in_review", parent: { review } });
    await ada.post(`/api/requests/${id}/actions/cancel`);
    expect((await cleo.get(path)).body).toMatchObject({ status: "draft" });
    expect((await cleo.get(path)).body.parent).not.toHaveProperty("review");
  },
);

describe.each(roles)("the rules of reviews on the %s (requests 4.1)", (role) => {
  test("a body that is wrong is 400 by field", async () => {
    const api = await startApi(role);
    const draft = await givenDraft(api, "ada");
    const ada = await api.as("ada");
    for (const [field, change, message] of [
      ["type", { type: "community-submission" }, "Invalid review type."],
      ["receiver", { receiver: undefined }, "Missing data for required field."],
      ["receiver", { receiver: { user: "1", group: "x" } }, undefined],
      ["receiver", { receiver: { user: "999" } }, "There is no such user."],
      ["receiver", { receiver: { user: 1 } }, undefined],
      ["receiver", { receiver: "1" }, undefined],
      ["expires_at", { expires_at: "2001-01-01" }, "Expiration date must be set to the future"],
      ["title", { title: "x".repeat(251) }, "Longer than maximum length 250."],
    ] as const) {
      const body = { receiver: { user: await api.idOf("bob") }, ...change };
      const answer = await ada.put(`/api/records/${draft}/draft/review`, body);
      expect(answer.status, JSON.stringify(change)).toBe(400);
      expect(answer.body.errors[0].field).toBe(field);
      if (message !== undefined) expect(answer.body.errors[0].messages).toEqual([message]);
    }
  });

  test("PUT when a review in draft exists: a new id and number take its place, unless it may only create (RFC 9110, 13.1.2)", async () => {
    const api = await startApi(role);
    const { draft, request } = await givenReview(api, "ada", "bob");
    const ada = await api.as("ada");
    const before = (await ada.get(`/api/requests/${request}`)).body;
    const [path, body] = [`/api/records/${draft}/draft/review`, { receiver: { user: await api.idOf("cleo") } }];
    expect((await ada.put(path, body, { headers: { "if-none-match": "*" } })).status).toBe(412);
    const answer = await ada.put(path, body);
    expect(answer.body.id).not.toBe(request);
    expect(Number(answer.body.number)).toBeGreaterThan(Number(before.number));
    expect((await ada.get(`/api/requests/${request}`)).status).toBe(404);
  });

  test("PUT and DELETE when submitted: 400; by another than the owner: 403; without draft: 404", async () => {
    const api = await startApi(role);
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { draft } = await givenSubmitted(api, "ada", "bob");
    const body = { receiver: { user: await api.idOf("bob") } };
    const path = `/api/records/${draft}/draft/review`;
    expect((await ada.put(path, body)).status).toBe(400);
    expect((await ada.delete(path)).status).toBe(400);
    expect((await bob.put(path, body)).status).toBe(403);
    expect((await bob.delete(path)).status).toBe(403);
    expect((await bob.get(path)).status).toBe(200);
    expect((await ada.put("/api/records/aaaaa-bbb00/draft/review", body)).status).toBe(404);
  });

  test("DELETE of a review in draft deletes the request; in declined it is only unlinked", async () => {
    const api = await startApi(role);
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const first = await givenReview(api, "ada", "bob");
    expect((await ada.delete(`/api/records/${first.draft}/draft/review`)).status).toBe(204);
    expect((await ada.get(`/api/requests/${first.request}`)).status).toBe(404);
    expect((await ada.delete(`/api/records/${first.draft}/draft/review`)).status).toBe(404);
    const second = await givenSubmitted(api, "ada", "bob");
    await bob.post(`/api/requests/${second.request}/actions/decline`);
    expect((await ada.delete(`/api/records/${second.draft}/draft/review`)).status).toBe(204);
    expect((await ada.get(`/api/requests/${second.request}`)).status).toBe(200);
  });

  test("POST /api/records with parent.review: same as creating the draft and then PUT; a bad review is 400", async () => {
    const api = await startApi(role);
    const ada = await api.as("ada");
    const review = { type: "default-request", receiver: { user: await api.idOf("bob") } };
    const answer = await ada.post("/api/records", { ...publishable(), parent: { review } });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toMatchObject({ status: "draft_with_review", parent: { review } });
    const bad = { ...review, receiver: { user: "999" } };
    const refused = await ada.post("/api/records", { ...publishable(), parent: { review: bad } });
    expect(refused.body).toMatchObject({ status: 400, errors: [{ field: "receiver" }] });
    expect((await ada.get("/api/requests")).body.hits.total).toBe(1);
    expect((await ada.get("/api/user/records")).body.hits.total).toBe(1);
    expect((await (await api.onServer("ada")).get("/api/user/records")).body.hits.total).toBe(1);
  });
});

describe.each(roles)("reviews of published records on the %s (requests 4.2)", (role) => {
  test("POST …/requests makes a draft request; deciding it changes nothing on the record", async () => {
    const api = await startApi(role);
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const record = await givenDraft(api, "ada");
    await ada.post(`/api/records/${record}/draft/actions/publish`);
    const body = { receiver: { user: await api.idOf("bob") } };
    const created = await ada.post(`/api/records/${record}/requests`, body);
    expect(created.status, created.text).toBe(201);
    expect(created.body).toMatchObject({ status: "draft", topic: { record } });
    expect((await ada.post(`/api/records/${record}/requests`, body)).status).toBe(400);
    expect((await bob.post(`/api/records/${record}/requests`, body)).status).toBe(403);
    expect((await ada.post(`/api/requests/${created.body.id}/actions/submit`)).body).toMatchObject({
      status: "submitted",
      title: "Deep sea core 12",
    });
    expect((await bob.get(`/api/records/${record}/requests`)).body.hits.total).toBe(1);
    expect((await (await api.as("cleo")).get(`/api/records/${record}/requests`)).body.hits.total).toBe(0);
    expect((await bob.post(`/api/requests/${created.body.id}/actions/accept`)).body.status).toBe("accepted");
    expect((await ada.get(`/api/records/${record}`)).body.revision_id).toBe(2);
  });

  test("of a draft never published there is nothing to ask, a deleted record is 410 (records 1.1, 4.7)", async () => {
    const api = await startApi(role);
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const body = { receiver: { user: await api.idOf("bob") } };
    const draft = await givenDraft(api, "ada");
    expect(await ada.post(`/api/records/${draft}/requests`, body)).toMatchObject({
      ...{ status: 404, body: { message: "The persistent identifier is not registered." } },
    });
    expect((await ada.get(`/api/records/${draft}/requests`)).body.hits.total).toBe(0);
    expect((await bob.get(`/api/records/${draft}/requests`)).status).toBe(403);
    await ada.post(`/api/records/${draft}/draft/actions/publish`);
    await ada.post(`/api/records/${draft}/draft`);
    await (await api.as("admin")).delete(`/api/records/${draft}/delete`);
    for (const client of [ada, bob]) {
      expect((await client.get(`/api/records/${draft}/requests`)).status).toBe(410);
      expect((await client.post(`/api/records/${draft}/requests`, body)).body.message).toBe("Record deleted");
    }
  });
});
