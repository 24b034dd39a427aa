import { beforeAll, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { comment, givenComment, givenReview, givenSubmitted, linesOf } from "../support/reviews.ts";

describe.each(roles)("who reaches a draft under review on the %s (requests 4.3)", (role) => {
  test.each(["draft", "submitted", "declined"])("while %s", async (status) => {
    const api = await startApi(role);
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { draft, request } = await (status === "draft" ? givenReview : givenSubmitted)(api, "ada", "bob");
    if (status === "declined") await bob.post(`/api/requests/${request}/actions/decline`);
    const isReviewed = status === "submitted";
    const path = `/api/records/${draft}`;
    const { metadata, access, files } = (await ada.get(`${path}/draft`)).body;
    const body = { metadata, access, files: { enabled: files.enabled } };
    const reviewer = isReviewed ? 200 : 403;
    expect((await bob.get(`${path}/draft`)).status).toBe(reviewer);
    expect((await bob.get(`${path}/draft/files`)).status).toBe(reviewer);
    expect((await bob.put(`${path}/draft`, body)).status).toBe(reviewer);
    expect((await bob.post(`${path}/draft/actions/publish`)).status).toBe(isReviewed ? 400 : 403);
    expect((await bob.delete(`${path}/draft`)).status).toBe(403);
    expect((await bob.get(`${path}/access/links`)).status).toBe(403);
    expect((await bob.post(`${path}/draft/actions/submit-review`)).status).toBe(403);
    expect((await (await api.as("cleo")).get(`${path}/draft`)).status).toBe(403);
    expect((await ada.get(`${path}/draft`)).status).toBe(200);
    if (isReviewed) expect((await ada.delete(`${path}/draft`)).status).toBe(400);
    expect((await ada.post(`${path}/draft/actions/publish`)).status).toBe(status === "declined" ? 202 : 400);
    expect((await ada.get(`/api/requests/${request}`)).status).toBe(200);
  });
});

describe.each(roles)("a request on the %s (requests 3.2)", (role) => {
  test("PUT changes title and description; other fields of a GET are ignored, unknown ones refused", async () => {
    const api = await startApi(role);
    const ada = await api.as("ada");
    const { request } = await givenReview(api, "ada", "bob");
    const path = `/api/requests/${request}`;
    const { body } = await ada.get(`${path}?expand=1`);
    expect(body.expanded).toMatchObject({
      created_by: { username: "ada", is_current_user: true },
      receiver: { username: "bob" },
      topic: { id: body.topic.record, title: "Deep sea core 12" },
    });
    const sent = { ...body, title: "  A new title ", description: "Why", status: "accepted", revision_id: 77 };
    const changed = await ada.put(path, sent, { headers: { "if-match": '"1"' } });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject({
      ...{ title: "A new title", description: "Why", status: "draft", revision_id: 2 },
    });
    expect((await ada.put(path, { title: "x" }, { headers: { "if-match": "1" } })).status).toBe(412);
    expect((await ada.put(path, { title: "x" }, { headers: { "if-match": "x" } })).status).toBe(400);
    const unknown = await ada.put(path, { colour: "red" });
    expect(unknown.body.errors).toEqual([{ field: "colour", messages: ["Unknown field."] }]);
    const past = await ada.put(path, { expires_at: "2001-01-01" });
    expect(past.body.errors[0].field).toBe("expires_at");
    expect((await ada.put(path, { expires_at: "2999-01-01 12:00:00.000000" })).body.expires_at).toBe(
      "2999-01-01 12:00:00.000000",
    );
    expect((await ada.delete(path, undefined, { headers: { "if-match": "9" } })).status).toBe(412);
    expect((await ada.delete(path)).status).toBe(204);
    expect((await ada.get(path)).status).toBe(404);
  });
});

describe.each(roles)("actions on the %s (requests 5)", (role) => {
  test("unknown names, states where an action does not apply, bad payloads: 400 and nothing changes", async () => {
    const api = await startApi(role);
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { request } = await givenSubmitted(api, "ada", "bob");
    const path = `/api/requests/${request}`;
    for (const name of ["create", "delete", "wave"]) {
      const answer = await ada.post(`${path}/actions/${name}`);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toMatch(new RegExp(`^Error for action '${name}': `));
    }
    expect((await ada.post("/api/requests/nope/actions/wave")).status).toBe(404);
    expect((await ada.post(`${path}/actions/submit`)).body.message).toMatch(/^Error for action 'submit': /);
    for (const payload of [{}, { content: "" }, { content: "x", format: "text" }, { content: 1 }]) {
      expect((await bob.post(`${path}/actions/decline`, { payload })).status).toBe(400);
    }
    expect((await bob.post(`${path}/actions/decline`, {}, { headers: { "if-match": "1" } })).status).toBe(412);
    expect((await ada.get(path)).body).toMatchObject({ status: "submitted", revision_id: 2 });
    expect(await linesOf(api, "ada", request)).toEqual([]);
    expect((await bob.post(`${path}/actions/accept`, {})).status).toBe(200);
    for (const name of ["accept", "decline"]) {
      expect((await bob.post(`${path}/actions/${name}`)).status).toBe(400);
    }
  });

  test("accept of a draft that no longer validates: 400, request stays submitted, draft stays", async () => {
    const api = await startApi(role);
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { draft, request } = await givenSubmitted(api, "ada", "bob");
    await ada.put(`/api/records/${draft}/draft`, { files: { enabled: false }, metadata: { title: "Less" } });
    const answer = await bob.post(`/api/requests/${request}/actions/accept`, comment("ok"));
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe("A validation error occurred.");
    expect((await ada.get(`/api/requests/${request}`)).body.status).toBe("submitted");
    expect((await ada.get(`/api/records/${draft}/draft`)).status).toBe(200);
    expect(await linesOf(api, "ada", request)).toEqual([]);
  });

  test("what is submitted after its time is expired in the answer already, on both hosts (fault 11, requests 5)", async () => {
    const api = await startApi(role);
    const [ada] = [await api.as("ada"), await api.as("bob")];
    for (const [way, success] of [
      ["actions/submit", 200],
      ["submit-review", 202],
    ] as const) {
      const { draft, request } = await givenReview(api, "ada", "bob");
      await api.server.host.db.updateTable("request").set({ expires_at: 1 }).where("id", "=", request).execute();
      const isAction = way === "actions/submit";
      const path = isAction ? `/api/requests/${request}/actions/submit` : `/api/records/${draft}/draft/actions/${way}`;
      const answer = await ada.post(path);
      expect(answer).toMatchObject({ status: success, body: { id: request, status: "expired", is_expired: true } });
      const read = await ada.get(`/api/requests/${request}`);
      expect(read.body).toMatchObject({ status: "expired", revision_id: answer.body.revision_id });
      expect(read.headers.get("etag")).toBe(answer.headers.get("etag"));
      expect(await linesOf(api, "ada", request)).toEqual(["L expired"]);
    }
  });

  test("a submitted request whose time has passed is expired for every read, with one log event", async () => {
    const api = await startApi(role);
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { draft, request } = await givenReview(api, "ada", "bob");
    const soon = new Date(Date.now() + 2000).toISOString();
    expect((await ada.put(`/api/requests/${request}`, { expires_at: soon })).status).toBe(200);
    await ada.post(`/api/requests/${request}/actions/submit`);
    // A replica uses the server's answer (hosts-and-sync 8).
    const statusFor = async (client: HttpClient, path: string) => (await client.get(path)).body.status;
    await expect.poll(() => statusFor(ada, `/api/requests/${request}`)).toBe("expired");
    await expect.poll(() => statusFor(bob, `/api/requests/${request}`)).toBe("expired");
    expect((await bob.get(`/api/records/${draft}/draft`)).status).toBe(403);
    const { body } = await ada.get(`/api/requests/${request}`);
    expect(body).toMatchObject({ status: "expired", is_expired: true, is_closed: true, is_open: false });
    const { hits } = (await ada.get(`/api/requests/${request}/timeline`)).body.hits;
    expect(hits).toHaveLength(1);
    expect(hits[0]).toMatchObject({ type: "L", payload: { event: "expired" }, created_by: { user: "system" } });
    expect((await ada.get("/api/requests?status=expired")).body.hits.total).toBe(1);
    expect((await ada.get(`/api/records/${draft}/draft`)).body.status).toBe("expired");
    expect((await bob.post(`/api/requests/${request}/actions/accept`)).status).toBe(400);
  });
});

describe("requests on replicas (hosts-and-sync 3, 4)", () => {
  test("who may preview the topic has its requests, and loses them with the grant", async () => {
    const api = await startApi("replica");
    const [ada, gina] = [await api.as("ada"), await api.as("gina")];
    const { draft, request } = await givenSubmitted(api, "ada", "bob");
    const grants = `/api/records/${draft}/access/grants`;
    const subject = { type: "user", id: await api.idOf("gina") };
    expect((await ada.post(grants, { grants: [{ permission: "preview", subject }] })).status).toBe(201);
    expect((await gina.get("/api/user/requests?shared_with_me=true")).body.hits.hits).toMatchObject([{ id: request }]);
    const replica = await api.replicaOf("gina");
    await replica.engine.setPaused(true);
    expect((await gina.get(`/api/requests/${request}`)).body.status).toBe("submitted");
    await replica.engine.setPaused(false);
    expect((await ada.delete(`/api/records/${draft}/access/users/${subject.id}`)).status).toBe(204);
    expect((await gina.get("/api/user/requests?shared_with_me=true")).body.hits.total).toBe(0);
    expect((await gina.get(`/api/requests/${request}`)).status).toBe(403);
  });

  test("a manager opens a draft whose review they may not read: `GET …/draft/review` is the server's answer", async () => {
    const api = await startApi("replica");
    const { draft, request } = await givenReview(api, "ada", "bob");
    const moderator = await api.as("moderator");
    expect((await moderator.get(`/api/records/${draft}/draft`)).status).toBe(200);
    expect((await moderator.get(`/api/records/${draft}/draft/review`)).body).toMatchObject({
      id: request,
      status: "draft",
    });
    expect((await moderator.get(`/api/requests/${request}`)).status).toBe(403);
  });
});

describe.each(roles)("check order on the %s (requests 1)", (role) => {
  test("existence, unknown action name, permission, If-Match, state, body values", async () => {
    const api = await startApi(role);
    const [ada, bob, cleo] = [await api.as("ada"), await api.as("bob"), await api.as("cleo")];
    const { request } = await givenSubmitted(api, "ada", "bob");
    const path = `/api/requests/${request}`;
    const commentId = (await ada.post(`${path}/comments`, comment("x"))).body.id;
    const nowhere = "00000000-0000-4000-8000-000000000000";
    const unreadable = { headers: { "if-match": "x" } };
    const other = { headers: { "if-match": "99" } };
    for (const [answer, status] of [
      [await cleo.post(`/api/requests/${nowhere}/actions/wave`), 404],
      [await ada.put(`/api/requests/${nowhere}`, {}, unreadable), 404],
      [await ada.put(`${path}/comments/${nowhere}`, {}, unreadable), 404],
      [await cleo.post(`${path}/actions/wave`), 400],
      [await cleo.post(`${path}/actions/accept`, {}, unreadable), 403],
      [await cleo.put(path, { colour: 1 }, unreadable), 403],
      [await bob.put(`${path}/comments/${commentId}`, {}, unreadable), 403],
      [await cleo.post(`${path}/comments`, {}), 403],
      [await ada.post(`${path}/actions/submit`, { payload: {} }, unreadable), 400],
      [await ada.put(`${path}/comments/${commentId}`, comment("y"), unreadable), 400],
      [await ada.post(`${path}/actions/submit`, { payload: {} }, other), 412],
      [await ada.put(`${path}/comments/${commentId}`, {}, other), 412],
      [await ada.put(path, { colour: 1 }, other), 412],
    ] as const) {
      expect(answer.status, answer.text).toBe(status);
    }
    const state = await ada.post(`${path}/actions/submit`, { payload: {} });
    expect(state.body.message).toMatch(/^Error for action 'submit': /);
    expect((await bob.post(`${path}/actions/decline`, { payload: {} })).body.errors[0].field).toBe("payload.content");
  });
});

const spaced = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/);
const address = expect.stringMatching(/\/actions\/[a-z]+$/);
const fourActions = { accept: address, cancel: address, decline: address, submit: address };
const without = (key: string) => ({ status: 200, text: expect.not.stringContaining(key) });
const deletedComment = { body: { type: "L", payload: { event: "comment_deleted", content: "", format: "html" } } };

describe.each(roles)("where the sources disagree, on the %s (requests 14)", (role) => {
  let api: Api;
  let request: string;
  let commentId: string;
  const everywhere = role === "replica" ? "scope=server" : "";
  beforeAll(async () => {
    api = await startApi(role);
    ({ request } = await givenSubmitted(api, "ada", "bob"));
    commentId = await givenComment(api, "ada", request, "Gone soon");
    await (await api.as("bob")).delete(`/api/requests/${request}/comments/${commentId}`);
    await givenComment(api, "ada", request, "Here");
    await api.as("moderator");
    return () => api.close();
  });
  const clientOf = (who: string) => (who === "anonymous" ? Promise.resolve(api.anonymous) : api.as(who));
  const get = async (who: string, path: string) =>
    (await clientOf(who)).get(
      path
        .replace("{request}", request)
        .replace("{said}", commentId)
        .replace("{ada}", await api.idOf("ada")),
    );

  test.each<[row: string, who: string, path: string, expected: object]>([
    [
      "links.actions: four keys, always",
      "ada",
      "/api/requests/{request}",
      { body: { links: { actions: fourActions } } },
    ],
    ["timestamps: seed", "ada", "/api/requests/{request}", { body: { created: spaced, updated: spaced } }],
    ["is_expired: status expired only", "bob", "/api/requests/{request}", { body: { is_expired: false } }],
    [
      "timeline default size: 10",
      "ada",
      "/api/requests/{request}/timeline",
      { body: { links: { self: expect.stringContaining("size=10&") } } },
    ],
    ["content of a deleted comment: empty string", "ada", "/api/requests/{request}/comments/{said}", deletedComment],
    ["request sort name: all of them", "ada", "/api/requests?sort=name", { body: { sortBy: "name" } }],
    ["request sort by activity: all of them", "ada", "/api/requests?sort=newestactivity", { status: 200 }],
    ["user unknown: 403", "ada", "/api/users/987654", { status: 403 }],
    ["user: self 200", "ada", "/api/users/{ada}", { status: 200, body: { confirmed: true } }],
    ["anonymous read of a public user: possible", "anonymous", "/api/users/{ada}", { status: 200 }],
    ["extra fields of a user: the user themself", "moderator", "/api/users/{ada}", without("preferences")],
    ["groups granting superuser rights: visible", "moderator", "/api/groups/superuser-access", { status: 200 }],
    ["available_groups: absent", "ada", "/api/users/{ada}/groups", without("available_groups")],
    ["group page size above 50: 400", "moderator", `/api/groups?size=51&${everywhere}`, { status: 400 }],
    ["lock, unlock: POST", "bob", "/api/requests/{request}/lock", { status: 405 }],
  ])("%s", async (_row, who, path, expected) => {
    expect(await get(who, path)).toMatchObject(expected);
  });

  test("anonymous call to a protected endpoint: 403 + WWW-Authenticate", async () => {
    for (const path of ["/api/requests", "/api/groups", "/api/users", "/api/user/records", "/api/requests/{request}"]) {
      const answer = await get("anonymous", path);
      expect([path, answer.status, answer.headers.get("www-authenticate")]).toEqual([path, 403, 'Bearer realm="api"']);
    }
  });

  test("self_html: timeline items, comment events only", async () => {
    const { hits } = (await get("ada", "/api/requests/{request}/timeline")).body.hits;
    const withPage = hits.map(({ type, links }: { type: string; links: object }) => [type, "self_html" in links]);
    expect(withPage).toEqual([
      ["L", false],
      ["C", true],
    ]);
  });

  test("title at submit: only when empty", async () => {
    const { draft, request: titled } = await givenReview(api, "ada", "bob");
    const ada = await api.as("ada");
    await ada.put(`/api/requests/${titled}`, { title: "My own words" });
    expect((await ada.post(`/api/records/${draft}/draft/actions/submit-review`)).body.title).toBe("My own words");
  });
});
