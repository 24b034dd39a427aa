import { describe, expect, test } from "vitest";
import { needsFake } from "../support/desk-site.ts";
import { complete } from "../support/fake-invenio/complete.ts";
import { must } from "../support/files.ts";
import { givenDesk, givenDraftThere, ownThere as mine, restoredDesk, settle } from "../support/invenio-desk.ts";
import { pause, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const titled = (title: string) => ({ metadata: { ...complete.metadata, title }, files: { enabled: true } });

describe("drafts that a replica creates on an InvenioRDM", () => {
  test.for(["lost-after", "done-but-500", "queue-down"] as const)(
    "a creation with %s is looked for and never doubled (upstreams F7, U2)",
    async (fault, row) => {
      if (fault === "done-but-500") needsFake(row, "a draft that is never indexed");
      const world = await givenDesk();
      const { desk, there } = world;
      there.site.switches.fault(fault, "POST", /\/api\/records$/);
      must(await desk.post("/api/records", titled("Made once")), 201);
      await settle(world, 60);
      const posts = there.site.calls.filter(({ method, path }) => method === "POST" && path === "/api/records");
      expect(posts).toHaveLength(fault === "done-but-500" ? 2 : 1);
      expect((await mine(world)).map((hit: { metadata: { title: string } }) => hit.metadata.title)).toEqual([
        "Made once",
      ]);
      const here = (await desk.get("/api/user/records")).body.hits.hits;
      expect(here).toMatchObject([{ metadata: { title: "Made once" } }]);
      expect(here).toHaveLength(1);
    },
  );

  test("a creation carried out minutes after its 504 makes a twin, which is discarded once listed (upstreams F9, U2)", async () => {
    const world = await givenDesk();
    const { desk, there } = world;
    there.site.switches.fault("late-504", "POST", /\/api\/records$/, 1, 3_600_000);
    must(await desk.post("/api/records", titled("Made once")), 201);
    await settle(world, 60);
    there.site.clock.advance(3_600_000);
    await settle(world);
    await until(async () => {
      await world.run();
      return (await mine(world)).length === 1;
    }, "the twin is gone");
    expect((await mine(world))[0].metadata).toMatchObject({ title: "Made once", resource_type: { id: "dataset" } });
  });

  test("a draft that was begun elsewhere meanwhile is no question before a creation (upstreams U2)", async () => {
    const world = await givenDesk();
    const { desk, ada } = world;
    await pause(desk);
    must(await desk.post("/api/records", titled("Made here")), 201);
    await givenDraftThere(ada.client, "Begun in the browser");
    await desk.post("/api/sync/resume");
    await settle(world);
    expect(await trayOf(desk)).toEqual([]);
    expect(await mine(world)).toHaveLength(2);
  });

  test("after a restore, a draft begun there since is a question before a creation of the backup; an older one is none (upstreams U2)", async () => {
    const before = await givenDesk();
    const { ada, there, advance } = before;
    await pause(before.desk);
    await givenDraftThere(ada.client, "Begun long before");
    advance(4 * 3600);
    there.site.clock.advance(4 * 3_600_000);
    must(await before.desk.post("/api/records", titled("Made first")), 201);
    let world = await restoredDesk(before);
    await world.desk.post("/api/sync/resume");
    await settle(world);
    expect(await trayOf(world.desk)).toEqual([]);
    await pause(world.desk);
    must(await world.desk.post("/api/records", titled("Made second")), 201);
    await givenDraftThere(ada.client, "Begun since");
    world = await restoredDesk(world);
    must(await world.desk.post("/api/records", titled("Made after the restore")), 201);
    await world.desk.post("/api/sync/resume");
    await settle(world);
    const [question, ...others] = await trayOf(world.desk);
    expect(others).toEqual([]);
    expect(question.reason).toContain("did not know “Begun since”");
    expect(await mine(world)).toHaveLength(4);
    must(await world.desk.post(`/api/sync/tray/${question.id}/retry`), 200, 202);
    await settle(world);
    expect(await mine(world)).toHaveLength(5);
  });

  test("a draft of the same title is found behind 30 drafts that were changed after it (upstreams U2)", async (row) => {
    needsFake(row, "four hours pass");
    const titles = Array.from({ length: 30 }, (_, index) => `Known ${index}`);
    const known: string[] = [];
    const world = await givenDesk({}, async (ada) => {
      for (const title of titles) known.push(await givenDraftThere(ada, title));
    });
    const { desk, ada, there, advance } = world;
    advance(4 * 3600);
    there.site.clock.advance(4 * 3_600_000);
    await settle(world);
    await pause(desk);
    must(await desk.post("/api/records", titled("Made once")), 201);
    await givenDraftThere(ada.client, "Made once");
    for (const id of known) {
      const { body } = await ada.client.get(`/api/records/${id}/draft`);
      must(await ada.client.put(`/api/records/${id}/draft`, body), 200);
    }
    await desk.post("/api/sync/resume");
    await settle(world);
    const [question, ...others] = await trayOf(desk);
    expect(others).toEqual([]);
    expect(question.reason).toContain("did not know “Made once”");
    expect(await mine(world)).toHaveLength(31);
  });
});
