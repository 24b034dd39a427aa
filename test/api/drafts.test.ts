import { describe, expect, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import { givenDraft, givenRecord, metadata, publish, withoutFiles } from "../support/records.ts";

const missing = "Missing data for required field.";
const noFiles = "Missing uploaded files. To disable files for this record please mark it as metadata-only.";

describe.each(roles)("drafts on the %s", (role) => {
  test("POST /api/records: 201 with the whole body (records 3.1, 3.5)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const { status, body, headers } = await alice.post("/api/records", withoutFiles);
    expect(status).toBe(201);
    expect(headers.get("etag")).toBe(`"${body.revision_id}"`);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{3}\d\d$/),
      created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/),
      is_published: false,
      status: "draft",
      access: { record: "public", files: "public", embargo: { active: false, reason: null }, status: "metadata-only" },
      files: { enabled: false, default_preview: null, order: [], count: 0, total_bytes: 0, entries: {} },
      metadata: { creators: [{ person_or_org: { name: "Brown, Troy" } }], resource_type: { title: { en: "Photo" } } },
      custom_fields: {},
      pids: {},
      parent: { access: { owned_by: { user: await api.idOf("alice") }, links: [] } },
      versions: { index: 1, is_latest: false, is_latest_draft: true },
      links: { self: expect.stringMatching(/\/api\/records\/[^/]+\/draft$/) },
    });
    const days = (Date.parse(`${body.expires_at.replace(" ", "T")}Z`) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
  });

  test.each([
    ["nothing at all", undefined, 201, undefined],
    ["a list", [], 400, "_schema"],
    ["files without enabled", { files: { order: [] } }, 400, "files.enabled"],
    ["files that are null", { files: null }, 400, "files"],
    ["files.enabled of another type", { files: { enabled: "yes" } }, 400, "files.enabled"],
    ["access without files", { access: { record: "public" } }, 400, "access.files"],
    ["unknown access value", { access: { record: "secret", files: "public" } }, 400, "access.record"],
    [
      "unknown resource type",
      { metadata: { ...metadata, resource_type: { id: "nonsense" } } },
      400,
      "metadata.resource_type.id",
    ],
    ["unknown top-level keys", { colour: 1, id: "x", links: {}, ...withoutFiles }, 201, undefined],
  ])("POST with %s, and PUT where it is refused (records 3.2, 3.3)", async (_name, body, expected, field) => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const answer = await alice.post("/api/records", body);
    expect(answer.status).toBe(expected);
    if (!field) return expect(answer.body).not.toHaveProperty("colour");
    const refused = { status: 400, body: { errors: [{ field, messages: [expect.any(String)] }] } };
    expect(answer).toMatchObject(refused);
    const { id } = (await alice.post("/api/records", withoutFiles)).body;
    expect(await alice.put(`/api/records/${id}/draft`, body), "PUT").toMatchObject(refused);
  });

  test("saving never fails on metadata; a later GET says nothing of it (records 3.3)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const { title: _title, ...rest } = metadata;
    const answer = await alice.post("/api/records", { ...withoutFiles, metadata: { ...rest, title: "", colour: 1 } });
    expect(answer.status).toBe(201);
    expect(answer.body.errors).toEqual([
      { field: "metadata.title", messages: ["Shorter than minimum length 3."] },
      { field: "metadata.colour", messages: ["Unknown field."] },
    ]);
    const draft = await alice.get(`/api/records/${answer.body.id}/draft`);
    expect(draft.body).not.toHaveProperty("errors");
    expect(draft.body.metadata).not.toHaveProperty("title");
    const saved = await alice.put(`/api/records/${answer.body.id}/draft`, { files: { enabled: true }, metadata: {} });
    expect(saved.status).toBe(200);
    expect(saved.body.errors).toContainEqual({ field: "metadata.creators", messages: [missing] });
    expect(saved.body.errors).toContainEqual({ field: "files.enabled", messages: [noFiles] });
  });

  test("PUT of a GET body changes nothing; absent parts behave as said (records 3.2)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const access = { record: "restricted", files: "restricted" };
    const id = await givenDraft(alice, { ...withoutFiles, access });
    const before = (await alice.get(`/api/records/${id}/draft`)).body;
    const same = await alice.put(`/api/records/${id}/draft`, before);
    expect(same.body.revision_id).toBe(before.revision_id);
    expect(same.body).toEqual(before);
    const emptied = await alice.put(`/api/records/${id}/draft`, {});
    expect(emptied.status).toBe(200);
    expect(emptied.body).toMatchObject({ access, metadata: {}, files: { enabled: false } });
    expect(emptied.body).not.toHaveProperty("errors");
    expect(emptied.body.revision_id).toBeGreaterThan(before.revision_id);
  });

  test("If-Match: stale 412, nonsense 400, * and current pass; If-None-Match: * 412 (records 1.4, RFC 9110, 13.1.2)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    const path = `/api/records/${id}/draft`;
    const put = (match: string) => alice.put(path, withoutFiles, { headers: { "if-match": match } });
    const current = (await alice.get(path)).body.revision_id;
    for (const match of [`${current}`, `"${current}"`, `W/"${current}"`, "*"])
      expect((await put(match)).status).toBe(200);
    const stale = await put("999");
    expect(stale.status).toBe(412);
    expect(stale.body.message).toBe(`Revision id provided(999) doesn't match record's one(${current})`);
    for (const nonsense of ["abc", '"1', "1.5", "W/1"]) expect((await put(nonsense)).status, nonsense).toBe(400);
    expect((await alice.delete(path, undefined, { headers: { "if-match": "999" } })).status).toBe(412);
    expect((await alice.put(path, withoutFiles, { headers: { "if-none-match": "*" } })).status).toBe(412);
    expect((await alice.delete(path)).status).toBe(204);
    expect((await alice.get(path)).status).toBe(404);
  });

  test("publish, edit, publish again: same id, counter goes on (records 1.4, 3.4)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    const published = await alice.post(`/api/records/${id}/draft/actions/publish`);
    expect(published.status).toBe(202);
    expect(published.body).toMatchObject({ id, is_published: true, versions: { is_latest: true } });
    expect(published.body.links.self).toMatch(new RegExp(`/api/records/${id}$`));
    expect((await alice.get(`/api/records/${id}/draft`)).status).toBe(404);
    const edit = await alice.post(`/api/records/${id}/draft`);
    expect(edit.status).toBe(201);
    expect(edit.body).toMatchObject({
      is_published: false,
      status: "published",
      versions: { index: 1, is_latest: true },
    });
    expect(edit.body.revision_id).toBeGreaterThan(published.body.revision_id);
    const { body: present } = await alice.get(`/api/records/${id}/draft`);
    expect((await alice.post(`/api/records/${id}/draft`)).body).toEqual(present);
    await alice.put(`/api/records/${id}/draft`, { ...withoutFiles, metadata: { ...metadata, title: "Another title" } });
    expect((await alice.get(`/api/records/${id}`)).body.metadata.title).toBe(metadata.title);
    const again = await alice.post(`/api/records/${id}/draft/actions/publish`);
    expect(again.body).toMatchObject({ id, created: published.body.created, metadata: { title: "Another title" } });
    expect(again.body.revision_id).toBeGreaterThan(edit.body.revision_id);
    // The view before publishing may have been counted in between.
    const { body } = await alice.get(`/api/records/${id}`);
    expect({ ...body, stats: again.body.stats }).toEqual(again.body);
  });

  test("publish refuses what is not complete, and the draft stays (records 3.4)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenDraft(alice, { metadata: { ...metadata, publication_date: "" } });
    const answer = await alice.post(`/api/records/${id}/draft/actions/publish`);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([
      { field: "metadata.publication_date", messages: [missing] },
      { field: "files.enabled", messages: [noFiles] },
    ]);
    expect((await alice.get(`/api/records/${id}/draft`)).status).toBe(200);
  });

  test("discarding the draft of a published record leaves the record (records 3.6)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenRecord(alice);
    await alice.post(`/api/records/${id}/draft`);
    expect((await alice.delete(`/api/records/${id}/draft`)).status).toBe(204);
    expect((await alice.get(`/api/records/${id}/draft`)).status).toBe(404);
    expect((await alice.get(`/api/records/${id}`)).status).toBe(200);
  });

  test("a new version: copied, index counted, one draft only (records 4.2, 4.3)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const body = { ...withoutFiles, metadata: { ...metadata, version: "v1", publisher: "Press" } };
    const first = await givenRecord(alice, body);
    const draft = await alice.post(`/api/records/${first}/versions`);
    expect(draft.status).toBe(201);
    expect(draft.body).toMatchObject({
      status: "new_version_draft",
      pids: {},
      metadata: { publisher: "Press" },
      versions: { index: 2, is_latest: false, is_latest_draft: true },
    });
    expect(draft.body.metadata).not.toHaveProperty("publication_date");
    expect(draft.body.metadata).not.toHaveProperty("version");
    expect((await alice.post(`/api/records/${first}/versions`)).body.id).toBe(draft.body.id);
    expect((await alice.get(`/api/records/${first}`)).body.versions).toEqual({
      index: 1,
      is_latest: true,
      is_latest_draft: false,
    });
    const second = draft.body.id;
    expect((await alice.post(`/api/records/${second}/draft/actions/publish`)).status).toBe(400);
    await alice.put(`/api/records/${second}/draft`, withoutFiles);
    await publish(alice, second);
    expect((await alice.get(`/api/records/${first}`)).body.versions.is_latest).toBe(false);
    const list = await alice.get(`/api/records/${first}/versions`);
    expect(list.body.hits.hits.map((hit: { id: string }) => hit.id)).toEqual([second, first]);
    expect(list.body).toMatchObject({ sortBy: "version", hits: { total: 2 } });
    expect(Object.keys(list.body).sort()).toEqual(["hits", "links", "page", "sortBy"]);
    const parent = list.body.hits.hits[0].parent.id;
    for (const any of [first, second, parent]) {
      expect((await alice.get(`/api/records/${any}/versions/latest`)).body.id).toBe(second);
    }
    const moved = await alice.get(`/api/records/${parent}`);
    expect(moved.status).toBe(302);
    expect(moved.headers.get("location")).toMatch(new RegExp(`/api/records/${second}$`));
  });

  test("discarding a new version frees its index (records 3.6)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const first = await givenRecord(alice);
    const second = (await alice.post(`/api/records/${first}/versions`)).body.id;
    expect((await alice.delete(`/api/records/${second}/draft`)).status).toBe(204);
    expect((await alice.get(`/api/records/${first}`)).body.versions.is_latest_draft).toBe(true);
    expect((await alice.post(`/api/records/${first}/versions`)).body.versions.index).toBe(2);
  });
});

describe("drafts on the server", () => {
  test("parallel publishes: exactly one 202, the others 404 (records 1.4)", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    const calls = Array.from({ length: 8 }, () => alice.post(`/api/records/${id}/draft/actions/publish`));
    const statuses = (await Promise.all(calls)).map(({ status }) => status).sort();
    expect(statuses).toEqual([202, ...Array(7).fill(404)]);
  });

  test("parallel POST /versions: one draft, all get its id (records 1.4)", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const id = await givenRecord(alice);
    const answers = await Promise.all(Array.from({ length: 8 }, () => alice.post(`/api/records/${id}/versions`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  test("parallel PUTs: the draft ends as one of them; with If-Match one wins (records 1.4)", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    const path = `/api/records/${id}/draft`;
    const titled = (n: number) => ({
      ...withoutFiles,
      metadata: { ...metadata, title: `Title ${n}`.repeat(n + 1), publisher: `Press ${n}` },
    });
    const calls = Array.from({ length: 8 }, (_, n) => alice.put(path, titled(n)));
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(8).fill(200));
    const { body } = await alice.get(path);
    const winner = Number(body.metadata.publisher.slice(6));
    expect(body.metadata.title).toBe(titled(winner).metadata.title);
    const headers = { "if-match": `"${body.revision_id}"` };
    const guarded = Array.from({ length: 4 }, (_, n) => alice.put(path, titled(n + 10), { headers }));
    expect((await Promise.all(guarded)).map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });

  test("anonymous and unrelated callers (records 2, 1.1)", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    expect((await api.anonymous.post("/api/records", withoutFiles)).status).toBe(403);
    expect((await api.anonymous.get(`/api/records/${id}/draft`)).status).toBe(403);
    expect((await (await api.as("bob")).get(`/api/records/${id}/draft`)).status).toBe(403);
    const unregistered = await alice.get(`/api/records/${id}`);
    expect(unregistered).toMatchObject({
      status: 404,
      body: { message: "The persistent identifier is not registered." },
    });
    const unknown = await alice.get("/api/records/00000-00098");
    expect(unknown).toMatchObject({ status: 404, body: { message: "The persistent identifier does not exist." } });
    for (const method of ["PUT", "POST", "DELETE"]) {
      expect((await alice.call(method, `/api/records/${id}`)).status).toBe(405);
    }
  });
});
