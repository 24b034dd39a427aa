import { describe, expect, test } from "vitest";
import { fakeOf, needsFake } from "../support/desk-site.ts";
import { must } from "../support/files.ts";
import {
  type Desk,
  draftAt,
  editDraft,
  givenDesk,
  givenRecordThere,
  ownThere,
  settle,
} from "../support/invenio-desk.ts";
import { pause, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

async function givenRecord(): Promise<Desk & { versions: string }> {
  let id = "";
  const world = await givenDesk({}, async (ada) => {
    id = await givenRecordThere(ada, "First");
  });
  return { ...world, versions: `/api/records/${id}/versions` };
}

const posted = ({ there }: Desk) =>
  there.site.calls.filter(({ method, path }) => method === "POST" && path.endsWith("/versions"));
const draftsThere = async (world: Desk) => (await ownThere(world)).filter((hit: { is_draft: boolean }) => hit.is_draft);

/** The desk begins the next version offline, and gives it a title. */
async function beginOffline({ desk, versions }: Desk & { versions: string }, change: object): Promise<void> {
  await pause(desk);
  const { id } = must(await desk.post(versions), 201).body;
  await editDraft(desk, id, change);
}

describe("the next version on an InvenioRDM", () => {
  test("one begun in the browser keeps all that was written there, its date too (upstreams F8, U3)", async () => {
    const world = await givenRecord();
    const { desk, ada, versions } = world;
    await beginOffline(world, { title: "Of the desk", publisher: "Desk press" });
    const next = must(await ada.client.post(versions), 201).body.id;
    world.there.site.clock.advance(60_000);
    await editDraft(ada.client, next, { description: "<p>Browser words</p>", publication_date: "2026-07-01" });
    await desk.post("/api/sync/resume");
    await settle(world);
    for (const client of [desk, ada.client])
      expect((await client.get(draftAt(next))).body.metadata).toMatchObject({
        title: "Of the desk",
        publisher: "Desk press",
        description: "<p>Browser words</p>",
        publication_date: "2026-07-01",
      });
    expect(await trayOf(desk)).toEqual([]);
  });

  test("a call without an answer is looked for, not repeated while it may run (upstreams F8, U2)", async () => {
    const world = await givenRecord();
    const { desk, there } = world;
    there.site.switches.fault("late-504", "POST", /versions$/, 1, 60_000);
    await beginOffline(world, { title: "Second", publication_date: "2026-06-01" });
    await desk.post("/api/sync/resume");
    await settle(world);
    expect(posted(world)).toHaveLength(1);
    expect(await draftsThere(world)).toMatchObject([{ metadata: { title: "Second" } }]);
    expect(await trayOf(desk)).toEqual([]);
  });

  test("a call that did nothing is made again, once it is surely over (upstreams F8)", async () => {
    const world = await givenRecord();
    const { desk, there } = world;
    there.site.switches.fault("lost-before", "POST", /versions$/);
    await beginOffline(world, { title: "Second", publication_date: "2026-06-01" });
    await desk.post("/api/sync/resume");
    await settle(world, 60);
    expect(posted(world)).toHaveLength(2);
    expect(await draftsThere(world)).toMatchObject([{ metadata: { title: "Second" } }]);
  });

  test("a second copy that nobody has touched is discarded (upstreams F8, U2)", async (row) => {
    needsFake(row, "two calls at the same moment");
    const world = await givenRecord();
    const { desk, ada, versions } = world;
    await beginOffline(world, { title: "Second", publication_date: "2026-06-01" });
    const release = fakeOf(world).hold("POST", /versions$/);
    const both = [ada.client.post(versions), ada.client.post(versions)];
    await until(() => posted(world).length === 2, "both were sent");
    release();
    for (const answer of await Promise.all(both)) must(answer, 201);
    await desk.post("/api/sync/resume");
    await settle(world);
    expect([...fakeOf(world).state.drafts.values()]).toHaveLength(2);
    await settle(world, 90_000);
    await until(async () => {
      world.advance(90_000);
      world.there.site.clock.advance(90_000_000);
      await world.run();
      return fakeOf(world).state.drafts.size === 1;
    }, "one is left");
    expect(await draftsThere(world)).toMatchObject([{ metadata: { title: "Second" } }]);
    expect(await trayOf(desk)).toEqual([]);
  });
});
