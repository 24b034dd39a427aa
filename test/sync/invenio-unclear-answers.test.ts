import { describe, expect, test } from "vitest";
import { type DeskSite, needsFake } from "../support/desk-site.ts";
import type { FaultKind } from "../support/fake-invenio/switches.ts";
import { addFile, must } from "../support/files.ts";
import {
  type Desk,
  draftAt,
  editDraft,
  givenDesk,
  givenDraftThere,
  ownThere,
  settle,
} from "../support/invenio-desk.ts";
import { pause, trayOf } from "../support/two-replicas.ts";

const lasting = Number.POSITIVE_INFINITY;

async function givenDrafts(): Promise<Desk & { id: string; other: string }> {
  let [id, other] = ["", ""];
  const world = await givenDesk({}, async (ada) => {
    id = await givenDraftThere(ada, "Meets odd answers");
    other = await givenDraftThere(ada, "Another one");
  });
  return { ...world, id, other };
}

const callsOf = ({ site }: DeskSite, wanted: string, pattern: RegExp): number =>
  site.calls.filter(({ method, path }) => method === wanted && pattern.test(path)).length;

describe("calls to an InvenioRDM whose answers never say what they did", () => {
  test.each<FaultKind>(["html-404", "html-502", "refused-500"])(
    "a save that always meets %s ends in the tray after seven tries; other drafts are saved meanwhile (upstreams U3)",
    async (fault) => {
      const world = await givenDrafts();
      const { desk, ada, there, id, other } = world;
      const saves = new RegExp(`${id}/draft$`);
      there.site.switches.fault(fault, "PUT", saves, lasting);
      await editDraft(desk, id, { title: "Kept here" });
      await editDraft(desk, other, { title: "Goes at once" });
      await settle(world, 300);
      expect(await trayOf(desk)).toMatchObject([
        { kind: "draft.edit", reason: expect.stringContaining("tried several times without success") },
      ]);
      expect(callsOf(there, "PUT", saves)).toBe(7);
      expect((await ada.client.get(draftAt(other))).body.metadata.title).toBe("Goes at once");
    },
  );

  test("a creation whose second call is never answered ends in the tray, and leaves no marker (upstreams U2)", async (row) => {
    needsFake(row, "a lasting fault");
    const world = await givenDesk();
    const { desk, there } = world;
    there.site.switches.fault("html-404", "PUT", /draft$/, lasting);
    must(await desk.post("/api/records", { metadata: { title: "Made here" } }), 201);
    await settle(world, 300);
    expect(await trayOf(desk)).toMatchObject([
      { kind: "draft.create", reason: expect.stringContaining("tried several times without success") },
    ]);
    there.site.switches.clearFaults();
    world.advance(86_400);
    await world.run();
    expect(await ownThere(world)).toEqual([]);
  });

  test("a draft that cannot be read holds up no other one, and ends in the tray (upstreams U3)", async (row) => {
    needsFake(row, "a lasting fault");
    const world = await givenDrafts();
    const { desk, ada, there, id, other } = world;
    await addFile(ada.client, id, "tides.csv", "hour,height\n");
    await world.run();
    await pause(desk);
    must(await desk.delete(`${draftAt(id)}`), 204);
    await editDraft(desk, other, { title: "Goes at once" });
    there.site.switches.fault("refused-500", "GET", new RegExp(`${id}/draft$`), lasting);
    await desk.post("/api/sync/resume");
    await settle(world, 300);
    expect(await trayOf(desk)).toMatchObject([
      { kind: "draft.discard", reason: expect.stringContaining("tried several times without success") },
    ]);
    expect((await ada.client.get(draftAt(other))).body.metadata.title).toBe("Goes at once");
  });

  test.each<FaultKind>(["html-404", "html-502"])(
    "bytes that always meet %s end in the tray after seven tries; larger files go first (upstreams U5)",
    async (fault) => {
      const world = await givenDrafts();
      const { desk, ada, there, id } = world;
      const bytes = /big\.bin\/content$/;
      there.site.switches.fault(fault, "PUT", bytes, lasting);
      await addFile(desk, id, "big.bin", "short");
      await addFile(desk, id, "larger.bin", "a longer text");
      await expect
        .poll(async () => (await ada.client.get(`${draftAt(id)}/files/larger.bin`)).body.status)
        .toBe("completed");
      await settle(world, 700);
      expect(await trayOf(desk)).toMatchObject([
        { kind: "file.commit", reason: expect.stringContaining("tried several times without success") },
      ]);
      expect(callsOf(there, "PUT", bytes)).toBe(7);
    },
  );

  test("what a proxy refuses for its size goes to the tray at once, a save and bytes alike (upstreams F10)", async () => {
    const world = await givenDrafts();
    const { desk, there, id } = world;
    there.site.switches.fault("html-413", "PUT", /draft$|content$/, lasting);
    await editDraft(desk, id, { title: "Too large" });
    await addFile(desk, id, "big.bin", "0123456789");
    await settle(world);
    const tray = await trayOf(desk);
    expect(tray.map(({ kind }: { kind: string }) => kind).sort()).toEqual(["draft.edit", "file.commit"]);
    for (const { reason } of tray) expect(reason).toContain("It is too large (413).");
    expect(callsOf(there, "PUT", /draft$|content$/)).toBe(2);
  });
});
