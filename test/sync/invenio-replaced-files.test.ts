import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { fakeOf, needsFake } from "../support/desk-site.ts";
import { addFile, fileOf, must } from "../support/files.ts";
import { type Desk, draftAt, givenDesk, givenDraftThere, settle } from "../support/invenio-desk.ts";
import { trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

type World = Desk & { id: string };

async function givenDraft(): Promise<World> {
  let id = "";
  const world = await givenDesk({}, async (ada) => {
    id = await givenDraftThere(ada, "Two people at work");
  });
  return { ...world, id };
}

/** Another person has deleted the entry that waits for bytes, and put a whole file in its place. */
function replace(world: World, key: string) {
  const { files } = fakeOf(world).state.drafts.get(world.id) ?? {};
  const entry = files?.get(key);
  if (!entry) throw new Error(`${key} was not announced`);
  const bytes = Buffer.from("of the browser");
  const checksum = `md5:${createHash("md5").update(bytes).digest("hex")}`;
  files?.set(key, { ...entry, status: "completed", bytes, checksum, size: bytes.length });
}

const puts = ({ there }: World, key: string): number =>
  there.site.calls.filter(({ method, path }) => method === "PUT" && path.endsWith(`${key}/content`)).length;

describe("files that somebody replaces on an InvenioRDM while a replica sends its own", () => {
  test("an entry that was announced with others is looked at before its turn comes; both files are kept (hosts-and-sync 4, upstreams U5)", async (row) => {
    needsFake(row, "a call that waits");
    const world = await givenDraft();
    const { desk, ada, there, id } = world;
    // The outbox announces nothing, so the bytes are announced together.
    there.site.switches.fault("html-502", "POST", /draft\/files$/, 1);
    const release = fakeOf(world).hold("PUT", /a\.csv\/content$/);
    must(await desk.put("/api/sync/keeping", { ...(await desk.get("/api/sync/keeping")).body, hold_files: true }), 200);
    await addFile(desk, id, "a.csv", "short");
    await addFile(desk, id, "b.csv", "a longer text");
    await until(() => there.site.calls.some(({ path }) => path === `${draftAt(id)}/files`), "the outbox was refused");
    must(
      await desk.put("/api/sync/keeping", { ...(await desk.get("/api/sync/keeping")).body, hold_files: false }),
      200,
    );
    await until(() => puts(world, "a.csv") === 1, "the first bytes are on their way");
    replace(world, "b.csv");
    world.advance(60);
    release();
    await settle(world);
    expect(puts(world, "b.csv")).toBe(0);
    expect((await ada.client.get(`${fileOf(id, "b.csv")}/content`)).text).toBe("of the browser");
    const { entries } = (await ada.client.get(`${draftAt(id)}/files`)).body;
    const keys = entries.map(({ key }: { key: string }) => key).toSorted();
    expect(keys).toEqual(["a.csv", expect.stringMatching(/^b \(conflict, .+\)\.csv$/), "b.csv"]);
    expect((await ada.client.get(`${fileOf(id, keys[1])}/content`)).text).toBe("a longer text");
    expect(await trayOf(desk)).toEqual([]);
  });

  test("where the server has lost a replaced file, the user is told, and nothing is sent again (upstreams F10)", async (row) => {
    needsFake(row, "a call that waits");
    const world = await givenDraft();
    const { desk, id } = world;
    const release = fakeOf(world).hold("PUT", /a\.csv\/content$/);
    await addFile(desk, id, "a.csv", "of the desk");
    await until(() => puts(world, "a.csv") === 1, "the bytes are on their way");
    replace(world, "a.csv");
    release();
    await settle(world);
    expect(puts(world, "a.csv")).toBe(1);
    expect(await trayOf(desk)).toMatchObject([
      { kind: "file.commit", reason: expect.stringContaining("has lost that one") },
    ]);
  });
});
