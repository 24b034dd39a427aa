import { describe, expect, test } from "vitest";
import { deskProfiles, givenSite, isReal } from "../support/desk-site.ts";
import { HttpClient } from "../support/http-client.ts";
import { givenDesk, givenDraftThere, givenRecordThere } from "../support/invenio-desk.ts";
import { newReplica } from "../support/two-replicas.ts";

const titles = async (desk: HttpClient, q = "") =>
  (await desk.get(`/api/user/records?q=${encodeURIComponent(q)}&sort=newest`)).body.hits.hits.map(
    (hit: { metadata: { title: string } }) => hit.metadata.title,
  );

describe.each(deskProfiles)("a replica of %s", (profile) => {
  const kind = profile === "zenodo" ? "zenodo" : "invenio";

  test("connects with a pasted token, knows the kind, and reads the first copy offline (issue 20.2, upstreams 5.1)", async () => {
    const ids = { draft: "", record: "" };
    const { desk, there, ada } = await givenDesk({ profile }, async (ada) => {
      ids.draft = await givenDraftThere(ada, "Draft of the tides");
      ids.record = await givenRecordThere(ada, "Record of the tides");
    });
    const { body: status } = await desk.get("/api/sync/status");
    expect(status).toMatchObject({
      state: "up_to_date",
      server: there.url,
      user: { id: ada.id, username: ada.username },
      upstream: { kind, url: there.url, is_practice: false, slowed_until: null },
    });

    await there.stop();
    expect((await titles(desk)).sort()).toEqual(["Draft of the tides", "Record of the tides"]);
    expect(await titles(desk, "draft")).toEqual(["Draft of the tides"]);
    const draft = await desk.get(`/api/records/${ids.draft}/draft`);
    expect(draft).toMatchObject({
      status: 200,
      body: {
        id: ids.draft,
        is_published: false,
        metadata: { title: "Draft of the tides", resource_type: { id: "dataset", title: { en: "Dataset" } } },
        parent: { access: { owned_by: { user: ada.id } } },
      },
    });
    const record = await desk.get(`/api/records/${ids.record}`);
    expect(record).toMatchObject({ status: 200, body: { is_published: true } });
    // Without a contract with DataCite a server gives no DOI.
    expect(record.body.pids.doi?.identifier).toBe(isReal ? undefined : `10.1234/${ids.record}`);
    const files = await desk.get(`/api/records/${ids.record}/files`);
    expect(files.body.entries).toMatchObject([{ key: "tides.csv", size: 18, status: "completed" }]);
    expect((await desk.get("/api/records?q=tides")).body.hits.hits).toMatchObject([{ id: ids.record }]);
  });
});

test("a record under edit is there twice: as published and as its draft (upstreams F17)", async () => {
  let id = "";
  const { desk } = await givenDesk({}, async (ada) => {
    id = await givenRecordThere(ada, "As published");
    const { body } = await ada.post(`/api/records/${id}/draft`);
    await ada.put(`/api/records/${id}/draft`, { ...body, metadata: { ...body.metadata, title: "Being edited" } });
  });
  expect((await desk.get(`/api/records/${id}`)).body.metadata.title).toBe("As published");
  expect((await desk.get(`/api/records/${id}/draft`)).body.metadata.title).toBe("Being edited");
});

test("a token that the site does not accept is refused, and nothing is stored (upstreams F14)", async () => {
  const there = await givenSite();
  const replica = await newReplica();
  const desk = new HttpClient(replica.url, replica.guard.secret);
  const answer = await desk.post("/api/sync/connect", { server: there.url, token: "pasted-wrongly" });
  expect(answer).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining("does not accept this token") },
  });
  expect((await desk.get("/api/sync/status")).body).toMatchObject({ state: "local", server: null, user: null });
});

test("another person of the same site is refused: their data folder is another one (upstreams 5.1)", async () => {
  const { desk, there, ada } = await givenDesk();
  const grace = there.person("grace");
  const answer = await desk.post("/api/sync/connect", { server: there.url, token: grace.token });
  expect(answer).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining(`belongs to ${ada.username}`) },
  });
});

test("a name and password are not asked for there: the answer says how to get a token (upstreams 5.3)", async () => {
  const there = await givenSite();
  const replica = await newReplica();
  const desk = new HttpClient(replica.url, replica.guard.secret);
  const answer = await desk.post("/api/sync/connect", {
    server: there.url,
    account: "ada",
    password: "a long password",
  });
  expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining("with a personal token") } });
});
