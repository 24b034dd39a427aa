import { expect, test } from "vitest";
import { fakeOf, needsFake } from "../support/desk-site.ts";
import { complete } from "../support/fake-invenio/complete.ts";
import { addFile, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { draftAt, editDraft, givenDesk, ownThere, settle } from "../support/invenio-desk.ts";

const own = { "own:code": { a: 1, b: [] }, "own:empty": "" };
const note = { text: "only this site knows it" };

/** A draft with values that only its site knows, and the desk of its owner. */
async function givenOwnValues() {
  let id = "";
  const world = await givenDesk({}, async (ada, there) => {
    const { ownFields } = fakeOf({ there }).switches;
    for (const name of [...Object.keys(own), "own_note"]) ownFields.add(name);
    const { files: _files, ...body } = complete;
    const metadata = { ...body.metadata, publisher: "A press", own_note: note };
    id = must(await ada.post("/api/records", { ...body, metadata, custom_fields: own }), 201).body.id;
    await addFile(ada, id, "tides.csv", "hour,height");
  });
  return { ...world, id };
}

const contentOf = async (client: HttpClient, path: string) => {
  const { metadata, custom_fields } = must(await client.get(path), 200).body;
  return { title: metadata.title, own_note: metadata.own_note, custom_fields };
};

test("metadata and custom fields that only the site knows are shown, and sent back untouched by an edit of the title and a publication (upstreams 7.2.5)", async (row) => {
  needsFake(row, "fields of the site's own");
  const { id, ...world } = await givenOwnValues();
  const { desk, ada } = world;
  expect(await contentOf(desk, draftAt(id))).toMatchObject({ own_note: note, custom_fields: own });
  await editDraft(desk, id, { title: "Changed at the desk" });
  await settle(world);
  const changed = { title: "Changed at the desk", own_note: note, custom_fields: own };
  expect(await contentOf(ada.client, draftAt(id))).toEqual(changed);
  expect(await contentOf(desk, draftAt(id))).toEqual(changed);
  expect((await desk.get("/api/sync/status")).body).toMatchObject({ pending: 0, conflicts: 0, rejected: 0 });
  must(await desk.post(`${draftAt(id)}/actions/publish`), 202);
  expect(await contentOf(ada.client, `/api/records/${id}`)).toEqual(changed);
  expect(await contentOf(desk, `/api/records/${id}`)).toEqual(changed);
});

test("a program that sends only the fields that it knows removes none that only the site knows (upstreams 7.2.5)", async (row) => {
  needsFake(row, "fields of the site's own");
  const { id, ...world } = await givenOwnValues();
  const { desk, ada } = world;
  const { access, files, metadata } = must(await desk.get(draftAt(id)), 200).body;
  const { own_note: _, ...known } = metadata;
  must(await desk.put(draftAt(id), { access, files, metadata: { ...known, title: "By a script" } }), 200);
  await settle(world);
  expect(await contentOf(ada.client, draftAt(id))).toEqual({
    title: "By a script",
    own_note: note,
    custom_fields: own,
  });
  expect(await ownThere(world)).toHaveLength(1);
});

test("what the site itself changes in its own fields meanwhile stays changed by a save of the desk (upstreams 7.2.5)", async (row) => {
  needsFake(row, "fields of the site's own");
  const { id, ...world } = await givenOwnValues();
  const { desk, ada } = world;
  await editDraft(desk, id, { title: "Changed at the desk" });
  const { body } = await ada.client.get(draftAt(id));
  const later = { text: "changed in the browser" };
  const metadata = { ...body.metadata, own_note: later };
  must(await ada.client.put(draftAt(id), { ...body, metadata, custom_fields: { "own:code": 2 } }), 200);
  await settle(world);
  const both = { title: "Changed at the desk", own_note: later, custom_fields: { "own:code": 2 } };
  expect(await contentOf(ada.client, draftAt(id))).toEqual(both);
  expect(await contentOf(desk, draftAt(id))).toEqual(both);
});
