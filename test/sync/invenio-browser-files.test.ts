import { describe, expect, test } from "vitest";
import { lastSeq } from "../../main/upstreams/invenio/shadow.repository.ts";
import { addFile, fileOf, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { type Desk, draftAt, givenDesk, givenDraftThere } from "../support/invenio-desk.ts";

async function givenFile(): Promise<Desk & { id: string }> {
  let id = "";
  const world = await givenDesk({}, async (ada) => {
    id = await givenDraftThere(ada, "At work in the browser");
    await addFile(ada, id, "tides.csv", "hour,height\n");
  });
  return { ...world, id };
}

const keysIn = async (client: HttpClient, id: string): Promise<string[]> =>
  (await client.get(`${draftAt(id)}/files`)).body.entries.map(({ key }: { key: string }) => key).sort();

/** Time passes, also at the site: otherwise its limits would leave no call. */
const pass = async ({ advance, there, run }: Desk, seconds: number) => {
  advance(seconds);
  there.site.clock.advance(seconds * 1000);
  await run();
};

const looksAt = ({ there }: Desk, path: string): number =>
  there.site.calls.filter((call) => call.method === "GET" && call.path === path).length;

describe("files that are added in the browser to a draft of an InvenioRDM", () => {
  test("the daily look at everything sees them, also in a draft that nobody opened here (upstreams 4)", async () => {
    const world = await givenFile();
    const { desk, ada, id } = world;
    await addFile(ada.client, id, "browser.csv", "of the browser");
    await pass(world, 90_000);
    await expect.poll(() => keysIn(desk, id)).toEqual(["browser.csv", "tides.csv"]);
  });

  test("a draft that is open here is looked at each minute, and stays as it is without a change (upstreams 4)", async () => {
    const world = await givenFile();
    const { desk, ada, replica, id } = world;
    expect(await keysIn(desk, id)).toEqual(["tides.csv"]);
    const position = () => lastSeq(replica.host.db);
    await addFile(ada.client, id, "browser.csv", "of the browser");
    must(await ada.client.put(fileOf(id, "tides.csv"), { metadata: { caption: "Heights" } }), 200);
    await pass(world, 61);
    await expect.poll(() => keysIn(desk, id)).toEqual(["browser.csv", "tides.csv"]);
    expect((await desk.get(fileOf(id, "tides.csv"))).body.metadata).toEqual({ caption: "Heights" });
    const [before, looks] = [await position(), looksAt(world, `${draftAt(id)}/files`)];
    await pass(world, 61);
    expect(looksAt(world, `${draftAt(id)}/files`)).toBeGreaterThan(looks);
    expect(await position()).toBe(before);

    must(await ada.client.delete(fileOf(id, "tides.csv")), 204);
    await pass(world, 61);
    await expect.poll(() => keysIn(desk, id)).toEqual(["browser.csv"]);
  });
});
