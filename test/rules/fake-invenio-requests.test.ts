import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { complete } from "../support/fake-invenio/complete.ts";
import { type FakeInvenio, givenFakeInvenio, startFakeInvenio } from "../support/fake-invenio/fake-invenio.ts";
import type { HttpClient } from "../support/http-client.ts";

let fake: FakeInvenio;
let ada: HttpClient;
let grace: HttpClient;
let eve: HttpClient;
let community: string;
const graceId = "2";

const givenCommunity = async (client: HttpClient): Promise<string> =>
  (
    await client.post("/api/communities", {
      ...{ slug: "probe", metadata: { title: "Probe community" } },
      access: { visibility: "public", review_policy: "closed" },
    })
  ).body.id;

beforeAll(async () => {
  fake = await startFakeInvenio();
  [ada, grace, eve] = ["ada", "grace", "eve"].map((name) => fake.person(name).client) as [
    HttpClient,
    HttpClient,
    HttpClient,
  ];
  community = await givenCommunity(grace);
});
afterAll(() => fake.stop());

const submission = () => ({ type: "community-submission", receiver: { community } });

async function givenDraft() {
  const { body } = await ada.post("/api/records", complete);
  return { id: body.id as string, at: `/api/records/${body.id}`, draft: `/api/records/${body.id}/draft` };
}

async function givenSubmitted() {
  const made = await givenDraft();
  await ada.put(`${made.draft}/review`, submission());
  const { status, body } = await ada.post(`${made.draft}/actions/submit-review`, {
    payload: { content: "Please", format: "html" },
  });
  expect(status).toBe(202);
  return { ...made, request: `/api/requests/${body.id}` };
}

const say = (content: string) => ({ payload: { content, format: "html" } });

describe("requests of the fake InvenioRDM", () => {
  test("PUT review deletes the one that is there; refused once it is submitted (upstreams F19)", async () => {
    const { draft } = await givenDraft();
    const first = await ada.put(`${draft}/review`, submission());
    const second = await ada.put(`${draft}/review`, submission());
    expect(second.body.id).not.toBe(first.body.id);
    expect((await ada.get(`/api/requests/${first.body.id}`)).status).toBe(404);
    await ada.post(`${draft}/actions/submit-review`);
    expect((await ada.put(`${draft}/review`, submission())).status).toBe(400);
  });

  test("another type is 400 `Invalid review type.`; while it is open, publish and delete are 400 and the receiver edits (upstreams F21)", async () => {
    const { draft } = await givenDraft();
    expect(await ada.put(`${draft}/review`, { ...submission(), type: "review" })).toMatchObject({
      status: 400,
      body: { errors: [{ field: "type", messages: ["Invalid review type."] }] },
    });
    const open = await givenSubmitted();
    expect((await ada.post(`${open.draft}/actions/publish`)).status).toBe(400);
    expect((await ada.delete(open.draft)).status).toBe(400);
    expect((await grace.put(open.draft, complete)).status).toBe(200);
    expect((await eve.put(open.draft, complete)).status).toBe(403);
    expect((await ada.get(open.request)).body.links.actions).toEqual({ cancel: expect.any(String) });
    expect(Object.keys((await grace.get(open.request)).body.links.actions)).toEqual(["accept", "decline"]);
  });

  test("accepting publishes, whatever If-Match says; a second time is 400 (upstreams F21, F2)", async () => {
    const { at, draft, request } = await givenSubmitted();
    const accepted = await grace.post(`${request}/actions/accept`, undefined, { headers: { "if-match": "999" } });
    expect(accepted).toMatchObject({ status: 200, body: { status: "accepted", is_closed: true } });
    expect((await ada.get(at)).body.parent.communities.ids).toEqual([community]);
    expect((await ada.get(draft)).status).toBe(404);
    expect((await grace.post(`${request}/actions/accept`)).status).toBe(400);
    expect((await grace.post(`${request}/actions/unheard`)).status).toBe(400);
  });

  test("some sites publish nothing without a community (upstreams F21)", async () => {
    const { draft } = await givenDraft();
    fake.site.switches.communityRequired = true;
    const refused = await ada.post(`${draft}/actions/publish`);
    fake.site.switches.communityRequired = false;
    expect(refused).toMatchObject({ status: 400, body: { message: "Cannot publish without selecting a community." } });
  });

  test("comments: If-Match counts, ids are the server's, each POST makes one, replies from 14 (upstreams F1, F8, F18)", async () => {
    const { request } = await givenSubmitted();
    const comments = `${request}/comments`;
    const first = await ada.post(comments, { ...say("Said “twice”"), id: "mine" });
    const second = await ada.post(comments, say("Said “twice”"));
    expect(first.body).toMatchObject({ payload: { content: 'Said "twice"' } });
    expect(second.body.id).not.toBe(first.body.id);
    expect(first.body.id).not.toBe("mine");
    const one = `${comments}/${first.body.id}`;
    expect((await ada.put(one, say("x"), { headers: { "if-match": "99" } })).status).toBe(412);
    expect((await ada.put(one, say("x"), { headers: { "if-match": '"1"' } })).status).toBe(400);
    expect((await ada.put(one, say("x"), { headers: { "if-match": "1" } })).body.revision_id).toBe(2);
    expect((await ada.post(`${one}/reply`, say("answer"))).body.parent_id).toBe(first.body.id);
    const { body } = await ada.get(`${request}/timeline?sort=newest`);
    expect(body.hits.hits.map(({ children_count }: { children_count: number }) => children_count)).toEqual([0, 1, 0]);
    expect((await ada.delete(one)).status).toBe(204);
    const after = await ada.get(`${request}/timeline`);
    expect(after.body.hits.hits.find(({ id }: { id: string }) => id === first.body.id).type).toBe("L");
    expect((await ada.post(comments, say(" "))).status).toBe(400);
    expect((await eve.post(comments, say("x"))).status).toBe(403);
  });

  test("/requests without its slash is 308; /user/requests leaves out those she curates; newestactivity from 14 (upstreams F23)", async () => {
    await givenSubmitted();
    expect((await ada.get("/api/requests")).status).toBe(308);
    const total = async (client: HttpClient, path: string) => (await client.get(path)).body.hits.total;
    expect(await total(grace, "/api/requests/")).toBeGreaterThan(0);
    expect(await total(grace, "/api/user/requests")).toBe(0);
    expect(await total(ada, "/api/user/requests")).toBeGreaterThan(0);
    expect((await ada.get("/api/requests/?sort=newestactivity")).status).toBe(200);
    const older = await givenFakeInvenio({ profile: "invenio-13" });
    expect((await older.person("ada").client.get("/api/requests/?sort=newestactivity")).status).toBe(400);
  });

  test("GET lock changes the request where it is on; off it is 403; 13 has neither (upstreams F19)", async () => {
    const { request } = await givenSubmitted();
    expect((await ada.get(`${request}/lock`)).status).toBe(403);
    fake.site.switches.locking = true;
    expect((await grace.get(`${request}/lock`)).body.is_locked).toBe(true);
    expect((await ada.post(`${request}/comments`, say("x"))).status).toBe(403);
    await grace.get(`${request}/unlock`);
    fake.site.switches.locking = false;
    expect((await ada.post(`${request}/comments`, say("x"))).status).toBe(201);
  });
});

describe("sharing in the fake InvenioRDM", () => {
  test("links: each POST makes one, id and token are the server's; the token opens the draft (upstreams F8, F18)", async () => {
    const { at, draft } = await givenDraft();
    const first = await ada.post(`${at}/access/links`, { permission: "preview", id: "mine", token: "mine" });
    const second = await ada.post(`${at}/access/links`, { permission: "preview" });
    expect(first.status).toBe(201);
    expect([first.body.id, first.body.token]).not.toContain("mine");
    expect(second.body.id).not.toBe(first.body.id);
    expect((await fake.guest.get(`${draft}?token=${first.body.token}`)).status).toBe(200);
    await ada.delete(`${at}/access/links/${first.body.id}`);
    expect((await fake.guest.get(`${draft}?token=${first.body.token}`)).status).toBe(403);
  });

  test("grants: a second for the same person is 400; the id is a place in a list, and the rest move up (upstreams F18)", async () => {
    const { at, draft } = await givenDraft();
    const grant = (id: string) => ({ grants: [{ subject: { type: "user", id }, permission: "edit" }] });
    expect((await ada.post(`${at}/access/grants`, grant(graceId))).status).toBe(201);
    expect((await ada.post(`${at}/access/grants`, grant(graceId))).status).toBe(400);
    await ada.post(`${at}/access/grants`, grant("3"));
    expect((await grace.put(draft, complete)).status).toBe(200);
    await ada.delete(`${at}/access/grants/0`);
    expect((await ada.get(`${at}/access/grants/0`)).body.subject.id).toBe("3");
    expect((await ada.delete(`${at}/access/users/3`)).status).toBe(204);
    expect((await ada.get(`${at}/access/grants`)).body.hits.total).toBe(0);
  });

  test("Zenodo: no groups, no restricted records, no metadata-only ones; a blocked account writes nothing (upstreams F20, F5)", async () => {
    const zenodo = await givenFakeInvenio({ profile: "zenodo" });
    const { client } = zenodo.person("ada");
    const { body } = await client.post("/api/records", complete);
    const at = `/api/records/${body.id}`;
    const role = { grants: [{ subject: { type: "role", id: "researchers" }, permission: "edit" }] };
    expect((await client.post(`${at}/access/grants`, role)).status).toBe(400);
    const restricted = { ...complete, access: { record: "restricted", files: "restricted" } };
    expect((await client.put(`${at}/draft`, restricted)).status).toBe(400);
    expect((await client.post(`${at}/draft/actions/publish`)).body.errors[0].field).toBe("files.enabled");
    zenodo.site.switches.blocked.add("ada");
    expect((await client.put(`${at}/draft`, complete)).status).toBe(403);
    expect((await client.get(`${at}/draft`)).status).toBe(200);
  });
});
