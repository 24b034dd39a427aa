import { describe, expect, test } from "vitest";
import { addFile, fileOf, must } from "../support/files.ts";
import { type Desk, draftAt, givenDesk, givenDraftThere, ownThere, settle } from "../support/invenio-desk.ts";
import { pause, trayOf } from "../support/two-replicas.ts";

async function givenDescribed(metadata: object): Promise<Desk & { path: string }> {
  let id = "";
  const world = await givenDesk({}, async (ada) => {
    id = await givenDraftThere(ada, "With a file");
    await addFile(ada, id, "tides.csv", "hour,height\n");
    must(await ada.put(fileOf(id, "tides.csv"), { metadata }), 200);
  });
  expect((await world.desk.get(`${draftAt(id)}/files`)).body.entries).toMatchObject([{ metadata }]);
  return { ...world, path: fileOf(id, "tides.csv") };
}

describe("descriptions of files on an InvenioRDM", () => {
  test("what the browser wrote into other values stays; a second change here builds on the first (upstreams U3)", async () => {
    const world = await givenDescribed({ caption: "Tides", unit: "m" });
    const { desk, ada, path } = world;
    await pause(desk);
    must(await desk.put(path, { metadata: { caption: "Tides of 2026", unit: "m" } }), 200);
    must(await desk.put(path, { metadata: { caption: "Tides of 2026", source: "gauge" } }), 200);
    const there = { caption: "Tides", unit: "m", description: "of the browser" };
    must(await ada.client.put(path, { metadata: there }), 200);
    await desk.post("/api/sync/resume");
    await settle(world);
    expect(await trayOf(desk)).toEqual([]);
    const both = { caption: "Tides of 2026", source: "gauge", description: "of the browser" };
    for (const client of [desk, ada.client]) expect((await client.get(path)).body.metadata).toEqual(both);
  });

  test("a value that both changed stays as it is there; the user is told (upstreams U3)", async () => {
    const world = await givenDescribed({ caption: "Tides" });
    const { desk, ada, path } = world;
    await pause(desk);
    must(await desk.put(path, { metadata: { caption: "of the desk" } }), 200);
    must(await ada.client.put(path, { metadata: { caption: "of the browser" } }), 200);
    await desk.post("/api/sync/resume");
    await settle(world);
    expect(await trayOf(desk)).toMatchObject([
      { kind: "file.metadata", reason: expect.stringContaining("Somebody described “tides.csv”") },
    ]);
    for (const client of [desk, ada.client])
      expect((await client.get(path)).body.metadata).toEqual({ caption: "of the browser" });
  });

  test("a lost answer is no second change (upstreams F10)", async () => {
    const world = await givenDescribed({ caption: "Tides" });
    const { desk, ada, path, there } = world;
    there.site.switches.fault("lost-after", "PUT", /tides\.csv$/);
    must(await desk.put(path, { metadata: { caption: "of the desk" } }), 200);
    await settle(world);
    expect(await trayOf(desk)).toEqual([]);
    expect((await ada.client.get(path)).body.metadata).toEqual({ caption: "of the desk" });
  });

  test("what a file is announced with reaches the site: a description, and that it is hidden (records 6.3, upstreams U3)", async () => {
    const world = await givenDesk();
    const { desk, ada } = world;
    await pause(desk);
    const { id: local } = must(await desk.post("/api/records", { metadata: { title: "Described" } }), 201).body;
    const files = [{ key: "key.txt", metadata: { description: "Keep this" }, access: { hidden: true } }];
    must(await desk.post(`${draftAt(local)}/files`, files), 201);
    must(await desk.putBytes(`${fileOf(local, "key.txt")}/content`, "0000"), 200);
    must(await desk.post(`${fileOf(local, "key.txt")}/commit`), 200);
    await desk.post("/api/sync/resume");
    await settle(world);
    const [{ id }] = await ownThere(world);
    for (const client of [ada.client, desk])
      expect((await client.get(fileOf(id, "key.txt"))).body).toMatchObject({
        ...{ metadata: { description: "Keep this" }, access: { hidden: true }, status: "completed" },
      });
  });
});
