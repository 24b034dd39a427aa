import { describe, expect, test } from "vitest";
import { addFile, fileOf, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { type Desk, draftAt, givenDesk, givenDraftThere, settle } from "../support/invenio-desk.ts";
import { pause, trayOf } from "../support/two-replicas.ts";

const text = "hour,height\n";

async function givenFile(): Promise<Desk & { id: string }> {
  let id = "";
  const world = await givenDesk({}, async (ada) => {
    id = await givenDraftThere(ada, "With a file");
    await addFile(ada, id, "tides.csv", text);
  });
  return { ...world, id };
}

const filesIn = async (client: HttpClient, id: string): Promise<string[][]> =>
  (await client.get(`${draftAt(id)}/files`)).body.entries.map(({ key, status }: Record<string, string>) => [
    key,
    status,
  ]);

const remove = async (desk: HttpClient, id: string) => must(await desk.delete(fileOf(id, "tides.csv")), 204);
const restore = async (desk: HttpClient, id: string) => {
  const [{ version_id }] = (await desk.get(`${draftAt(id)}/removed-files`)).body.entries;
  return desk.post(`${draftAt(id)}/removed-files/${version_id}/restore`);
};
const writes = ({ there }: Desk) =>
  there.site.calls
    .filter(({ method, path }) => method !== "GET" && path.includes("/files"))
    .map(({ method }) => method);

async function expectThere(world: Desk & { id: string }) {
  expect(await trayOf(world.desk)).toEqual([]);
  for (const client of [world.desk, world.ada.client])
    expect(await filesIn(client, world.id)).toEqual([["tides.csv", "completed"]]);
  expect((await world.ada.client.get(`${fileOf(world.id, "tides.csv")}/content`)).text).toBe(text);
}

describe("files that are removed on a replica of an InvenioRDM", () => {
  test.each(["offline", "online"])(
    "a removal that is undone before it is sent, %s, makes no call, also without the bytes (upstreams U5)",
    async (where) => {
      const world = await givenFile();
      const { desk, id } = world;
      const before = writes(world).length;
      if (where === "offline") await pause(desk);
      await remove(desk, id);
      must(await restore(desk, id), 200);
      if (where === "offline") await desk.post("/api/sync/resume");
      await settle(world);
      await expectThere(world);
      expect(writes(world)).toHaveLength(before);
    },
  );

  test("removed, restored and removed again before anything is sent, the file is gone (upstreams U5)", async () => {
    const world = await givenFile();
    const { desk, ada, id } = world;
    await pause(desk);
    await remove(desk, id);
    must(await restore(desk, id), 200);
    await remove(desk, id);
    await desk.post("/api/sync/resume");
    await settle(world);
    expect(await trayOf(desk)).toEqual([]);
    for (const client of [desk, ada.client]) expect(await filesIn(client, id)).toEqual([]);
  });

  test("a removal that the server has is undone by sending the bytes again, with what describes the file (U5)", async () => {
    const world = await givenFile();
    const { desk, ada, id } = world;
    const described = { metadata: { description: "Heights" } };
    must(await desk.put(fileOf(id, "tides.csv"), described), 200);
    expect((await desk.get(`${fileOf(id, "tides.csv")}/content`)).text).toBe(text);
    await expect.poll(async () => (await desk.get("/api/sync/storage")).body.cached).toBe(text.length);
    await remove(desk, id);
    await settle(world);
    expect(await filesIn(ada.client, id)).toEqual([]);
    must(await restore(desk, id), 200);
    await settle(world);
    await expectThere(world);
    expect((await ada.client.get(fileOf(id, "tides.csv"))).body).toMatchObject(described);
  });

  test("without the bytes, what the server has removed is not restored; the answer says so at once (U5)", async () => {
    const world = await givenFile();
    const { desk, id } = world;
    await remove(desk, id);
    await settle(world);
    const { status, body } = await restore(desk, id);
    expect({ status, message: body.message }).toEqual({
      status: 410,
      message: expect.stringContaining("its content is not on this computer"),
    });
    await settle(world);
    expect(await trayOf(desk)).toEqual([]);
  });

  test("a rename is refused at once; the file keeps its name (upstreams U5)", async () => {
    const world = await givenFile();
    const { desk, id } = world;
    const names = [{ key: "tides.csv", new_key: "tides-2026.csv" }];
    const { status, body } = await desk.post(`${draftAt(id)}/actions/files-rename`, names);
    expect({ status, message: body.message }).toEqual({
      status: 422,
      message: expect.stringContaining("cannot rename files"),
    });
    await settle(world);
    await expectThere(world);
  });
});
