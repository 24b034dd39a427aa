import { describe, expect, test } from "vitest";
import { fakeOf, needsFake } from "../support/desk-site.ts";
import { must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDesk, givenDraftThere, givenRecordThere, settle } from "../support/invenio-desk.ts";
import { until } from "../support/until.ts";

const rename = async (client: HttpClient, id: string, title: string) => {
  const { body } = await client.get(`/api/records/${id}/draft`);
  await client.put(`/api/records/${id}/draft`, { ...body, metadata: { ...body.metadata, title } });
};

describe("a replica looks around at an InvenioRDM", () => {
  test("it sees what was made, changed and discarded in the browser (issue 20.2, upstreams F17)", async () => {
    let [changed, discarded] = ["", ""];
    const { desk, ada, run, advance } = await givenDesk({}, async (client) => {
      changed = await givenDraftThere(client, "To be changed");
      discarded = await givenDraftThere(client, "To be discarded");
    });
    const made = await givenDraftThere(ada.client, "Made later");
    await rename(ada.client, changed, "Changed");
    await ada.client.delete(`/api/records/${discarded}/draft`);
    await run();
    expect((await desk.get(`/api/records/${made}/draft`)).body.metadata.title).toBe("Made later");
    expect((await desk.get(`/api/records/${changed}/draft`)).body.metadata.title).toBe("Changed");
    // A list that lacks something proves nothing. Once a day the replica looks by id.
    expect((await desk.get("/api/user/records?q=discarded")).body.hits.total).toBe(1);
    advance(90_000);
    await run();
    await until(async () => (await desk.get("/api/user/records?q=discarded")).body.hits.total === 0, "it is gone");
  });

  test("whoever asks for the present state waits for the look under way, and asking on and on ends (upstreams U10)", async (row) => {
    needsFake(row, "a call that waits");
    let id = "";
    const world = await givenDesk({}, async (client) => {
      id = await givenDraftThere(client, "Before");
    });
    const { desk, replica, there, ada } = world;
    await rename(ada.client, id, "After");
    const look = `/api/records/${id}/draft`;
    const before = there.site.calls.length;
    const release = fakeOf(world).hold("GET", new RegExp(`${look}$`));
    await desk.post("/api/sync/run");
    const isLooking = () =>
      there.site.calls.slice(before).some(({ path, method }) => path === look && method === "GET");
    await until(isLooking, "the look is under way");
    let title: string | undefined;
    const refreshed = replica.engine.refresh().then(async () => {
      title = (await desk.get(look)).body.metadata.title;
    });
    for (let calls = 0; calls < 20; calls++) await desk.post("/api/sync/run");
    expect(title).toBeUndefined();
    release();
    await refreshed;
    expect(title).toBe("After");
  });

  test("a late list takes nothing away: what it lacks is looked at by its id (upstreams F7, U8)", async (row) => {
    needsFake(row, "lists that are an hour late");
    const world = await givenDesk();
    const { desk, ada, run, advance } = world;
    const made = await givenDraftThere(ada.client, "Listed");
    await run();
    fakeOf(world).switches.indexLagMs = 3_600_000;
    await rename(ada.client, made, "Renamed, not listed yet");
    const deaf = await givenDraftThere(ada.client, "Not listed yet");
    expect((await desk.get(`/api/records/${deaf}/draft`)).status).toBe(200);
    advance(90_000);
    await run();
    for (const id of [made, deaf]) expect((await desk.get(`/api/records/${id}/draft`)).status).toBe(200);
  });

  test("a proxy's page in place of an answer takes nothing away, and discards nothing (upstreams U7, U8)", async () => {
    const world = await givenDesk();
    const { desk, ada, run, there } = world;
    const id = await givenDraftThere(ada.client, "There");
    await run();
    await rename(ada.client, id, "Still there");
    const { switches } = there.site;
    switches.fault("html-404", "GET", new RegExp(`/${id}/draft$`), 3);
    await run();
    expect((await desk.get(`/api/records/${id}/draft`)).status).toBe(200);
    expect(there.site.calls.filter(({ status, path }) => status === 404 && path.endsWith(`${id}/draft`))).not.toEqual(
      [],
    );
    await settle(world);
    expect((await desk.get(`/api/records/${id}/draft`)).body.metadata.title).toBe("Still there");
    switches.fault("html-404", "GET", new RegExp(`/${id}/draft$`), 1);
    must(await desk.delete(`/api/records/${id}/draft`), 204);
    await settle(world);
    expect((await ada.client.get(`/api/records/${id}/draft`)).status).toBe(404);
  });

  test("where somebody wrote another value meanwhile, the one that was not stored stays as a conflict (upstreams E2)", async (row) => {
    needsFake(row, "a rule of one site alone");
    const world = await givenDesk();
    const { ada, desk } = world;
    const id = await givenDraftThere(ada.client, "With a version");
    await world.run();
    const { ownRules } = fakeOf(world).switches;
    const write = async (client: HttpClient, version: string) => {
      const { body } = await client.get(`/api/records/${id}/draft`);
      must(await client.put(`/api/records/${id}/draft`, { ...body, metadata: { ...body.metadata, version } }), 200);
      await settle(world);
      return (await desk.get(`/api/records/${id}/draft`)).body;
    };
    ownRules.set("version", "Use a number.");
    const told = { not_taken: [{ field: "metadata.version", messages: ["Use a number."] }] };
    expect(await write(desk, "second")).toMatchObject({ metadata: { version: "second" }, sync: told });
    ownRules.clear();
    const body = await write(ada.client, "2");
    expect([body.metadata.version, body.sync.not_taken]).toEqual(["2", undefined]);
    const { hits } = (await desk.get("/api/sync/conflicts")).body.hits;
    expect(hits).toMatchObject([{ mine: "second", theirs: "2" }]);
  });

  test("looks stay within the pace: none without a window for 15 minutes, unless the user asks (upstreams 4)", async () => {
    const { there, replica, advance, run } = await givenDesk();
    await replica.engine.refresh();
    const lists = () =>
      there.site.calls.filter(({ path }) => ["/api/user/records", "/api/requests/"].includes(path)).length;
    const before = lists();
    await replica.engine.refresh();
    advance(60);
    await replica.engine.refresh();
    expect(lists()).toBe(before);
    advance(15 * 60);
    await replica.engine.refresh();
    expect(lists()).toBe(before + 1);
    await run();
    expect(lists()).toBeGreaterThan(before + 1);
  });

  test("after 429 it makes no call until Retry-After is over, and says when it goes on (upstreams F16, U6)", async () => {
    const { there, replica, desk, advance } = await givenDesk();
    there.site.switches.fault("too-many", "GET", /user\/records$/);
    await desk.post("/api/sync/run");
    await replica.engine.refresh();
    const { body: status } = await desk.get("/api/sync/status");
    expect(status).toMatchObject({ online: true, upstream: { slowed_until: expect.stringMatching(/^20\d\d-/) } });
    const calls = there.site.calls.length;
    await desk.post("/api/sync/run");
    await replica.engine.refresh();
    expect(there.site.calls).toHaveLength(calls);
    advance(3600);
    expect((await desk.get("/api/sync/status")).body.upstream.slowed_until).toBeNull();
    await desk.post("/api/sync/run");
    await replica.engine.refresh();
    expect(there.site.calls.length).toBeGreaterThan(calls);
  });

  test("with few calls left it stops looking before the limit is reached (upstreams 4, U6)", async (row) => {
    needsFake(row, "the limits of Zenodo");
    const { there, replica, desk } = await givenDesk({ profile: "zenodo" });
    for (let round = 0; round < 60; round++) {
      await desk.post("/api/sync/run");
      await replica.engine.refresh();
    }
    expect(there.site.calls.filter(({ status }) => status === 429).length).toBe(0);
    const searches = there.site.calls.filter(({ path }) =>
      ["/api/user/records", "/api/requests/"].includes(path),
    ).length;
    expect(searches).toBeGreaterThan(10);
    expect(searches).toBeLessThan(20);
  });

  test("a dead token changes nothing here; the user is asked to sign in again (upstreams F14, U7)", async () => {
    let id = "";
    const { desk, there, ada, replica } = await givenDesk({}, async (client) => {
      id = await givenDraftThere(client, "Still here");
    });
    await there.site.revoke(ada.token);
    await desk.post("/api/sync/run");
    await until(async () => (await desk.get("/api/sync/status")).body.state === "sign_in", "the user is asked");
    expect((await desk.get(`/api/records/${id}/draft`)).body.metadata.title).toBe("Still here");
    const renewed = there.person("ada").token;
    expect((await desk.post("/api/sync/connect", { server: there.url, token: renewed })).status).toBe(200);
    await until(() => replica.engine.isOnline(), "it is online again");
  });

  test("a page that is refused because the token is dead is told that, and the user is asked to sign in again (upstreams F14)", async () => {
    const { desk, there, ada } = await givenDesk();
    await there.site.revoke(ada.token);
    const { status, body } = await desk.get("/api/user/records?scope=server");
    expect([status, body.message]).toEqual([503, expect.stringContaining("no longer accepts your access token")]);
    expect((await desk.get("/api/sync/status")).body.state).toBe("sign_in");
  });

  test("somebody else's record is opened by its id and stays here (issue 20.2)", async () => {
    const { desk, there } = await givenDesk();
    const id = await givenRecordThere(there.person("grace").client, "Of Grace");
    expect((await desk.get(`/api/records/${id}`)).body.metadata.title).toBe("Of Grace");
    await there.stop();
    expect((await desk.get(`/api/records/${id}`)).body.metadata.title).toBe("Of Grace");
  });

  test("a search on the server goes to the site, its query percent-encoded (upstreams F16)", async () => {
    const { desk, there } = await givenDesk({ profile: "zenodo" });
    const id = await givenRecordThere(there.person("grace").client, "Of Grace");
    await there.listed();
    // Other records of the real server are older.
    const q = encodeURIComponent(`created:[2000-01-01 TO *] AND id:${id}`);
    const found = await desk.get(`/api/records?scope=server&q=${q}`);
    expect(found).toMatchObject({ status: 200, body: { hits: { hits: [{ id }] } } });
    expect(found.body.links.self).toMatch(new RegExp(`^${desk.url}`));
  });

  test("its vocabularies are copied once a week (issue 20.2, upstreams 4)", async () => {
    const { desk, there } = await givenDesk({ profile: "invenio-13" });
    const asked = () =>
      new Set(there.site.calls.filter(({ path }) => path.startsWith("/api/vocabularies/")).map(({ path }) => path));
    await until(() => asked().size === 7, "seven were asked for");
    await until(
      async () => (await desk.get("/api/vocabularies/resourcetypes/publication-thesis")).status === 200,
      "a type of this site is known",
    );
  });

  test("only calls of the table are made: by method and path (upstreams U9)", async () => {
    const { there } = await givenDesk({}, (client) => givenRecordThere(client, "Mine"));
    const ours = there.site.calls.filter(({ headers }) => headers["user-agent"]?.startsWith("Carrel/"));
    expect(ours.length).toBeGreaterThan(3);
    for (const { method, path } of ours) {
      expect(method).toBe("GET");
      expect(path).toMatch(
        /^\/api\/(me|users\/\d+|user\/records|records(\/[\w-]+(\/draft(\/files)?)?)?|requests\/|vocabularies\/\w+)$/,
      );
    }
  });
});
