import { beforeAll, describe, expect, test } from "vitest";
import { isRecordId } from "../../shared/kernel/record-id.ts";
import { type Api, roles, startApi } from "../support/api.ts";
import { addFile, fixtureBytes } from "../support/files.ts";
import type { Answer, HttpClient } from "../support/http-client.ts";
import { givenDraft, givenRecord, metadata, publish, withoutFiles } from "../support/records.ts";

describe.each(roles)("rows of the records contract on the %s", (role) => {
  test("grants: n = position in the list, which is that in which they were sent (records 7.3)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const path = `/api/records/${await givenRecord(alice)}/access/grants`;
    const subjects = ["user:bob", "role:administration", "role:superuser-access", "user:carol", "role:admin"];
    const grants = [];
    for (const subject of subjects) {
      const [type, name = ""] = subject.split(":");
      grants.push({ permission: "view", subject: { type, id: type === "user" ? await api.idOf(name) : name } });
    }
    expect((await alice.post(path, { grants })).status).toBe(201);
    for (const [n, { subject }] of grants.entries()) {
      expect((await alice.get(`${path}/${n}`)).body.subject).toEqual(subject);
    }
  });

  test("communities and communities-suggestions of records and drafts: 200, an empty envelope (records 9)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const draft = await givenDraft(alice);
    const bodies = [
      (await alice.get(`/api/records/${draft}/draft`)).body,
      (await alice.get(`/api/records/${await givenRecord(alice)}`)).body,
    ];
    for (const { links } of bodies) {
      for (const name of ["communities", "communities-suggestions"]) {
        const { status, body } = await alice.get(links[name]);
        expect([status, body.hits, body.links.self.startsWith(links[name])]).toEqual([
          200,
          { hits: [], total: 0 },
          true,
        ]);
      }
    }
    expect((await api.anonymous.get(`/api/records/${draft}/communities`)).status).toBe(403);
  });
});

/** Fields of a body by dotted paths. */
function at(body: unknown, path: string): unknown {
  return path.split(".").reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], body);
}

const spaced = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/;
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?\+00:00$/;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe.each(roles)("a record with a file, its next version in edit, on the %s", (role) => {
  let api: Api;
  let alice: HttpClient;
  let id: string;
  let parent: string;
  let next: string;
  let link: string;
  beforeAll(async () => {
    api = await startApi(role);
    alice = await api.as("alice");
    id = await givenDraft(alice, { metadata: { ...metadata, publisher: "Press" }, files: { enabled: true } });
    await addFile(alice, id, "a.zip", await fixtureBytes("python.zip"));
    await alice.post(`/api/records/${id}/draft/pids/doi`);
    await publish(alice, id);
    parent = (await alice.get(`/api/records/${id}`)).body.parent.id;
    next = (await alice.post(`/api/records/${id}/versions`)).body.id;
    await addFile(alice, next, "b.txt", "text");
    const day = { permission: "view", expires_at: "2999-12-31" };
    link = (await alice.post(`/api/records/${id}/access/links`, day)).body.id;
    return () => api.close();
  });
  const pathOf = (path: string): string =>
    path.replace("{id}", id).replace("{next}", next).replace("{parent}", parent).replace("{link}", link);
  const get = (path: string): Promise<Answer> => alice.get(pathOf(path));

  test.each([
    ...["/api/records/{id}", "/api/records", "/api/user/records", "/api/records/{id}/versions"],
    ...["/api/records/{id}/versions/latest", "/api/records/{id}/files", "/api/records/{id}/files/a.zip"],
    ...["/api/records/{id}/files/a.zip/content", "/api/records/{id}/files/a.zip/container/readme.txt"],
    ...["/api/records/{id}/access/links/{link}", "/api/records/{id}/access/grants", "/api/records/{id}/requests"],
    ...["/api/records/{next}/draft", "/api/records/{next}/draft/files", "/api/records/{next}/draft/files/b.txt"],
    ...["/api/records/{next}/draft/review", "/api/vocabularies/languages/eng", "/api/iiif/record:{id}/manifest"],
  ])("HEAD of every GET route: same status and headers, no body: %s (records 1.3)", async (path) => {
    const [head, full] = [await alice.head(pathOf(path)), await get(path)];
    const shown = ({ status, headers }: Answer) => [
      status,
      ...["content-type", "etag", "content-length", "content-disposition"].map((name) => headers.get(name)),
    ];
    expect(shown(head)).toEqual(shown(full));
    expect(head.text).toBe("");
    const options = await alice.call("OPTIONS", pathOf(path));
    expect([options.status, options.headers.get("allow")]).toEqual([204, expect.stringContaining("GET")]);
  });

  test.each(["/api/records/{id}/files", "/api/records/{id}/access/links", "/api/records/{next}/draft/files/b.txt"])(
    "JSON-only routes: application/json and the vendor type, same body: %s (records 1.3)",
    async (path) => {
      const type = "application/vnd.inveniordm.v1+json";
      const vendor = await alice.get(pathOf(path), { headers: { accept: type } });
      expect([vendor.body, vendor.headers.get("content-type")]).toEqual([(await get(path)).body, type]);
      expect((await alice.get(pathOf(path), { headers: { accept: "application/x-bibtex" } })).status).toBe(406);
    },
  );

  test("ids: ten characters and two check digits, the same before and after publishing; UUIDs; users as strings (records 1.5)", async () => {
    for (const one of [id, parent, next]) expect([one, isRecordId(one), one]).toEqual([one, true, one.toLowerCase()]);
    const { body } = await get("/api/records/{id}/files/a.zip");
    for (const key of ["file_id", "version_id", "bucket_id"]) expect(body[key]).toMatch(uuid);
    expect(link).toMatch(uuid);
    const { body: record } = await get("/api/records/{id}");
    expect(record.parent.access.owned_by).toEqual({ user: await api.idOf("alice") });
  });

  test("GET of the parent's id, which all versions share: 302 to the latest version's record URL (records 1.5)", async () => {
    const moved = await get("/api/records/{parent}");
    expect([moved.status, moved.headers.get("location")]).toEqual([302, `${alice.url}/api/records/${id}`]);
  });

  test.each([
    ["/api/records/{id}", ["created", "updated"], spaced],
    ["/api/records/{next}/draft", ["created", "updated", "expires_at"], spaced],
    ["/api/records/{id}/files/a.zip", ["created", "updated"], spaced],
    ["/api/records/{id}/access/links/{link}", ["created_at"], iso],
    ["/api/records/{id}/access/links/{link}", ["expires_at"], /^2999-12-31$/],
    ["/api/vocabularies/languages/eng", ["created", "updated"], iso],
  ])("timestamps of %s: %j (records 1.6)", async (path, fields, form) => {
    const { body } = await get(path);
    for (const field of fields) expect(body[field]).toMatch(form);
  });

  test.each(["{id}", "{next}", "{parent}"])(
    "versions/latest: any version's id or the parent id: %s (records 4.1)",
    async (any) => {
      expect((await get(`/api/records/${any}/versions/latest`)).body.id).toBe(id);
    },
  );

  test("versions: published ones, highest index first, sortBy version, links.self, size 25 (records 4.1)", async () => {
    const { body } = await get("/api/records/{id}/versions");
    expect(body.hits.hits.map((hit: { id: string }) => hit.id)).toEqual([id]);
    const self = `${alice.url}/api/records/${id}/versions?page=1&size=25&sort=version`;
    expect([body.sortBy, body.hits.total, body.links.self]).toEqual(["version", 1, self]);
  });

  test("links of a draft and of a record, each with its value (records 9)", async () => {
    const url = alice.url;
    const common = (one: string) => {
      const [self, page] = [`${url}/api/records/${one}`, `${url}/records/${one}`];
      const names = ["communities", "communities-suggestions", "requests", "versions"];
      const access = ["links", "grants", "users", "groups"].map((name) => [`access_${name}`, `${self}/access/${name}`]);
      return {
        ...Object.fromEntries([...names.map((name) => [name, `${self}/${name}`]), ...access]),
        ...{ access: `${self}/access`, preview_html: `${page}?preview=1` },
        ...{ latest: `${self}/versions/latest`, latest_html: `${page}/latest` },
      };
    };
    const iiif = (one: string) => ({
      self_iiif_manifest: `${url}/api/iiif/${one}/manifest`,
      self_iiif_sequence: `${url}/api/iiif/${one}/sequence/default`,
    });
    const [self, draft, doi] = [
      `${url}/api/records/${id}`,
      `${url}/api/records/${next}/draft`,
      "https://doi.org/10.5072",
    ];
    expect((await get("/api/records/{id}")).body.links).toEqual({
      ...{ ...common(id), ...iiif(`record:${id}`), self, self_html: `${url}/records/${id}` },
      ...{ files: `${self}/files`, archive: `${self}/files-archive`, draft: `${self}/draft` },
      ...{ doi: `${doi}/${id}`, self_doi: `${doi}/${id}` },
      ...{ parent: `${url}/api/records/${parent}`, parent_html: `${url}/records/${parent}` },
    });
    expect((await get("/api/records/{next}/draft")).body.links).toEqual({
      ...{ ...common(next), ...iiif(`draft:${next}`), self: draft, self_html: `${url}/uploads/${next}` },
      ...{ files: `${draft}/files`, archive: `${draft}/files-archive`, reserve_doi: `${draft}/pids/doi` },
      ...{ publish: `${draft}/actions/publish`, review: `${draft}/review` },
      ...{ record: `${url}/api/records/${next}`, record_html: `${url}/records/${next}` },
    });
  });

  test.each([
    ["record/file timestamps: YYYY-MM-DD hh:mm:ss.ffffff", "/api/records/{id}/files/a.zip", "created", spaced],
    ["file entry and collection links: paths", "/api/records/{id}/files", "links.self", /^\/api\/records\//],
    ["…/versions/latest: 200 with body", "/api/records/{id}/versions/latest", "is_published", true],
    ["container checksum: crc:<digits>", "/api/records/{id}/files/a.zip/container", "entries.0.checksum", /^crc:\d+$/],
    ["publication_date of a new version: removed", "/api/records/{next}/draft", "metadata.publication_date", undefined],
    ["is_published of an edit draft: false for drafts", "/api/records/{next}/draft", "is_published", false],
    ["draft links: latest present", "/api/records/{next}/draft", "links.latest", /versions\/latest$/],
    ["draft links: latest_html present", "/api/records/{next}/draft", "links.latest_html", /latest$/],
    ["default page size: 10 (search)", "/api/records", "links.self", /size=10&/],
    ["default page size: 25 for /versions", "/api/records/{id}/versions", "links.self", /size=25&/],
    ["is_latest_draft: present", "/api/records/{id}", "versions.is_latest_draft", false],
    [
      "DOI and OAI pid minted at publish: only when reserved or external",
      "/api/records/{next}/draft",
      "pids.doi",
      undefined,
    ],
  ])("%s (records 13)", async (_row, path, field, expected) => {
    const { status, body } = await get(path);
    expect(status).toBe(200);
    if (expected instanceof RegExp) expect(at(body, field)).toMatch(expected);
    else expect(at(body, field)).toBe(expected);
  });

  test("review of a draft in short: 404, 200 unsubmitted, 204; 403 for others (records 3.7)", async () => {
    const draft = await givenDraft(alice);
    const path = `/api/records/${draft}/draft/review`;
    expect(await alice.get(path)).toMatchObject({ status: 404, body: { message: "Review for draft not found" } });
    const review = { type: "default-request", receiver: { user: await api.idOf("bob") }, title: "Look" };
    expect(await alice.put(path, review)).toMatchObject({ status: 200, body: { is_open: false, title: "Look" } });
    const bob = await api.as("bob");
    expect([(await bob.get(path)).status, (await bob.put(path, review)).status]).toEqual([403, 403]);
    expect((await alice.delete(path)).status).toBe(204);
    await alice.put(path, review);
    expect((await alice.post(`/api/records/${draft}/draft/actions/submit-review`)).status).toBe(202);
    expect((await alice.delete(path)).status).toBe(400);
    expect((await bob.get(path)).status).toBe(200);
  });
});

describe("an id that a replica does not hold", () => {
  const unknown = "/api/records/4d0ns-ntd89";
  const cases: [method: string, path: string, body: string, headers: Record<string, string>, status: number][] = [
    ["PUT", "", "{}", {}, 405],
    ["DELETE", "", "", {}, 405],
    ["PATCH", "/draft", "{}", {}, 405],
    ["PUT", "/draft", "text", { "content-type": "text/plain" }, 415],
    ["PUT", "/draft", "{", {}, 400],
    ["GET", "", "", { accept: "image/png" }, 406],
    ["PUT", "/draft", "{}", {}, 404],
    ["GET", "", "", {}, 404],
  ];

  test("order of checks: method, type, Accept, syntax, then whether it exists (records 1.1)", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    for (const [method, path, body, headers, status] of cases) {
      const sent = body === "" ? undefined : body;
      const answer = await alice.call(method, unknown + path, sent, {
        headers: { ...(sent ? { "content-type": "application/json" } : {}), ...headers },
      });
      expect([method, path, body, answer.status]).toEqual([method, path, body, status]);
    }
    const foreign = await (await api.as("bob")).post("/api/records", {});
    const missing = await alice.delete(`/api/records/${foreign.body.id}/draft/files/nowhere`);
    expect([missing.status, missing.body.message], "a missing file, also for who would be refused").toEqual([
      404,
      `Record '${foreign.body.id}' has no file 'nowhere'.`,
    ]);
    expect((await alice.delete(`/api/records/${foreign.body.id}/draft`)).status).toBe(403);
    const endless = await alice.get(`/api/records/${"x".repeat(300)}/draft`);
    expect([endless.status, endless.body.message]).toEqual([404, "The persistent identifier does not exist."]);
    await alice.post("/api/sync/pause");
    expect((await alice.put(unknown, {})).status).toBe(405);
    expect((await alice.get(unknown)).status).toBe(503);
  });

  test("the addresses of pages answer on a replica, with or without the built app (hosts-and-sync 8, Pages)", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const { links } = (await alice.get(`/api/records/${await givenRecord(alice)}`)).body;
    for (const name of ["self_html", "preview_html", "latest_html", "parent_html"]) {
      const { status, headers } = await alice.get(links[name]);
      expect([name, status, headers.get("content-type")]).toEqual([name, 200, "text/html; charset=utf-8"]);
      expect(headers.get("referrer-policy"), "search-and-conventions 11").toBe("no-referrer");
      expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
    }
  });
});

test("a deleted record is 410 with its tombstone for everybody, also on a replica that is offline (records 4.7)", async () => {
  const api = await startApi("replica");
  const alice = await api.as("alice");
  const admin = await api.as("admin");
  const bob = await api.as("bob");
  for (const [name, isVisible, expected] of [
    ["seen", true, { status: 410, body: { message: "Record deleted", tombstone: { note: "seen" } } }],
    ["hidden", false, { status: 403, body: { message: "Permission denied." } }],
  ] as const) {
    const path = `/api/records/${await givenRecord(alice, { ...withoutFiles, metadata: { ...metadata, title: "Soon gone" } })}`;
    expect((await bob.get(path)).status).toBe(200);
    await admin.call("DELETE", `${path}/delete`, { note: name, is_visible: isVisible });
    await api.waitForSync();
    await bob.post("/api/sync/pause");
    expect.soft(await bob.get(path), name).toMatchObject(expected);
    expect.soft(await bob.get(`${path}/files`), `files, ${name}`).toMatchObject(expected);
    expect.soft((await bob.post(`${path}/versions`)).status, `versions, ${name}`).toBe(403);
    expect.soft((await bob.get("/api/records?q=gone")).body.hits.total, `search, ${name}`).toBe(0);
    await bob.post("/api/sync/resume");
    await admin.post(`${path}/restore`, {});
    await api.waitForSync();
    expect.soft((await bob.get(path)).body.metadata, `restored, ${name}`).toMatchObject({ title: "Soon gone" });
    await admin.call("DELETE", `${path}/delete`);
  }
});
