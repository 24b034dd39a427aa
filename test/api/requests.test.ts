import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import type { Answer, HttpClient } from "../support/http-client.ts";
import { comment, givenReview, givenSubmitted, linesOf } from "../support/reviews.ts";

const clientOf = async (api: Api, who: string): Promise<HttpClient> =>
  who === "anonymous" ? api.anonymous : api.as(who);

/** What may be tried on a request, and who succeeds in which status (requests 3.1). */
interface Row {
  operation: string;
  call(client: HttpClient, path: string): Promise<Answer>;
  draft: string[];
  submitted: string[];
  declined: string[];
  /** What a superuser gets where that is not success. */
  superuser?: Record<string, number>;
}
const everybody = ["ada", "bob", "moderator", "cleo", "anonymous", "admin"];
const readers = ["ada", "bob", "moderator", "admin"];

const matrix: Row[] = [
  {
    operation: "read the request",
    call: (client, path) => client.get(path),
    ...{ draft: ["ada", "admin"], submitted: readers, declined: readers },
  },
  {
    operation: "read the timeline",
    call: (client, path) => client.get(`${path}/timeline`),
    ...{ draft: ["ada", "admin"], submitted: readers, declined: readers },
  },
  {
    operation: "create a comment",
    call: (client, path) => client.post(`${path}/comments`, comment("x")),
    ...{ draft: ["ada", "admin"], submitted: readers, declined: readers },
  },
  {
    operation: "upload an attachment",
    call: (client, path) => client.putBytes(`${path}/files/upload/a.txt`, "x"),
    ...{ draft: ["ada", "admin"], submitted: readers, declined: readers },
  },
  {
    operation: "PUT",
    call: (client, path) => client.put(path, { title: "t" }),
    ...{ draft: ["ada", "admin"], submitted: ["ada", "bob", "admin"], declined: ["admin"] },
  },
  {
    operation: "DELETE",
    call: (client, path) => client.delete(path),
    ...{ draft: ["ada", "admin"], submitted: [], declined: [] },
    superuser: { submitted: 400, declined: 400 },
  },
  {
    operation: "submit",
    call: (client, path) => client.post(`${path}/actions/submit`),
    ...{ draft: ["ada", "admin"], submitted: [], declined: [] },
    superuser: { submitted: 400, declined: 400 },
  },
  {
    operation: "cancel",
    call: (client, path) => client.post(`${path}/actions/cancel`),
    ...{ draft: ["ada", "admin"], submitted: ["ada", "admin"], declined: [] },
    superuser: { declined: 400 },
  },
  {
    operation: "accept",
    call: (client, path) => client.post(`${path}/actions/accept`),
    ...{ draft: ["bob", "admin"], submitted: ["bob", "admin"], declined: [] },
    superuser: { declined: 400 },
  },
  {
    operation: "decline",
    call: (client, path) => client.post(`${path}/actions/decline`),
    ...{ draft: ["bob", "admin"], submitted: ["bob", "admin"], declined: [] },
    superuser: { declined: 400 },
  },
  {
    operation: "expire",
    call: (client, path) => client.post(`${path}/actions/expire`),
    ...{ draft: [], submitted: [], declined: [] },
    superuser: { draft: 403, submitted: 403, declined: 403 },
  },
  {
    operation: "lock",
    call: (client, path) => client.post(`${path}/lock`),
    ...{ draft: [], submitted: ["bob", "admin"], declined: ["bob", "admin"] },
    superuser: { draft: 400 },
  },
];

/** In a state where the action does not apply, who may act gets 400 instead of 403. */
const rightful: Record<string, string> = { submit: "ada", cancel: "ada", accept: "bob", decline: "bob" };

describe("the matrix of requests 3.1", () => {
  let api: Api;
  beforeAll(async () => {
    api = await startApi();
    for (const name of everybody) await clientOf(api, name);
  });
  afterAll(() => api.close());

  const cases = matrix.flatMap((row) =>
    (["draft", "submitted", "declined"] as const).flatMap((status) =>
      everybody.map((who) => [row.operation, who, status, row] as const),
    ),
  );
  test.each(cases)("%s by %s while %s", async (operation, who, status, row) => {
    const { request } = await (status === "draft" ? givenReview : givenSubmitted)(api, "ada", "bob");
    if (status === "declined") await (await api.as("bob")).post(`/api/requests/${request}/actions/decline`);
    const answer = await row.call(await clientOf(api, who), `/api/requests/${request}`);
    const isAllowed = row[status].includes(who);
    if (isAllowed) expect(answer.status, answer.text).toBeLessThan(300);
    else if (who === "admin") expect(answer.status, answer.text).toBe(row.superuser?.[status]);
    else if (rightful[operation] === who) expect(answer.status, answer.text).toBe(400);
    else expect(answer).toMatchObject({ status: 403, body: { status: 403, message: "Permission denied." } });
  });
});

describe("who reaches a draft under review (requests 4.3)", () => {
  test.each(["draft", "submitted", "declined"])("while %s", async (status) => {
    const api = await startApi();
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

describe("actions (requests 5)", () => {
  test("unknown names, states where an action does not apply, bad payloads: 400 and nothing changes", async () => {
    const api = await startApi();
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
    const api = await startApi();
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

  test("a submitted request whose time has passed is expired for every read, with one log event", async () => {
    const api = await startApi();
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { draft, request } = await givenReview(api, "ada", "bob");
    const soon = new Date(Date.now() + 400).toISOString();
    await ada.put(`/api/requests/${request}`, { expires_at: soon });
    await ada.post(`/api/requests/${request}/actions/submit`);
    expect((await bob.get(`/api/records/${draft}/draft`)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 450));
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
