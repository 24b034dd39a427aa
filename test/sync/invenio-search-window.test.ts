import { describe, expect, test } from "vitest";
import { fakeOf, needsFake } from "../support/desk-site.ts";
import { complete } from "../support/fake-invenio/complete.ts";
import { must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { type Desk, draftAt, givenDesk, givenRecordThere } from "../support/invenio-desk.ts";

const count = 230;

async function givenRecords(client: HttpClient): Promise<void> {
  const { files: _, ...body } = complete;
  const draft = { ...body, metadata: { ...body.metadata, publisher: "A press" }, files: { enabled: false } };
  for (let at = 0; at < count; at++) {
    const { id } = must(await client.post("/api/records", draft), 201).body;
    must(await client.post(`${draftAt(id)}/actions/publish`), 202);
  }
}

const totalOf = async ({ desk }: Desk): Promise<number> =>
  must(await desk.get("/api/user/records?size=1"), 200).body.hits.total;

describe("an account with more records than the site's search window shows (upstreams F16)", () => {
  test.for(["updated-desc", "newest"])(
    "all are copied, in the order %s, and a sweep misses none",
    async (order, row) => {
      needsFake(row, "a small search window");
      const world = await givenDesk({}, async (ada, there) => {
        const { switches } = fakeOf({ there });
        switches.windowHits = 100;
        if (order === "newest") switches.missingSorts.add("updated-desc");
        await givenRecords(ada);
      });
      expect((await world.desk.get("/api/sync/status")).body).toMatchObject({ state: "up_to_date", last_error: null });
      expect(await totalOf(world)).toBe(count);
      const { calls } = world.there.site;
      const before = calls.length;
      world.advance(90_000);
      world.there.site.clock.advance(90_000_000);
      await world.run();
      expect(await totalOf(world)).toBe(count);
      // A record that no list had shown would be looked at by its id.
      expect(calls.slice(before).filter(({ path }) => path.startsWith("/api/records/"))).toEqual([]);
    },
  );
});

test.for(["ignored", "refused"] as const)(
  "a sweep of a site on which allversions is %s takes no former version away (upstreams 4, U8)",
  async (allVersions, row) => {
    needsFake(row, "a site without allversions");
    let first = "";
    const world = await givenDesk({}, async (ada, there) => {
      fakeOf({ there }).switches.allVersions = allVersions;
      first = await givenRecordThere(ada, "First version");
    });
    const { ada, desk, advance, there, run } = world;
    const { id, metadata } = must(await ada.client.post(`/api/records/${first}/versions`), 201).body;
    must(await ada.client.post(`${draftAt(id)}/actions/files-import`), 201);
    const dated = { ...metadata, publication_date: "2026-11-30" };
    must(
      await ada.client.put(draftAt(id), {
        ...complete,
        files: { enabled: true },
        metadata: { ...complete.metadata, ...dated },
      }),
      200,
    );
    must(await ada.client.post(`${draftAt(id)}/actions/publish`), 202);
    for (let days = 0; days < 2; days++) {
      advance(90_000);
      there.site.clock.advance(90_000_000);
      await run();
    }
    expect((await desk.get("/api/sync/status")).body).toMatchObject({ state: "up_to_date", last_error: null });
    for (const each of [first, id]) expect((await desk.get(`/api/records/${each}`)).status).toBe(200);
    // The refusal is learned from the first sweep.
    const refusals = there.site.calls.filter(({ status }) => status === 400);
    expect(refusals).toHaveLength(allVersions === "refused" ? 1 : 0);
  },
);
