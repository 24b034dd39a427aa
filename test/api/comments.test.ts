import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { comment, givenComment, givenSubmitted } from "../support/reviews.ts";

describe.each(roles)("comments on the %s (requests 7)", (role) => {
  test("create, read, edit, delete", async () => {
    const api = await startApi(role);
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { request } = await givenSubmitted(api, "ada", "bob");
    const created = await bob.post(`/api/requests/${request}/comments`, comment('<p onclick="x()">hi</p>'));
    expect(created.status).toBe(201);
    const { id } = created.body;
    const self = `${bob.url}/api/requests/${request}/comments/${id}`;
    expect(created.headers.get("etag")).toBe('"1"');
    const { sync: _sync, ...shown } = created.body;
    expect(shown).toEqual({
      ...{ id, type: "C", payload: { content: "<p>hi</p>", format: "html" }, parent_id: null, revision_id: 1 },
      created_by: { user: await api.idOf("bob") },
      created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/),
      updated: created.body.created,
      permissions: { can_update_comment: true, can_delete_comment: true, can_reply_comment: true },
      links: {
        ...{ self, reply: `${self}/reply`, replies: `${self}/replies`, replies_focused: `${self}/replies_focused` },
        self_html: `${bob.url}/me/requests/${request}#commentevent-${id}`,
      },
    });
    const path = `/api/requests/${request}/comments/${id}`;
    const edited = await bob.put(path, comment("better"), { headers: { "if-match": '"1"' } });
    expect(edited.status).toBe(200);
    expect(edited.body).toMatchObject({ revision_id: 2, payload: { content: "better" } });
    expect((await bob.put(path, comment("x"), { headers: { "if-match": "1" } })).status).toBe(412);
    expect((await ada.put(path, comment("x"))).status).toBe(403);
    expect((await ada.get(`/api/requests/${request}`)).body).toMatchObject({
      revision_id: 2,
      last_reply: { id, payload: { content: "better" } },
    });
    expect((await ada.delete(path)).status).toBe(403);
    expect((await bob.delete(path)).status).toBe(204);
    const deleted = (await ada.get(path)).body;
    expect(deleted).toMatchObject({
      ...{ id, type: "L", payload: { event: "comment_deleted", content: "", format: "html" }, revision_id: 3 },
      created_by: { user: await api.idOf("bob") },
      permissions: { can_update_comment: false, can_delete_comment: false },
    });
    expect((await bob.put(path, comment("x"))).status).toBe(403);
    expect((await bob.delete(path)).status).toBe(403);
    expect((await ada.get(`/api/requests/${request}`)).body.last_reply).toBeNull();
  });

  test("replies: one level, to deleted comments too, in their own list", async () => {
    const api = await startApi(role);
    const ada = await api.as("ada");
    const { request } = await givenSubmitted(api, "ada", "bob");
    const top = await givenComment(api, "bob", request, "top");
    const path = `/api/requests/${request}/comments/${top}`;
    const ids: string[] = [];
    for (const text of ["one", "two", "three", "four", "five", "six"]) {
      const answer = await ada.post(`${path}/reply`, comment(text));
      expect(answer.body).toMatchObject({ parent_id: top, permissions: { can_reply_comment: false } });
      expect(Object.keys(answer.body.links)).toEqual(["self", "self_html"]);
      ids.push(answer.body.id);
    }
    const nested = await ada.post(`/api/requests/${request}/comments/${ids[0]}/reply`, comment("x"));
    expect(nested.status).toBe(400);
    expect(nested.body.message).toMatch(/not allowed/);
    const timeline = (await ada.get(`/api/requests/${request}/timeline`)).body;
    const [thread] = timeline.hits.hits;
    expect(thread.children_count).toBe(6);
    expect(thread.children.map((child: { payload: { content: string } }) => child.payload.content)).toEqual([
      "six",
      "five",
      "four",
      "three",
      "two",
    ]);
    expect(thread.children[0].links.self_html).toBe(`${ada.url}/me/requests/${request}#commentevent-${top}_${ids[5]}`);
    expect(thread.links.self_html).toBe(`${ada.url}/me/requests/${request}#commentevent-${top}`);
    const replies = (await ada.get(`${path}/replies?size=4&page=2`)).body;
    expect(replies).toMatchObject({ page: 2, sortBy: "oldest", hits: { total: 6 } });
    expect(replies.hits.hits.map(({ id }: { id: string }) => id)).toEqual(ids.slice(4));
    const focused = (await ada.get(`${path}/replies_focused?size=2&focus_event_id=${ids[0]}`)).body;
    expect(focused).toMatchObject({ page: 3, sortBy: "newest" });
    expect((await (await api.as("bob")).delete(path)).status).toBe(204);
    expect((await ada.post(`${path}/reply`, comment("still here"))).status).toBe(201);
  });
});

describe.each(roles)("the body of a comment on the %s (requests 7)", (role) => {
  let api: Api;
  let comments: string;
  beforeAll(async () => {
    api = await startApi(role);
    comments = `/api/requests/${(await givenSubmitted(api, "ada", "bob")).request}/comments`;
  });
  afterAll(() => api.close());

  test.each([
    ["no body", undefined, "payload", "Missing data for required field."],
    ["{}", {}, "payload", "Missing data for required field."],
    ["content missing", { payload: { format: "html" } }, "payload.content", "Missing data for required field."],
    ["content empty", comment(""), "payload.content", "Shorter than minimum length 1."],
    ["content blank", comment(" \n "), "payload.content", "Shorter than minimum length 1."],
    ["blank markup", comment("<p><b> &nbsp;</b><br></p>"), "payload.content", "Shorter than minimum length 1."],
    ["empty after sanitising", comment("<script></script>"), "payload.content", "Shorter than minimum length 1."],
    ["content too long", comment("x".repeat(65_537)), "payload.content", "Longer than maximum length 65536."],
    [
      "far too long to be cleaned",
      comment("<b>".repeat(100_000)),
      "payload.content",
      "Longer than maximum length 65536.",
    ],
    ["too long in characters", comment("🧭".repeat(65_537)), "payload.content", "Longer than maximum length 65536."],
    ["content not a string", { payload: { content: 1 } }, "payload.content", "Not a valid string."],
    ["format other than html", { payload: { content: "x", format: "text" } }, "payload.format", undefined],
    ["unknown key", comment("x", { colour: 1 }), "payload.colour", "Unknown field."],
    ["unknown file", comment("x", { files: [{ file_id: "nope" }] }), "payload.files[0]", undefined],
  ])("400: %s", async (_name, body, field, message) => {
    const ada = await api.as("ada");
    const answer = await ada.post(comments, body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].field).toBe(field);
    if (message !== undefined) expect(answer.body.errors[0].messages).toEqual([message]);
    expect((await ada.get(comments.replace("comments", "timeline"))).body.hits.total).toBe(0);
  });

  test("markup written as text is text; 65536 characters are no less when each is stored in two units", async () => {
    expect((await (await api.as("ada")).post(comments, comment("&lt;p&gt;"))).body.payload.content).toBe("&lt;p&gt;");
    const content = "🧭".repeat(65_536);
    const answer = await (await api.as("ada")).post(comments, comment(content));
    expect([answer.status, answer.body.payload.content === content]).toEqual([201, true]);
  });
});

describe.each(roles)("the rules of comments on the %s (requests 7)", (role) => {
  test("type and other top-level keys are ignored; format defaults to html; closed requests take comments", async () => {
    const api = await startApi(role);
    const ada = await api.as("ada");
    const { request } = await givenSubmitted(api, "ada", "bob");
    await ada.post(`/api/requests/${request}/actions/cancel`);
    const body = { type: "L", payload: { content: "after all" }, revision_id: 9 };
    const answer = await ada.post(`/api/requests/${request}/comments`, body);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ type: "C", payload: { content: "after all", format: "html" } });
  });

  test("404: unknown comment, id that is no UUID, comment under another request's path", async () => {
    const api = await startApi(role);
    const ada = await api.as("ada");
    const one = await givenSubmitted(api, "ada", "bob");
    const two = await givenSubmitted(api, "ada", "bob");
    const id = await givenComment(api, "ada", one.request, "x");
    for (const path of [`${two.request}/comments/${id}`, `${one.request}/comments/7`, `7/comments/${id}`]) {
      expect((await ada.get(`/api/requests/${path}`)).status).toBe(404);
      expect((await ada.put(`/api/requests/${path}`, comment("y"))).status).toBe(404);
      expect((await ada.delete(`/api/requests/${path}`)).status).toBe(404);
    }
  });

  test("the receiver deletes any comment, a superuser edits and deletes, but no log event", async () => {
    const api = await startApi(role);
    const [bob, admin] = [await api.as("bob"), await api.as("admin")];
    const { request } = await givenSubmitted(api, "ada", "bob");
    const first = await givenComment(api, "ada", request, "mine");
    expect((await bob.put(`/api/requests/${request}/comments/${first}`, comment("x"))).status).toBe(403);
    expect((await admin.put(`/api/requests/${request}/comments/${first}`, comment("by admin"))).status).toBe(200);
    expect((await bob.delete(`/api/requests/${request}/comments/${first}`)).status).toBe(204);
    await bob.post(`/api/requests/${request}/actions/decline`);
    const { hits } = (await bob.get(`/api/requests/${request}/timeline?q=type:L`)).body.hits;
    const log = hits.find((event: { payload: { event: string } }) => event.payload.event === "declined");
    const path = `/api/requests/${request}/comments/${log.id}`;
    expect((await admin.get(path)).body.payload).toEqual({ event: "declined", format: "html" });
    expect((await admin.put(path, comment("x"))).status).toBe(403);
    expect((await admin.delete(path)).status).toBe(403);
    expect((await admin.post(`${path}/reply`, comment("x"))).status).toBe(400);
  });
});

describe.each(roles)("timeline on the %s (requests 8)", (role) => {
  test("pages never overlap, focus finds the page, self link has page, size and sort", async () => {
    const api = await startApi(role);
    const ada = await api.as("ada");
    const { request } = await givenSubmitted(api, "ada", "bob");
    const ids: string[] = [];
    for (let index = 0; index < 13; index++) ids.push(await givenComment(api, "ada", request, `number${index}`));
    const path = `/api/requests/${request}/timeline`;
    const first = (await ada.get(path)).body;
    expect(first.links.self).toBe(`${ada.url}${path}?page=1&size=10&sort=oldest`);
    expect(first).toMatchObject({ page: 1, sortBy: "oldest", hits: { total: 13 } });
    expect(first.hits.hits.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 10));
    const second = (await ada.get(first.links.next.slice(ada.url.length))).body;
    expect(second.hits.hits.map(({ id }: { id: string }) => id)).toEqual(ids.slice(10));
    expect((await ada.get(`${path}?sort=newest&size=1`)).body.hits.hits[0].id).toBe(ids[12]);
    expect((await ada.get(`${path}?q=number7`)).body.hits).toMatchObject({ total: 1, hits: [{ id: ids[7] }] });
    expect((await ada.get(`${path}?q=number7`)).body.sortBy).toBe("oldest");
    const reply = await ada.post(`/api/requests/${request}/comments/${ids[11]}/reply`, comment("r"));
    for (const [focus, page] of [
      ...[
        [ids[0], 1],
        [ids[4], 1],
        [ids[5], 2],
        [ids[11], 3],
        [reply.body.id, 3],
        ["nope", 1],
      ],
      ...[
        ["", 1],
        [request, 1],
      ],
    ]) {
      const answer = await ada.get(`${path}_focused?size=5&focus_event_id=${focus}&page=9&sort=wrong`);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ page, sortBy: "oldest" });
    }
    expect((await ada.get(`${path}_focused`)).body.page).toBe(1);
    expect((await ada.get(`${path}?sort=wrong`)).status).toBe(400);
    expect((await ada.get(`${path}?page=0`)).body.errors[0].field).toBe("page");
  });

  test("deleted text is not searchable any more", async () => {
    const api = await startApi(role);
    const ada = await api.as("ada");
    const { request } = await givenSubmitted(api, "ada", "bob");
    const id = await givenComment(api, "ada", request, "secretword");
    const path = `/api/requests/${request}/timeline?q=secretword`;
    expect((await ada.get(path)).body.hits.total).toBe(1);
    await ada.delete(`/api/requests/${request}/comments/${id}`);
    expect((await ada.get(path)).body.hits.total).toBe(0);
  });
});
