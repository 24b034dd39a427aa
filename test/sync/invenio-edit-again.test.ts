import { describe, expect, test } from "vitest";
import { needsFake } from "../support/desk-site.ts";
import { must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { draftAt, editDraft, givenDesk, givenRecordThere, settle } from "../support/invenio-desk.ts";
import { pause, trayOf } from "../support/two-replicas.ts";

const titleOf = async (client: HttpClient, id: string) => (await client.get(draftAt(id))).body.metadata?.title;

describe("an edit given up in the browser, and begun again an hour later at the same revision (upstreams F1, U3)", () => {
  /** A desk that has heard the first edit, and is paused. */
  async function givenEditBegunAgain(meanwhile: (desk: HttpClient, id: string) => Promise<unknown>) {
    let id = "";
    const world = await givenDesk({}, async (ada) => {
      id = await givenRecordThere(ada, "Published");
    });
    const { desk, ada, there, advance } = world;
    const hour = () => {
      advance(3_700);
      there.site.clock.advance(3_700_000);
    };
    hour();
    must(await ada.client.post(draftAt(id)), 201);
    await editDraft(ada.client, id, { title: "First edit" });
    const { revision_id } = (await ada.client.get(draftAt(id))).body;
    await settle(world);
    expect(await titleOf(desk, id)).toBe("First edit");
    await pause(desk);
    await meanwhile(desk, id);
    must(await ada.client.delete(draftAt(id)), 204);
    hour();
    must(await ada.client.post(draftAt(id)), 201);
    await editDraft(ada.client, id, { title: "Second edit" });
    expect((await ada.client.get(draftAt(id))).body.revision_id).toBe(revision_id);
    await desk.post("/api/sync/resume");
    await settle(world);
    return { ...world, id };
  }

  test("is shown", async (row) => {
    needsFake(row, "an hour passes");
    const { desk, id } = await givenEditBegunAgain(async () => {});
    expect(await titleOf(desk, id)).toBe("Second edit");
  });

  test("is not overwritten by a save from here", async (row) => {
    needsFake(row, "an hour passes");
    const { ada, id } = await givenEditBegunAgain((desk, at) => editDraft(desk, at, { publisher: "From the desk" }));
    const { metadata } = (await ada.client.get(draftAt(id))).body;
    expect(metadata).toMatchObject({ title: "Second edit", publisher: "From the desk" });
  });

  test("is not discarded from here", async (row) => {
    needsFake(row, "an hour passes");
    const { ada, desk, id } = await givenEditBegunAgain((desk, at) => desk.delete(draftAt(at)));
    expect(await titleOf(ada.client, id)).toBe("Second edit");
    expect(await trayOf(desk)).toMatchObject([{ kind: "draft.discard" }]);
  });
});
