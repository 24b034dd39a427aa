import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { addFile, fileOf, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { type Desk, draftAt, givenDesk, givenDraftThere, settle } from "../support/invenio-desk.ts";
import { pause, trayOf } from "../support/two-replicas.ts";

const md5 = (text: string): string => `md5:${createHash("md5").update(text).digest("hex")}`;

async function givenDraft(): Promise<Desk & { id: string }> {
  let id = "";
  const world = await givenDesk({}, async (ada) => {
    id = await givenDraftThere(ada, "Two people at work");
  });
  return { ...world, id };
}

const filesThere = async (client: HttpClient, id: string) =>
  must(await client.get(`${draftAt(id)}/files`), 200)
    .body.entries.map(({ key, status, checksum }: Record<string, unknown>) => ({ key, status, checksum }))
    .sort((a: { key: string }, b: { key: string }) => a.key.localeCompare(b.key));

describe("two files of one name in a draft of an InvenioRDM", () => {
  test("another file of that name stays; the later arrival is renamed `name (conflict, <user>, <date>).ext` (hosts-and-sync 4, upstreams U5)", async () => {
    const world = await givenDraft();
    const { desk, ada, id } = world;
    await pause(desk);
    await addFile(desk, id, "raw/tides.csv", "of the desk");
    await addFile(ada.client, id, "raw/tides.csv", "of the browser");
    await desk.post("/api/sync/resume");
    await settle(world);
    const [renamed, kept] = await filesThere(ada.client, id);
    expect(kept).toEqual({ key: "raw/tides.csv", status: "completed", checksum: md5("of the browser") });
    expect(renamed.key).toMatch(/^raw\/tides \(conflict, .+, \d{4}-\d\d-\d\d\)\.csv$/);
    expect(renamed).toMatchObject({ status: "completed", checksum: md5("of the desk") });
    expect(await trayOf(desk)).toEqual([]);
    expect(await filesThere(desk, id)).toEqual([renamed, kept]);
    expect((await desk.get("/api/sync/status")).body).toMatchObject({ state: "up_to_date", rejected: 0 });

    must(await desk.delete(fileOf(id, renamed.key)), 204);
    await settle(world);
    expect(await filesThere(ada.client, id)).toEqual([kept]);
  });

  test("the same file of the same name, added on both sides, is one (hosts-and-sync 4)", async () => {
    const world = await givenDraft();
    const { desk, ada, id } = world;
    await pause(desk);
    await addFile(desk, id, "tides.csv", "the same");
    await addFile(ada.client, id, "tides.csv", "the same");
    await desk.post("/api/sync/resume");
    await settle(world);
    expect(await filesThere(ada.client, id)).toEqual([
      { key: "tides.csv", status: "completed", checksum: md5("the same") },
    ]);
    expect(await trayOf(desk)).toEqual([]);
  });

  test("what describes a file that was renamed there describes that file (hosts-and-sync 4)", async () => {
    const world = await givenDraft();
    const { desk, ada, id } = world;
    await pause(desk);
    await addFile(desk, id, "tides.csv", "of the desk");
    must(await desk.put(fileOf(id, "tides.csv"), { metadata: { description: "mine" } }), 200);
    await addFile(ada.client, id, "tides.csv", "of the browser");
    await desk.post("/api/sync/resume");
    await settle(world);
    const { entries } = (await ada.client.get(`${draftAt(id)}/files`)).body;
    const described = entries.filter(({ metadata }: { metadata?: object }) => Object.keys(metadata ?? {}).length > 0);
    expect(described).toMatchObject([
      { key: expect.stringContaining("(conflict, "), metadata: { description: "mine" } },
    ]);
    expect(await trayOf(desk)).toEqual([]);
  });
});
