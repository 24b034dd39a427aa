import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { complete } from "../support/fake-invenio/complete.ts";
import { type FakeInvenio, startFakeInvenio } from "../support/fake-invenio/fake-invenio.ts";
import type { HttpClient } from "../support/http-client.ts";

let fake: FakeInvenio;
let ada: HttpClient;
let grace: HttpClient;

beforeAll(async () => {
  fake = await startFakeInvenio();
  ada = fake.person("ada").client;
  grace = fake.person("grace").client;
});
afterAll(() => fake.stop());

async function givenDraft(body: object = complete) {
  const { status, body: draft } = await ada.post("/api/records", body);
  expect(status).toBe(201);
  return { draft, path: `/api/records/${draft.id}/draft` };
}

const withMetadata = (metadata: object) => ({ ...complete, metadata: { ...complete.metadata, ...metadata } });

describe("a draft of the fake InvenioRDM", () => {
  test("If-Match is a bare integer and is honoured; other forms are 400; each PUT moves the revision by 2 (upstreams F1)", async () => {
    const { draft, path } = await givenDraft();
    const again = await ada.put(path, complete, { headers: { "if-match": String(draft.revision_id) } });
    expect(again).toMatchObject({ status: 200, body: { revision_id: draft.revision_id + 2 } });
    const stale = await ada.put(path, complete, { headers: { "if-match": String(draft.revision_id) } });
    expect(stale.status).toBe(412);
    for (const form of [`"${draft.revision_id}"`, `W/"${draft.revision_id}"`, "*"]) {
      const refused = await ada.put(path, complete, { headers: { "if-match": form } });
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: "if_match" }] } });
    }
    const unchanged = await ada.get(path, { headers: { "if-none-match": again.headers.get("etag") ?? "" } });
    expect(unchanged.status).toBe(200);
    const refused = await ada.delete(path, undefined, { headers: { "if-match": String(draft.revision_id) } });
    expect(refused.status).toBe(412);
  });

  test("publishing takes no precondition (upstreams F2)", async () => {
    const { path } = await givenDraft();
    const published = await ada.post(`${path}/actions/publish`, undefined, { headers: { "if-match": "999" } });
    expect(published.status).toBe(202);
  });

  test("a save without If-Match overwrites what another one wrote (upstreams F3)", async () => {
    const { path } = await givenDraft();
    await ada.put(path, withMetadata({ title: "Written at the desk" }));
    const fromBrowser = await ada.put(path, withMetadata({ title: "An older copy" }));
    expect(fromBrowser.body.metadata.title).toBe("An older copy");
  });

  test("a wrong single value and an unknown key are not stored, and named in errors of a 200 (upstreams F4)", async () => {
    const { path } = await givenDraft();
    const body = withMetadata({ title: "ab", publication_date: "yesterday", publisher: 5, unheard: "of" });
    const saved = await ada.put(path, body);
    expect(saved.status).toBe(200);
    const fields = saved.body.errors.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(
      expect.arrayContaining(["metadata.title", "metadata.publication_date", "metadata.publisher", "metadata.unheard"]),
    );
    for (const key of ["title", "publication_date", "publisher", "unheard"])
      expect(saved.body.metadata).not.toHaveProperty(key);
    expect((await ada.get(path)).body).not.toHaveProperty("errors");
  });

  test("what only breaks a rule over an object is stored as sent (upstreams F4)", async () => {
    const { path } = await givenDraft();
    const wrong = {
      creators: [
        { person_or_org: { type: "organizational" } },
        { person_or_org: { type: "personal", family_name: "B", identifiers: [{ scheme: "orcid", identifier: "1" }] } },
      ],
      related_identifiers: [{ identifier: "10.1234/x", scheme: "doi" }],
    };
    const saved = await ada.put(path, withMetadata(wrong));
    expect(saved.body.metadata).toMatchObject(wrong);
    expect(saved.body.errors.map(({ field }: { field: string }) => field)).toEqual(
      expect.arrayContaining([
        "metadata.creators.0.person_or_org.name",
        "metadata.creators.1.person_or_org.identifiers.0.identifier",
        "metadata.related_identifiers.0.relation_type",
      ]),
    );
  });

  test("errors name files.enabled and derived keys that were put back (upstreams F4)", async () => {
    const { path } = await givenDraft({ ...complete, files: { enabled: true } });
    const body = withMetadata({
      rights: [{ id: "cc-by-4.0", icon: "x" }],
      creators: [
        { ...complete.metadata.creators[0], affiliations: [{ id: "01ggx4157", identifiers: [{ scheme: "ror" }] }] },
      ],
    });
    const saved = await ada.put(path, { ...body, files: { enabled: true } });
    expect(saved.body.errors.map(({ field }: { field: string }) => field)).toEqual(
      expect.arrayContaining([
        "files.enabled",
        "metadata.rights.0.icon",
        "metadata.creators.0.affiliations.0.identifiers",
      ]),
    );
  });

  test("unknown vocabulary ids and half an access refuse the whole save (upstreams F5)", async () => {
    const { path } = await givenDraft();
    const unknown = await ada.put(path, withMetadata({ resource_type: { id: "nope" }, title: "Lost with it" }));
    expect(unknown).toMatchObject({ status: 400, body: { message: "Invalid value nope." } });
    expect(unknown.body).not.toHaveProperty("errors");
    const half = await ada.put(path, { ...complete, access: { record: "public" } });
    expect(half).toMatchObject({ status: 400, body: { errors: [{ field: "access" }] } });
    const odd = await ada.put(path, { ...complete, access: { ...complete.access, unheard: 1 } });
    expect(odd.status).toBe(200);
    expect((await ada.get(path)).body.metadata.title).toBe(complete.metadata.title);
  });

  test("two saves at once end in `Invalid value` of an id that is right (upstreams F5, F24)", async () => {
    const { path } = await givenDraft();
    const release = fake.site.hold("PUT", new RegExp(`${path}$`));
    const both = [ada.put(path, complete), ada.put(path, complete)];
    await expect
      .poll(() => fake.site.calls.filter(({ path: at, status }) => at === path && status === 0).length)
      .toBe(2);
    release();
    const answers = await Promise.all(both);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(answers.find(({ status }) => status === 400)?.body.message).toBe("Invalid value dataset.");
  });

  test("texts come back changed (upstreams F6)", async () => {
    const { path } = await givenDraft();
    const saved = await ada.put(
      path,
      withMetadata({
        title: "  The “curly” ﬁle <b>bold</b>\u200b ",
        description: "<p onclick='x'>Hello <script>alert(1)</script><b>you</b></p>",
        creators: [
          {
            person_or_org: {
              ...{ type: "personal", family_name: "Lovelace", given_name: "Ada", name: "Somebody Else" },
              identifiers: [{ identifier: "https://orcid.org/0000-0002-1825-0097" }],
            },
            affiliations: [{ id: "01ggx4157", name: "My own name for it" }],
          },
        ],
      }),
    );
    const { metadata } = saved.body;
    expect(metadata.title).toBe('The "curly" file <b>bold</b>');
    expect(metadata.description).toBe("<p>Hello alert(1)<b>you</b></p>");
    expect(metadata.creators[0].person_or_org).toMatchObject({
      name: "Lovelace, Ada",
      identifiers: [{ scheme: "orcid", identifier: "0000-0002-1825-0097" }],
    });
    expect(metadata.creators[0].affiliations[0].name).toBe("European Organization for Nuclear Research");
  });

  test("14 does not know publication-thesis, 13 keeps it, Zenodo renames it (upstreams F6)", async () => {
    const thesis = withMetadata({ resource_type: { id: "publication-thesis" } });
    const { path } = await givenDraft();
    expect((await ada.put(path, thesis)).status).toBe(400);
    for (const [profile, kept] of [
      ["invenio-13", "publication-thesis"],
      ["zenodo", "publication-dissertation"],
    ] as const) {
      const other = await startFakeInvenio({ profile });
      const created = await other.person("ada").client.post("/api/records", thesis);
      expect(created.body.metadata.resource_type.id).toBe(kept);
      await other.stop();
    }
  });

  test("a draft is created with 500 while search cannot be reached, and no list ever shows it (upstreams F7)", async () => {
    const before = fake.site.state.drafts.size;
    fake.site.switches.fault("done-but-500", "POST", /records$/);
    expect((await ada.post("/api/records", withMetadata({ title: "Never listed" }))).status).toBe(500);
    expect(fake.site.state.drafts.size).toBe(before + 1);
    fake.site.clock.advance(3_600_000);
    const listed = await ada.get("/api/user/records?size=1000");
    expect(JSON.stringify(listed.body)).not.toContain("Never listed");
    fake.site.switches.fault("queue-down", "POST", /records$/);
    expect((await ada.post("/api/records", withMetadata({ title: "Listed though 500" }))).status).toBe(500);
    expect(JSON.stringify((await ada.get("/api/user/records?size=1000")).body)).toContain("Listed though 500");
  });

  test("POST of draft and version returns the one that is there; POST /records does not (upstreams F8)", async () => {
    const { draft, path } = await givenDraft();
    await ada.post(`${path}/actions/publish`);
    const at = `/api/records/${draft.id}`;
    const [first, second] = [await ada.post(`${at}/draft`), await ada.post(`${at}/draft`)];
    expect(second.body.revision_id).toBe(first.body.revision_id);
    const version = await ada.post(`${at}/versions`);
    expect(version.body.id).not.toBe(draft.id);
    expect((await ada.post(`${at}/versions`)).body.id).toBe(version.body.id);
    expect((await givenDraft()).draft.id).not.toBe((await givenDraft()).draft.id);
  });

  test("at the same moment POST /versions makes twins (upstreams F8)", async () => {
    const { draft, path } = await givenDraft();
    await ada.post(`${path}/actions/publish`);
    const at = `/api/records/${draft.id}/versions`;
    const release = fake.site.hold("POST", new RegExp(`${at}$`));
    const both = [ada.post(at), ada.post(at)];
    await expect
      .poll(() => fake.site.calls.filter(({ path: made, status }) => made === at && status === 0).length)
      .toBe(2);
    release();
    const ids = (await Promise.all(both)).map(({ body }) => body.id);
    expect(new Set(ids).size).toBe(2);
  });

  test("a second DOI is 400; a PUT without pids keeps it, pids: {} drops it (upstreams F8)", async () => {
    const { path } = await givenDraft();
    const reserved = await ada.post(`${path}/pids/doi`);
    expect(reserved.status).toBe(201);
    expect((await ada.post(`${path}/pids/doi`)).status).toBe(400);
    expect((await ada.put(path, complete)).body.pids.doi).toEqual(reserved.body.pids.doi);
    expect((await ada.put(path, { ...complete, pids: {} })).body.pids).toEqual({});
  });

  test("publishing consumes the draft: again is 404, two at once are 202 and 500 (upstreams F9)", async () => {
    const { path } = await givenDraft();
    expect((await ada.post(`${path}/actions/publish`)).status).toBe(202);
    expect(await ada.post(`${path}/actions/publish`)).toMatchObject({ status: 404, body: { message: "Not found." } });
    const { path: other } = await givenDraft();
    const at = `${other}/actions/publish`;
    const release = fake.site.hold("POST", new RegExp(`${at}$`));
    const both = [ada.post(at), ada.post(at)];
    await expect
      .poll(() => fake.site.calls.filter(({ path: made, status }) => made === at && status === 0).length)
      .toBe(2);
    release();
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([202, 500]);
  });

  test("a gateway's 504 may be carried out minutes later (upstreams F9)", async () => {
    const { draft, path } = await givenDraft();
    fake.site.switches.fault("late-504", "POST", /actions\/publish$/, 1, 300_000);
    expect((await ada.post(`${path}/actions/publish`)).status).toBe(504);
    expect((await ada.get(`/api/records/${draft.id}`)).status).toBe(404);
    fake.site.clock.advance(299_000);
    expect((await ada.get(path)).status).toBe(200);
    fake.site.clock.advance(2_000);
    expect((await ada.get(`/api/records/${draft.id}`)).status).toBe(200);
    expect((await ada.get(path)).status).toBe(404);
  });

  test("a deleted draft leaves no trace: 404 both ways (upstreams F17)", async () => {
    const { draft, path } = await givenDraft();
    expect((await ada.delete(path)).status).toBe(204);
    expect((await ada.get(path)).status).toBe(404);
    expect((await ada.get(`/api/records/${draft.id}`)).status).toBe(404);
  });

  test("the id is the server's alone; one sent is ignored; Zenodo's are integers (upstreams F18)", async () => {
    const { draft } = await givenDraft({ ...complete, id: "abcde-fghij" });
    expect(draft.id).not.toBe("abcde-fghij");
    const zenodo = await startFakeInvenio({ profile: "zenodo" });
    const { body } = await zenodo.person("ada").client.post("/api/records", complete);
    expect(body.id).toMatch(/^\d+$/);
    await zenodo.stop();
  });

  test("nobody else reads a draft: 403, and so does a guest (upstreams F14)", async () => {
    const { path } = await givenDraft();
    expect(await grace.get(path)).toMatchObject({ status: 403, body: { message: "Permission denied." } });
    expect((await fake.guest.get(path)).status).toBe(403);
  });
});
