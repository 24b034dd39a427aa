import { describe, expect, test } from "vitest";
import { fakeOf, needsFake } from "../support/desk-site.ts";
import type { ProfileName } from "../support/fake-invenio/profile.ts";
import { addFile, must } from "../support/files.ts";
import { type Desk, draftAt, editDraft, givenDesk, givenDraftThere, settle } from "../support/invenio-desk.ts";
import { pause, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

type Ready = Desk & { id: string };

/** A draft with a file, on both sides, that may be published. */
async function givenReady(profile: ProfileName = "invenio-14"): Promise<Ready> {
  let id = "";
  const world = await givenDesk({ profile }, async (ada) => {
    id = await givenDraftThere(ada, "Ready");
    await addFile(ada, id, "tides.csv", "hour,height\n");
  });
  return { ...world, id };
}

const press = ({ desk, id }: Ready) => desk.post(`${draftAt(id)}/actions/publish`);
const published = ({ there }: Desk) =>
  there.site.calls.filter(({ method, path }) => method === "POST" && path.endsWith("/actions/publish"));
const refused = { status: 409, body: { message: expect.stringContaining("has not taken every change") } };

/** Presses until the site has answered to what waits. */
async function pressUntilAnswered(world: Ready) {
  let answer = await press(world);
  await until(async () => {
    if (answer.status !== 202 || answer.body.is_published) return true;
    world.advance(12);
    answer = await press(world);
    return false;
  }, "the site has answered");
  return answer;
}

/** The user drops all refused changes. */
async function dropRefused({ desk }: Desk): Promise<void> {
  for (const { id } of await trayOf(desk)) must(await desk.delete(`/api/sync/tray/${id}`), 204);
}

describe("what is published is what the user saw", () => {
  test("a refused change of who may read it is not left out: it needs a decision first (upstreams U1)", async (row) => {
    needsFake(row, "a site without restricted records");
    const world = await givenReady("zenodo");
    const { desk, id } = world;
    const { body } = await desk.get(draftAt(id));
    must(await desk.put(draftAt(id), { ...body, access: { record: "restricted", files: "restricted" } }), 200);
    expect(await pressUntilAnswered(world)).toMatchObject(refused);
    expect(await press(world)).toMatchObject(refused);
    expect(published(world)).toHaveLength(0);
    await dropRefused(world);
    expect(await press(world)).toMatchObject({ status: 202, body: { is_published: true } });
    expect(published(world)).toHaveLength(1);
  });

  test("words that the site rewrites by its own rules are no change by somebody (upstreams F6, U1)", async () => {
    const world = await givenReady();
    const { desk, id } = world;
    await editDraft(desk, id, { title: "The ﬁeld of ﬂows, Ｔｉｄｅｓ of „now‟" });
    expect(await pressUntilAnswered(world)).toMatchObject({ status: 202, body: { is_published: true } });
    expect(published(world)).toHaveLength(1);
    expect((await desk.get(`/api/records/${id}`)).body.metadata.title).toBe('The field of flows, Tides of "now"');
  });

  test("a refused file is not left out: it needs a decision first (upstreams U1)", async (row) => {
    needsFake(row, "a site that takes one file");
    const world = await givenReady();
    const { desk, id, ada } = world;
    await pause(desk);
    await addFile(desk, id, "second.csv", "the important one");
    fakeOf(world).switches.maxFiles = 1;
    await desk.post("/api/sync/resume");
    await settle(world);
    expect(await press(world)).toMatchObject(refused);
    expect(published(world)).toHaveLength(0);
    await dropRefused(world);
    must(await press(world), 202);
    expect(Object.keys((await ada.client.get(`/api/records/${id}`)).body.files.entries)).toEqual(["tides.csv"]);
  });

  test("a file or a custom field that changes in the second of the call is told (upstreams U1)", async (row) => {
    needsFake(row, "a draft that changes while it is being published");
    const world = await givenReady();
    const { id } = world;
    const release = fakeOf(world).hold("POST", /actions\/publish$/);
    const pressed = press(world);
    await until(() => published(world).length === 1, "it was sent");
    const draft = fakeOf(world).state.drafts.get(id);
    Object.assign(draft ?? {}, { custom_fields: { "journal:journal": { title: "Another journal" } } });
    Object.assign(draft?.files.get("tides.csv") ?? {}, { key: "tides (1).csv" });
    release();
    const changed = "published this, but not as you saw it. Somebody changed it meanwhile:";
    expect(await pressed).toMatchObject({ status: 409, body: { message: expect.stringContaining(changed) } });
    expect((await pressed).body.message).toContain("files");
  });
});

describe("who says what may be published", () => {
  test("the site does: a value that only its own rules allow does not keep a draft from it (upstreams 7.2.7)", async (row) => {
    needsFake(row, "a site with schemes of its own");
    const world = await givenReady();
    const { desk, id } = world;
    const identifiers = [{ identifier: "X1", scheme: "scheme-of-the-site" }];
    fakeOf(world).switches.anyScheme = true;
    Object.assign(fakeOf(world).state.drafts.get(id)?.metadata ?? {}, { identifiers });
    must(await world.ada.client.post(`${draftAt(id)}/pids/doi`), 201);
    await world.run();
    expect((await desk.get(draftAt(id))).body.pids.doi).toBeDefined();
    expect(await press(world)).toMatchObject({ status: 202, body: { is_published: true } });
    expect(published(world)).toHaveLength(1);
  });

  test("its refusal is shown, field by field (upstreams 7.2.7)", async () => {
    const world = await givenReady();
    const { desk, id } = world;
    await editDraft(desk, id, { creators: [] });
    expect(await pressUntilAnswered(world)).toMatchObject({
      status: 400,
      body: { errors: [{ field: "metadata.creators" }] },
    });
  });
});
