import { describe, expect, test } from "vitest";
import { fakeOf, needsFake } from "../support/desk-site.ts";
import { addFile, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDesk, givenDraftThere, settle } from "../support/invenio-desk.ts";

const draftAt = (id: string) => `/api/records/${id}/draft`;
const titleOf = async (client: HttpClient, id: string) => (await client.get(draftAt(id))).body.metadata?.title;

async function edit(client: HttpClient, id: string, change: object): Promise<void> {
  const { body } = must(await client.get(draftAt(id)), 200);
  must(await client.put(draftAt(id), { ...body, metadata: { ...body.metadata, ...change } }), 200);
}

describe("values of the user that the site does not have any more", () => {
  test("an older copy saved by an open page of the web form takes the value; the user's own stays as a conflict (upstreams F3, E6)", async () => {
    let id = "";
    const world = await givenDesk({}, async (ada) => {
      id = await givenDraftThere(ada, "Before");
    });
    const { desk, ada } = world;
    const { body: openPage } = await ada.client.get(draftAt(id));
    await edit(desk, id, { title: "Written at the desk" });
    await settle(world);
    await ada.client.put(draftAt(id), openPage);
    await settle(world);
    const { body } = await desk.get("/api/sync/conflicts");
    expect(JSON.stringify(body)).toContain("Written at the desk");
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
    await edit(desk, id, { title: "Written at the desk" });
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
    await edit(desk, id, { version: "second" });
    await settle(world);
    ownRules.clear();
    must(await ada.client.post(`${draftAt(id)}/actions/publish`), 202);
    await settle(world);
    const { hits } = (await desk.get("/api/sync/conflicts")).body.hits;
    expect(hits).toMatchObject([{ mine: "second", theirs: null }]);
  });
});
