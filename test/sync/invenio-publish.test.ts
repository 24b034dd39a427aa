import { describe, expect, test } from "vitest";
import { fakeOf, isReal, needsFake } from "../support/desk-site.ts";
import { addFile, must } from "../support/files.ts";
import { type Desk, draftAt, givenDesk, givenDraftThere, settle } from "../support/invenio-desk.ts";
import { pause, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const press = ({ desk, id }: Ready) => desk.post(`${draftAt(id)}/actions/publish`);
const published = ({ there }: Desk) =>
  there.site.calls.filter(({ method, path }) => method === "POST" && path.endsWith("/actions/publish"));

type Ready = Desk & { id: string };

/** A draft with a file, on both sides, that may be published. */
async function givenReady(): Promise<Ready> {
  let id = "";
  const world = await givenDesk({}, async (ada) => {
    id = await givenDraftThere(ada, "Ready");
    await addFile(ada, id, "tides.csv", "hour,height\n");
  });
  return { ...world, id };
}

describe("publishing on an InvenioRDM", () => {
  test("pressed online it is published once (issue 20.5)", async () => {
    const world = await givenReady();
    const answer = await press(world);
    expect(answer).toMatchObject({ status: 202, body: { is_published: true } });
    expect(published(world)).toHaveLength(1);
    const record = (await world.desk.get(`/api/records/${world.id}`)).body;
    // Without a contract with DataCite a server gives no DOI.
    expect(record.pids.doi?.identifier).toBe(isReal ? undefined : `10.1234/${world.id}`);
    expect((await world.desk.get(draftAt(world.id))).status).toBe(404);
    await settle(world);
    expect(published(world)).toHaveLength(1);
  });

  test("edits and files made here are there before it is published (issue 20.5)", async () => {
    const world = await givenReady();
    const { desk, id } = world;
    const { body } = await desk.get(draftAt(id));
    must(await desk.put(draftAt(id), { ...body, metadata: { ...body.metadata, title: "Ready at last" } }), 200);
    await addFile(desk, id, "more.csv", "more");
    must(await press(world), 202);
    await until(async () => {
      world.advance(12);
      await press(world);
      return (await desk.get(`/api/records/${id}`)).body.is_published === true;
    }, "it is published");
    const there = (await world.ada.client.get(`/api/records/${id}`)).body;
    expect(there.metadata.title).toBe("Ready at last");
    expect(Object.keys(there.files.entries).sort()).toEqual(["more.csv", "tides.csv"]);
    expect(published(world)).toHaveLength(1);
  });

  test("pressed offline it waits, also once the site can be reached; pressed again it goes, once (issue 20.5, U1)", async () => {
    const world = await givenReady();
    const { desk } = world;
    await pause(desk);
    must(await press(world), 202);
    await desk.post("/api/sync/resume");
    await until(async () => (await desk.get("/api/sync/status")).body.online === true, "online");
    await world.replica.engine.flush();
    expect(published(world)).toHaveLength(0);
    expect((await desk.get("/api/sync/operations")).body.hits.hits).toMatchObject([{ kind: "draft.publish" }]);
    must(await press(world), 202);
    await settle(world);
    expect(published(world)).toHaveLength(1);
    expect((await desk.get("/api/sync/operations")).body.hits.total).toBe(0);
  });

  test("a wish of before an edit is the same wish: pressed again, it goes once, and holds up nothing (issue 20.5, U1)", async () => {
    const world = await givenReady();
    const { desk, ada, id } = world;
    await pause(desk);
    must(await press(world), 202);
    const { body } = await desk.get(draftAt(id));
    must(await desk.put(draftAt(id), { ...body, metadata: { ...body.metadata, title: "Ready at last" } }), 200);
    must(await press(world), 202);
    expect((await desk.get("/api/sync/operations")).body.hits.hits).toMatchObject([
      { kind: "draft.edit" },
      { kind: "draft.publish" },
    ]);
    await desk.post("/api/sync/resume");
    await until(async () => {
      world.advance(12);
      await press(world);
      return (await desk.get(`/api/records/${id}`)).body.is_published === true;
    }, "it is published");
    expect((await ada.client.get(`/api/records/${id}`)).body.metadata.title).toBe("Ready at last");
    expect(published(world)).toHaveLength(1);
    await settle(world);
    expect((await desk.get("/api/sync/operations")).body.hits.total).toBe(0);
  });

  test.for(["lost-after", "done-but-500", "late-504"] as const)(
    "with %s it is looked for, for 15 minutes, and never sent twice (upstreams F9, U1)",
    async (fault, row) => {
      if (fault === "done-but-500") needsFake(row, "a record that is never indexed");
      const world = await givenReady();
      const { desk, there, id, advance } = world;
      there.site.switches.fault(fault, "POST", /actions\/publish$/, 1, 600_000);
      const pressed = press(world);
      await until(() => published(world).length === 1, "it was sent");
      there.site.clock.advance(600_000);
      await until(async () => {
        advance(60);
        await desk.post("/api/sync/run");
        const { pending, sending } = (await desk.get("/api/sync/status")).body;
        return pending + sending === 0;
      }, "it was found");
      await pressed;
      expect((await desk.get(`/api/records/${id}`)).body.is_published).toBe(true);
      expect(published(world)).toHaveLength(1);
      expect(await trayOf(desk)).toEqual([]);
    },
  );

  test("what was published is compared with what the user saw, and a difference is told (issue 20.5, upstreams 3)", async (row) => {
    needsFake(row, "a draft that changes while it is being published");
    const world = await givenReady();
    const { desk, id } = world;
    const release = fakeOf(world).hold("POST", /actions\/publish$/);
    const pressed = press(world);
    await until(() => published(world).length === 1, "it was sent");
    Object.assign(fakeOf(world).state.drafts.get(id)?.metadata ?? {}, { title: "Somebody else's" });
    release();
    expect(await pressed).toMatchObject({
      status: 409,
      body: {
        message: expect.stringContaining("published this, but not as you saw it. Somebody changed it meanwhile: title"),
      },
    });
    expect((await desk.get(`/api/records/${id}`)).body).toMatchObject({
      is_published: true,
      metadata: { title: "Somebody else's" },
    });
    expect(published(world)).toHaveLength(1);
  });

  test("not published for 15 minutes: the wish comes back, and nothing is sent by itself (upstreams 3, U1)", async () => {
    const world = await givenReady();
    const { desk, there, id, advance } = world;
    there.site.switches.fault("lost-before", "POST", /actions\/publish$/);
    const unsure = async () => (await desk.get("/api/sync/status")).body.upstream.unsure;
    expect(await unsure()).toEqual([]);
    const pressed = press(world);
    await until(() => published(world).length === 1, "it was sent");
    await until(async () => (await unsure()).length === 1, "the user is told");
    expect(await unsure()).toEqual([{ id, title: "Ready" }]);
    await until(async () => {
      advance(300);
      await desk.post("/api/sync/run");
      const { pending, sending } = (await desk.get("/api/sync/status")).body;
      return pending + sending === 0;
    }, "all looks are over");
    const answer = await pressed;
    const reasons = [answer.body.message, ...(await trayOf(desk)).map(({ reason }: { reason: string }) => reason)];
    expect(reasons.join(" ")).toContain("did not publish this");
    expect(await unsure()).toEqual([]);
    expect(published(world)).toHaveLength(1);
    expect((await desk.get(draftAt(id))).status).toBe(200);
  });

  test("a draft changed in the browser is not published from here (issue 20.5, U1)", async () => {
    const world = await givenReady();
    const { ada, id } = world;
    const { body } = await ada.client.get(draftAt(id));
    await ada.client.put(draftAt(id), { ...body, metadata: { ...body.metadata, title: "Changed in the browser" } });
    expect(await press(world)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("was changed on") },
    });
    expect(published(world)).toHaveLength(0);
  });

  test("a refusal is shown in the site's words (upstreams F20, F21)", async (row) => {
    needsFake(row, "a site that publishes in communities only, a blocked account");
    const world = await givenReady();
    const { switches } = fakeOf(world);
    switches.communityRequired = true;
    expect(await press(world)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("Cannot publish without selecting a community.") },
    });
    switches.communityRequired = false;
    switches.blocked.add("ada");
    expect(await press(world)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining("Your account is blocked.") },
    });
    expect(published(world)).toHaveLength(2);
  });

  test("a DOI is reserved and released online, and edits keep it (issue 20.5, upstreams F8)", async (row) => {
    needsFake(row, "a contract with DataCite");
    const world = await givenReady();
    const { desk, ada, id } = world;
    must(await desk.post(`${draftAt(id)}/pids/doi`), 201);
    expect((await desk.get(draftAt(id))).body.pids.doi.identifier).toBe(`10.1234/${id}`);
    const { body } = await desk.get(draftAt(id));
    must(await desk.put(draftAt(id), { ...body, metadata: { ...body.metadata, title: "With a DOI" } }), 200);
    await settle(world);
    expect((await ada.client.get(draftAt(id))).body).toMatchObject({
      metadata: { title: "With a DOI" },
      pids: { doi: { identifier: `10.1234/${id}` } },
    });
    must(await desk.delete(`${draftAt(id)}/pids/doi`), 204, 200);
    expect((await ada.client.get(draftAt(id))).body.pids.doi).toBeUndefined();
  });
});
