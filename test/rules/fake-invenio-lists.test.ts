import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { complete } from "../support/fake-invenio/complete.ts";
import { type FakeInvenio, givenFakeInvenio, startFakeInvenio } from "../support/fake-invenio/fake-invenio.ts";
import type { HttpClient } from "../support/http-client.ts";

const vendor = "application/vnd.inveniordm.v1+json";
let fake: FakeInvenio;
let ada: HttpClient;
let token: string;

beforeAll(async () => {
  fake = await startFakeInvenio();
  ({ client: ada, token } = fake.person("ada"));
});
afterAll(() => fake.stop());

const titled = (title: string) => ({ ...complete, metadata: { ...complete.metadata, title } });
const titlesOf = (answer: { body: { hits: { hits: { metadata: { title: string } }[] } } }): string[] =>
  answer.body.hits.hits.map(({ metadata }) => metadata.title);

describe("the user of a call", () => {
  test("GET /api/me has a number as id; a dead token is 401 there alone, elsewhere a guest (upstreams F14)", async () => {
    expect((await ada.get("/api/me")).body).toMatchObject({ id: expect.any(Number), email: "ada@example.org" });
    const { body: draft } = await ada.post("/api/records", complete);
    await ada.post(`/api/records/${draft.id}/draft/actions/publish`);
    const eve = fake.person("eve");
    fake.site.revoke(eve.token);
    const dead = await eve.client.get("/api/me");
    expect(dead.status).toBe(401);
    expect((await eve.client.get(`/api/records/${draft.id}`)).status).toBe(200);
    const refused = await eve.client.post("/api/records", complete);
    expect(refused.status).toBe(403);
    expect(refused.headers.get("www-authenticate")).toBeNull();
    expect((await eve.client.get("/api/user/records")).status).toBe(403);
  });
});

describe("lists of the fake InvenioRDM", () => {
  test("own records, the last changed first; one under edit is one hit, published and a draft (upstreams F17)", async () => {
    const site = await givenFakeInvenio();
    const { client } = site.person("ada");
    const { body: first } = await client.post("/api/records", titled("First draft"));
    await client.post(`/api/records/${first.id}/draft/actions/publish`);
    site.site.clock.advance(1_000);
    await client.post("/api/records", titled("Second draft"));
    expect(titlesOf(await client.get("/api/user/records"))).toEqual(["Second draft", "First draft"]);
    site.site.clock.advance(1_000);
    await client.post(`/api/records/${first.id}/draft`);
    const listed = await client.get("/api/user/records");
    expect(titlesOf(listed)).toEqual(["First draft", "Second draft"]);
    expect(listed.body.hits.hits[0]).toMatchObject({ is_published: true, is_draft: true });
    expect((await site.person("eve").client.get("/api/user/records")).body.hits.total).toBe(0);
  });

  test("the index is late, for grants later still (upstreams F17)", async () => {
    const site = await givenFakeInvenio();
    const [{ client }, grace] = [site.person("ada"), site.person("grace")];
    site.site.switches.indexLagMs = 1_000;
    site.site.switches.grantLagMs = 10_000;
    const { body: draft } = await client.post("/api/records", titled("Comes late"));
    expect(titlesOf(await client.get("/api/user/records"))).toEqual([]);
    site.site.clock.advance(1_001);
    expect(titlesOf(await client.get("/api/user/records"))).toEqual(["Comes late"]);
    await client.put(`/api/records/${draft.id}/draft`, titled("Changed since"));
    const [hit] = (await client.get("/api/user/records")).body.hits.hits;
    expect(hit).toMatchObject({ revision_id: draft.revision_id, metadata: { title: "Comes late" } });
    const grants = { grants: [{ subject: { type: "user", id: grace.id }, permission: "edit" }] };
    expect((await client.post(`/api/records/${draft.id}/access/grants`, grants)).status).toBe(201);
    site.site.clock.advance(9_000);
    expect((await grace.client.get("/api/user/records")).body.hits.total).toBe(0);
    expect((await grace.client.get(`/api/records/${draft.id}/draft`)).status).toBe(200);
    site.site.clock.advance(1_001);
    expect(titlesOf(await grace.client.get("/api/user/records"))).toEqual(["Changed since"]);
  });

  test("raw brackets in a query are 400, encoded ones are read (upstreams F16)", async () => {
    const query = "updated:[2020-01-01 TO *]";
    const { hostname, port } = new URL(fake.url);
    expect(hostname).toBe("127.0.0.1");
    const { request } = await import("node:http");
    const raw = await new Promise<number | undefined>((resolve) =>
      request({
        port,
        path: `/api/user/records?q=${query.replaceAll(" ", "+")}`,
        headers: { authorization: `Bearer ${token}` },
      })
        .on("response", (res) => resolve(res.resume().statusCode))
        .end(),
    );
    expect(raw).toBe(400);
    const encoded = await ada.get(`/api/user/records?q=${encodeURIComponent(query)}`);
    expect(encoded.status).toBe(200);
    expect(encoded.body.hits.total).toBeGreaterThan(0);
    const none = await ada.get(`/api/user/records?q=${encodeURIComponent("updated:[* TO 2020-01-01]")}`);
    expect(none.body.hits.total).toBe(0);
  });

  test("stock takes any page up to the window, Zenodo 100; an unknown order is 400 (upstreams F16, F23)", async () => {
    expect((await ada.get("/api/user/records?size=10000")).status).toBe(200);
    expect((await ada.get("/api/user/records?size=1000&page=11")).status).toBe(400);
    expect((await ada.get("/api/user/records?sort=unheard")).status).toBe(400);
    const zenodo = await givenFakeInvenio({ profile: "zenodo" });
    const { client } = zenodo.person("ada");
    expect((await client.get("/api/user/records?size=101")).status).toBe(400);
    expect((await client.get("/api/user/records?size=100")).status).toBe(200);
  });

  test("limits count per User-Agent and address; Retry-After comes with 200 too (upstreams F16)", async () => {
    const site = await givenFakeInvenio();
    site.site.limits.override = { minute: 3, hour: 100 };
    const [{ client }, { client: grace }] = [site.person("ada"), site.person("grace")];
    const answers = [await client.get("/api/me"), await grace.get("/api/me"), await client.get("/api/me")];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.map(({ headers }) => headers.get("x-ratelimit-remaining"))).toEqual(["2", "1", "0"]);
    expect(Number(answers[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    // Another person's token does not begin anew, another User-Agent does.
    expect((await grace.get("/api/me")).status).toBe(429);
    expect((await grace.get("/api/me", { headers: { "user-agent": "another" } })).status).toBe(200);
    site.site.clock.advance(60_000);
    expect((await client.get("/api/me")).status).toBe(200);
  });
});

describe("forms of the fake InvenioRDM", () => {
  test("the vendor type adds ui; on Zenodo plain JSON is the old form (upstreams F15)", async () => {
    for (const profile of ["invenio-14", "zenodo"] as const) {
      const site = await givenFakeInvenio({ profile });
      const { client } = site.person("ada");
      const body = profile === "zenodo" ? titled("In two forms") : complete;
      const { body: draft } = await client.post("/api/records", body);
      const id = draft.id;
      site.site.state.records.set(id, site.site.state.drafts.get(id) as never);
      const rich = await client.get(`/api/records/${id}`, { headers: { accept: `${vendor}, application/json;q=0.9` } });
      expect(rich.body).toMatchObject({ id, ui: {}, is_published: true });
      const old = await client.get(`/api/records/${id}`, { headers: { accept: "application/json" } });
      expect("is_published" in old.body).toBe(profile === "invenio-14");
      expect((await client.get(`/api/records/${id}`, { headers: { accept: "text/unheard" } })).status).toBe(406);
    }
  });

  test("vocabularies have titles in plain JSON and a translated form in the vendor type (upstreams F15)", async () => {
    const plain = await ada.get("/api/vocabularies/resourcetypes?size=1000", {
      headers: { accept: "application/json" },
    });
    expect(plain.body.hits.hits.find(({ id }: { id: string }) => id === "dataset").title.en).toBe("Dataset");
    const translated = await ada.get("/api/vocabularies/resourcetypes/dataset", { headers: { accept: vendor } });
    expect(translated.body).toMatchObject({ id: "dataset", title_l10n: "Dataset" });
    expect(translated.body).not.toHaveProperty("title");
    expect((await ada.get("/api/vocabularies/unheard")).status).toBe(404);
    const suggested = await ada.get("/api/affiliations?suggest=cern");
    expect(suggested.body.hits.hits[0].id).toBe("01ggx4157");
  });
});
