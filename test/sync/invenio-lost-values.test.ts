import { describe, expect, test } from "vitest";
import { fakeOf, needsFake } from "../support/desk-site.ts";
import { addFile, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import {
  type Desk,
  draftAt,
  editDraft,
  givenDesk,
  givenDraftThere,
  givenRecordThere,
  settle,
} from "../support/invenio-desk.ts";
import { pause, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const titleOf = async (client: HttpClient, id: string) => (await client.get(draftAt(id))).body.metadata?.title;

const conflictsOf = async (desk: HttpClient) => (await desk.get("/api/sync/conflicts")).body.hits.hits;

/** A draft with a value of the desk that an older copy has replaced. */
async function givenConflict(before: (ada: HttpClient) => Promise<string>) {
  let id = "";
  const world = await givenDesk({}, async (ada) => {
    id = await before(ada);
  });
  const { desk, ada } = world;
  const { body: openPage } = await ada.client.get(draftAt(id));
  await editDraft(desk, id, { title: "Written at the desk" });
  await settle(world);
  await ada.client.put(draftAt(id), openPage);
  await settle(world);
  expect(await conflictsOf(desk)).toMatchObject([{ mine: "Written at the desk" }]);
  return { ...world, id };
}

describe("values of the user that the site does not have any more", () => {
  test("an older copy saved by an open page of the web form takes the value; the user's own stays as a conflict (upstreams F3, E6)", async () => {
    const { desk } = await givenConflict((ada) => givenDraftThere(ada, "Before"));
    expect((await desk.get("/api/sync/status")).body).toMatchObject({ state: "needs_you", conflicts: 1 });
  });

  test("an older copy saved and published in the browser, before any list shows it: the user's own value stays as a conflict of the record (upstreams F3, E6, U3)", async () => {
    let id = "";
    const world = await givenDesk({}, async (ada) => {
      id = await givenDraftThere(ada, "Before");
      await addFile(ada, id, "tides.csv", "hour,height");
    });
    const { desk, ada } = world;
    const { body: openPage } = await ada.client.get(draftAt(id));
    await editDraft(desk, id, { title: "Written at the desk" });
    await settle(world);
    await ada.client.put(draftAt(id), openPage);
    must(await ada.client.post(`${draftAt(id)}/actions/publish`), 202);
    await settle(world);
    expect((await desk.get(`/api/records/${id}`)).body.metadata.title).toBe("Before");
    const [conflict] = (await desk.get("/api/sync/conflicts")).body.hits.hits;
    expect(conflict).toMatchObject({ mine: "Written at the desk", theirs: "Before" });
    must(await desk.post(`/api/sync/conflicts/${conflict.id}`, { choose: "mine" }), 200);
    await settle(world);
    expect(await titleOf(ada.client, id)).toBe("Written at the desk");
    expect(await conflictsOf(desk)).toEqual([]);
  });

  test("a value that the site never stored outlives the draft: published in the browser, it is a conflict of the record (upstreams F4, E2, U3)", async (row) => {
    needsFake(row, "a rule of its own");
    let id = "";
    const world = await givenDesk({}, async (ada) => {
      id = await givenDraftThere(ada, "Before");
      await addFile(ada, id, "tides.csv", "hour,height");
    });
    const { desk, ada } = world;
    const { ownRules } = fakeOf(world).switches;
    ownRules.set("version", "Use a number.");
    await editDraft(desk, id, { version: "second" });
    await settle(world);
    ownRules.clear();
    must(await ada.client.post(`${draftAt(id)}/actions/publish`), 202);
    await settle(world);
    const { hits } = (await desk.get("/api/sync/conflicts")).body.hits;
    expect(hits).toMatchObject([{ mine: "second", theirs: null }]);
  });
});

describe("a value that the user's computer alone has goes to the tray when the draft is gone (upstreams 6, U3)", () => {
  const sweep = (world: Desk) => settle(world, 87_000);

  /** The one entry of the tray, made a new draft. */
  async function copied(desk: HttpClient) {
    const [entry, ...others] = await trayOf(desk);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ kind: "draft.edit", object: { kind: "draft" } });
    const { body } = must(await desk.post(`/api/sync/tray/${entry?.id}/copy`), 201);
    return { reason: entry?.reason, metadata: body.metadata };
  }

  test("a conflict of a draft that somebody discarded in the browser", async () => {
    const world = await givenConflict((ada) => givenDraftThere(ada, "Before"));
    const { desk, ada, id } = world;
    must(await ada.client.delete(draftAt(id)), 204);
    await sweep(world);
    expect((await desk.get(draftAt(id))).status).toBe(404);
    expect(await conflictsOf(desk)).toEqual([]);
    expect((await desk.get("/api/sync/status")).body).toMatchObject({ state: "needs_you" });
    expect(await copied(desk)).toMatchObject({
      reason: "It was deleted or discarded elsewhere.",
      metadata: { title: "Written at the desk", publisher: "A press" },
    });
  });

  test("a conflict of a next version that somebody discarded in the browser", async () => {
    const world = await givenConflict(async (ada) => {
      const record = await givenRecordThere(ada, "First version");
      const { id, metadata } = must(await ada.post(`/api/records/${record}/versions`), 201).body;
      must(await ada.put(draftAt(id), { metadata: { ...metadata, publication_date: "2026" } }), 200);
      return id;
    });
    const { desk, ada, id } = world;
    must(await ada.client.delete(draftAt(id)), 204);
    await sweep(world);
    expect((await desk.get(draftAt(id))).status).toBe(404);
    expect(await conflictsOf(desk)).toEqual([]);
    expect(await copied(desk)).toMatchObject({ metadata: { title: "Written at the desk" } });
  });

  test("a conflict of an edit that somebody gave up in the browser stays a conflict of the record", async () => {
    const world = await givenConflict(async (ada) => {
      const id = await givenRecordThere(ada, "Published");
      must(await ada.post(draftAt(id)), 201);
      return id;
    });
    const { desk, ada, id } = world;
    must(await ada.client.delete(draftAt(id)), 204);
    await sweep(world);
    expect(await trayOf(desk)).toEqual([]);
    expect(await conflictsOf(desk)).toMatchObject([{ record: id, mine: "Written at the desk" }]);
  });

  test("not a conflict of a draft that the user discards here, having seen it", async () => {
    const world = await givenConflict(async (ada) => {
      const id = await givenRecordThere(ada, "Published");
      must(await ada.post(draftAt(id)), 201);
      return id;
    });
    const { desk, id } = world;
    must(await desk.delete(draftAt(id)), 204);
    await settle(world);
    await sweep(world);
    expect(await trayOf(desk)).toEqual([]);
    expect(await conflictsOf(desk)).toEqual([]);
  });

  test("a value that the site never stored, of a draft that somebody discarded in the browser", async (row) => {
    needsFake(row, "a rule of its own");
    let id = "";
    const world = await givenDesk({}, async (ada) => {
      id = await givenDraftThere(ada, "Before");
    });
    const { desk, ada } = world;
    fakeOf(world).switches.ownRules.set("version", "Use a number.");
    await editDraft(desk, id, { version: "second" });
    await settle(world);
    must(await ada.client.delete(draftAt(id)), 204);
    await sweep(world);
    expect(await copied(desk)).toMatchObject({ metadata: { title: "Before", version: "second" } });
  });

  test("not a conflict that the user has seen and written over: only the later value", async () => {
    const world = await givenConflict((ada) => givenDraftThere(ada, "Before"));
    const { desk, ada, id } = world;
    const { body: openPage } = await ada.client.get(draftAt(id));
    await editDraft(desk, id, { title: "Written later" });
    await settle(world);
    await ada.client.put(draftAt(id), openPage);
    await settle(world);
    must(await ada.client.delete(draftAt(id)), 204);
    await sweep(world);
    expect(await copied(desk)).toMatchObject({ metadata: { title: "Written later" } });
  });

  test("two values that lost at one place are an entry each", async () => {
    const world = await givenConflict((ada) => givenDraftThere(ada, "Before"));
    const { desk, ada, id } = world;
    await pause(desk);
    await editDraft(desk, id, { publisher: "First offline" });
    await editDraft(desk, id, { publisher: "Second offline" });
    const { body } = await ada.client.get(draftAt(id));
    await ada.client.put(draftAt(id), { ...body, metadata: { ...body.metadata, publisher: "In the browser" } });
    await desk.post("/api/sync/resume");
    await settle(world);
    expect(await conflictsOf(desk)).toHaveLength(3);
    must(await ada.client.delete(draftAt(id)), 204);
    await sweep(world);
    const kept = [
      { title: "Written at the desk", publisher: "Second offline" },
      { title: "Before", publisher: "First offline" },
    ];
    expect(await trayOf(desk)).toMatchObject(kept.map((metadata) => ({ operation: { content: { metadata } } })));
  });

  test("a value in a list item that somebody removed: the entry has it beside the content, which has no place for it", async () => {
    const world = await givenConflict((client) => givenDraftThere(client, "Before"));
    const { desk, ada, id } = world;
    const creator = (family_name: string, role: string) => ({
      person_or_org: { type: "personal", family_name, given_name: "A." },
      role: { id: role },
    });
    await editDraft(desk, id, { creators: [creator("Berg", "other"), creator("Alm", "other")] });
    await settle(world);
    await pause(desk);
    await editDraft(desk, id, { creators: [creator("Berg", "researcher"), creator("Alm", "other")] });
    await editDraft(ada.client, id, { creators: [creator("Berg", "editor"), creator("Alm", "other")] });
    await desk.post("/api/sync/resume");
    await settle(world);
    const roles = { mine: { id: "researcher" }, theirs: { id: "editor" } };
    expect(await conflictsOf(desk)).toMatchObject([roles, { mine: "Written at the desk" }]);
    await editDraft(ada.client, id, { creators: [creator("Alm", "other")] });
    await settle(world);
    must(await ada.client.delete(draftAt(id)), 204);
    await sweep(world);
    const [entry] = await trayOf(desk);
    const path = expect.stringMatching(/^metadata\.creators\W.*berg.*role/);
    expect(entry.operation).toMatchObject({
      content: { metadata: { title: "Written at the desk", creators: [{ role: { id: "other" } }] } },
      left_over: [{ path, mine: { id: "researcher" } }],
    });
    expect(await copied(desk)).toMatchObject({ metadata: { title: "Written at the desk" } });
  });
});

test("a draft that was read before a save is no older copy that somebody saved (upstreams E6)", async (row) => {
  needsFake(row, "a call that waits");
  let id = "";
  const world = await givenDesk({}, async (client) => {
    id = await givenDraftThere(client, "Before");
  });
  const { desk, ada, there } = world;
  await editDraft(ada.client, id, { publisher: "Written in the browser" });
  await there.listed();
  const before = there.site.calls.length;
  const files = `${draftAt(id)}/files`;
  const release = fakeOf(world).hold("GET", new RegExp(`${files}$`));
  await desk.post("/api/sync/run");
  const hasRead = () => there.site.calls.slice(before).some(({ method, path }) => method === "GET" && path === files);
  await until(hasRead, "the draft is read, and its files are being read");
  await editDraft(desk, id, { title: "Written at the desk" });
  await until(async () => {
    world.advance(12);
    await desk.post("/api/sync/run");
    return (await desk.get("/api/sync/status")).body.sending === 0 && (await titleOf(ada.client, id)) !== "Before";
  }, "the save is there, and its answer is here");
  must(await ada.client.post(files, [{ key: "tides.csv" }]), 201);
  release();
  await settle(world);
  expect(await conflictsOf(desk)).toEqual([]);
  expect((await desk.get(draftAt(id))).body.metadata).toMatchObject({
    title: "Written at the desk",
    publisher: "Written in the browser",
  });
  expect((await desk.get(files)).body.entries).toMatchObject([{ key: "tides.csv" }]);
});
