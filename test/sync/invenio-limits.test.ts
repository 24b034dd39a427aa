import { describe, expect, test } from "vitest";
import { fakeOf, needsFake } from "../support/desk-site.ts";
import { addFile, must } from "../support/files.ts";
import { type Desk, draftAt, editDraft, givenDesk, givenDraftThere, settle } from "../support/invenio-desk.ts";
import { until } from "../support/until.ts";

const statusOf = async ({ desk }: Desk) => must(await desk.get("/api/sync/status"), 200).body;
const titlesOf = async ({ desk }: Desk): Promise<string[]> =>
  must(await desk.get("/api/user/records?size=100"), 200)
    .body.hits.hits.map((hit: { metadata: { title: string } }) => hit.metadata.title)
    .sort();

/** Both clocks go on, and the replica looks. */
async function later({ there, desk, replica, advance }: Desk, seconds: number) {
  advance(seconds);
  there.site.clock.advance(seconds * 1000);
  await desk.post("/api/sync/run");
  await replica.engine.refresh();
}

describe("what a site lists is seen, and what cannot be seen is said", () => {
  test("one object of a list that cannot be read hides no others (upstreams 4, U10)", async (row) => {
    needsFake(row, "an odd object in a list");
    let odd = "";
    const world = await givenDesk({}, async (ada, there) => {
      odd = await givenDraftThere(ada, "Odd");
      fakeOf({ there }).switches.oddHits.add(odd);
      await givenDraftThere(ada, "Before");
    });
    await givenDraftThere(world.ada.client, "Made later");
    await world.run();
    expect(await titlesOf(world)).toEqual(["Before", "Made later"]);
    expect(await statusOf(world)).toMatchObject({ state: "up_to_date", last_error: null });
    // A sweep looks at what no list showed, and takes nothing away.
    await later(world, 90_000);
    await world.run();
    expect(await titlesOf(world)).toContain("Before");
  });

  test("a site that cannot list the latest change first is asked for what changed since (upstreams 4)", async (row) => {
    needsFake(row, "a missing sort order");
    let changed = "";
    const world = await givenDesk({}, async (ada, there) => {
      fakeOf({ there }).switches.missingSorts.add("updated-desc");
      changed = await givenDraftThere(ada, "Before");
      for (let at = 0; at < 30; at++) await givenDraftThere(ada, `Another ${at}`);
    });
    expect(await titlesOf(world)).toHaveLength(31);
    await editDraft(world.ada.client, changed, { title: "Changed there" });
    await givenDraftThere(world.ada.client, "Made later");
    await world.run();
    for (const title of ["Changed there", "Made later"])
      expect((await world.desk.get(`/api/user/records?q="${title}"`)).body.hits.total).toBe(1);
    expect(await statusOf(world)).toMatchObject({ state: "up_to_date", last_error: null });
    const asked = world.there.site.calls.filter(({ path }) => path.startsWith("/api/user/records")).slice(-2);
    expect(asked.map(({ status }) => status)).not.toContain(400);
  });

  test("while no look succeeds, the status says so although other calls are answered (upstreams U10)", async (row) => {
    needsFake(row, "a list that always fails");
    const world = await givenDesk({}, (ada) => givenDraftThere(ada, "Before"));
    const before = await statusOf(world);
    const { switches } = fakeOf(world);
    switches.fault("refused-500", "GET", /^\/api\/user\/records/, 1000);
    await givenDraftThere(world.ada.client, "Made later");
    for (let looks = 0; looks < 6; looks++) {
      world.advance(60);
      await world.desk.post("/api/sync/run");
      await until(async () => (await statusOf(world)).state === "offline", "the status says that nothing can be seen");
      const { last_error, last_success } = await statusOf(world);
      expect(last_error).toContain("answered 500");
      expect(Date.parse(last_success)).toBeLessThan(Date.parse(before.last_success) + 30_000);
    }
    switches.clearFaults();
    await settle(world);
    expect(await titlesOf(world)).toEqual(["Before", "Made later"]);
    expect(await statusOf(world)).toMatchObject({ state: "up_to_date", last_error: null });
  });
});

describe("limits of a site", () => {
  test.each(["604800", "99999999999999"])(
    "a Retry-After of %s seconds silences a day at most, and the status can be read (upstreams U6)",
    async (seconds) => {
      const world = await givenDesk({}, (ada) => givenDraftThere(ada, "Before"));
      const { switches } = fakeOf(world);
      switches.retryAfter = seconds;
      switches.fault("too-many", "GET", /^\/api\/user\/records/);
      await givenDraftThere(world.ada.client, "Made later");
      await later(world, 60);
      const slowedUntil = async () => (await statusOf(world)).upstream.slowed_until;
      await until(async () => (await slowedUntil()) !== null, "the site asked for fewer calls");
      const waitMs = Date.parse(await slowedUntil()) - Date.now();
      expect(waitMs).toBeGreaterThan(23 * 3_600_000);
      expect(waitMs).toBeLessThan(24.1 * 3_600_000);
      await later(world, 25 * 3_600);
      await settle(world);
      expect(await titlesOf(world)).toEqual(["Before", "Made later"]);
    },
  );

  test.each([
    ["no-retry-after", 1_800],
    ["none", 50],
  ] as const)("a 429 with the headers %s silences for %s seconds at least (upstreams U6)", async (headers, seconds) => {
    const world = await givenDesk({}, (ada) => givenDraftThere(ada, "Before"));
    const { switches, limits, calls } = fakeOf(world);
    switches.limitHeaders = headers;
    // The calls of this hour are used up.
    limits.override = { minute: 10_000, hour: 1 };
    await later(world, 60);
    await until(async () => (await statusOf(world)).upstream.slowed_until !== null, "the site asked for fewer calls");
    const before = calls.length;
    await later(world, seconds);
    expect(calls.length).toBe(before);
    limits.override = undefined;
    await later(world, 3_600);
    expect(calls.length).toBeGreaterThan(before);
  });

  test("after a 429 no call of a page reaches the site before the time it named (upstreams 4, U6)", async (row) => {
    needsFake(row, "a refused call");
    const world = await givenDesk({}, (ada) => givenDraftThere(ada, "Before"));
    const { switches } = fakeOf(world);
    switches.retryAfter = "300";
    switches.fault("too-many", "GET", /^\/api\/user\/records/);
    await later(world, 60);
    await until(async () => (await statusOf(world)).upstream.slowed_until !== null, "the site asked for fewer calls");
    const { calls } = world.there.site;
    const before = calls.length;
    const { status, body } = await world.desk.get("/api/records?q=sea&scope=server");
    expect([status, body.message]).toEqual([503, expect.stringContaining("it allows no calls before")]);
    expect(calls.length).toBe(before);
  });
});

describe("what a save does to the values of a site", () => {
  test("an external DOI that the user removes is removed there; a reserved one stays (upstreams F8)", async () => {
    let id = "";
    const world = await givenDesk({}, async (ada) => {
      id = await givenDraftThere(ada, "With a DOI of a journal");
      const { body } = await ada.get(draftAt(id));
      const doi = { identifier: "10.1234/journal", provider: "external" };
      must(await ada.put(draftAt(id), { ...body, pids: { doi } }), 200);
    });
    const { desk, ada } = world;
    const { body } = await desk.get(draftAt(id));
    expect(body.pids.doi.identifier).toBe("10.1234/journal");
    must(await desk.put(draftAt(id), { ...body, pids: {} }), 200);
    await settle(world);
    expect((await ada.client.get(draftAt(id))).body.pids.doi).toBeUndefined();
    expect((await desk.get(draftAt(id))).body.pids.doi).toBeUndefined();
    must(await ada.client.post(`${draftAt(id)}/pids/doi`), 201);
    await world.run();
    await editDraft(desk, id, { title: "With a reserved DOI" });
    await settle(world);
    expect((await ada.client.get(draftAt(id))).body).toMatchObject({
      metadata: { title: "With a reserved DOI" },
      pids: { doi: { provider: "datacite" } },
    });
  });

  test("a field that the site drops without a word stays here and is said (upstreams E3)", async (row) => {
    needsFake(row, "a field that is dropped in silence");
    let id = "";
    const world = await givenDesk({}, async (ada, there) => {
      fakeOf({ there }).switches.droppedFields.add("version");
      id = await givenDraftThere(ada, "Before");
      await addFile(ada, id, "tides.csv", "hour,height");
    });
    const { desk } = world;
    await editDraft(desk, id, { title: "After", version: "2.1" });
    await settle(world);
    const { sync } = (await desk.get(draftAt(id))).body;
    expect(sync.not_taken).toEqual([
      expect.objectContaining({
        field: "metadata.version",
        messages: [expect.stringContaining("has no place for this")],
      }),
    ]);
    expect((await desk.get(draftAt(id))).body.metadata).toMatchObject({ title: "After", version: "2.1" });
    const pressed = await desk.post(`${draftAt(id)}/actions/publish`);
    expect(pressed).toMatchObject({ status: 409, body: { message: expect.stringContaining("did not take") } });
    expect((await world.ada.client.get(`/api/records/${id}`)).status).toBe(404);
    const { version: _, ...metadata } = (await desk.get(draftAt(id))).body.metadata;
    must(await desk.put(draftAt(id), { ...(await desk.get(draftAt(id))).body, metadata }), 200);
    await settle(world);
    expect((await desk.get(draftAt(id))).body.sync?.not_taken ?? []).toEqual([]);
    expect(await statusOf(world)).toMatchObject({ state: "up_to_date" });
  });
});
