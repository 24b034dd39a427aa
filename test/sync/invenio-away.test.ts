import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { fakeOf, needsFake } from "../support/desk-site.ts";
import { complete } from "../support/fake-invenio/complete.ts";
import type { FakeSite } from "../support/fake-invenio/site.ts";
import { addFile, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
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
import { until } from "../support/until.ts";

const say = (content: string) => ({ payload: { content, format: "html" } });
const resume = (desk: HttpClient) => desk.post("/api/sync/resume");

function pass({ advance, there }: Desk, seconds: number): void {
  advance(seconds);
  there.site.clock.advance(seconds * 1000);
}

describe("a 429 that asks for two hours of silence between the files of a draft (upstreams F16, U5, U6)", () => {
  const hours = 7200;
  const after: Record<string, (nowMs: number) => string> = {
    seconds: () => String(hours),
    "a date": (nowMs) => new Date(nowMs + hours * 1000).toUTCString(),
  };

  test.each(["seconds", "a date"])(
    "is kept, and the rest goes afterwards, each file once (Retry-After: %s)",
    async (form) => {
      let id = "";
      const world = await givenDesk({}, async (client) => {
        id = await givenDraftThere(client, "With files");
      });
      const { desk, there, ada } = world;
      const { switches, clock } = fakeOf(world);
      await pause(desk);
      const names = ["a.csv", "b.csv", "c.csv"];
      for (const name of names) await addFile(desk, id, name, `the bytes of ${name}`);
      switches.retryAfter = after[form]?.(clock.now());
      switches.fault("too-many", "PUT", /b\.csv\/content$/);
      await desk.post("/api/sync/resume");
      const status = async () => (await desk.get("/api/sync/status")).body;
      await until(async () => (await status()).upstream.slowed_until !== null, "the site asks for silence");
      const calls = there.site.calls.length;
      pass(world, hours - 60);
      await desk.post("/api/sync/run");
      await world.replica.engine.refresh();
      expect(there.site.calls).toHaveLength(calls);
      expect((await status()).upstream.slowed_until).not.toBeNull();
      pass(world, 120);
      await settle(world);
      const { entries } = (await ada.client.get(`${draftAt(id)}/files`)).body;
      const done = names.map((key) => ({ key, status: "completed" }));
      expect(entries.toSorted((a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1))).toMatchObject(
        done,
      );
      const puts = there.site.calls.filter(({ method, path }) => method === "PUT" && path.endsWith("/content"));
      expect(puts.filter(({ status: code }) => code === 200)).toHaveLength(3);
      expect(puts.filter(({ status: code }) => code === 429)).toHaveLength(1);
      expect(await trayOf(desk)).toEqual([]);
    },
  );
});

test("a site that was away for 60 days, and a token that ended: the work of both sides is there afterwards (upstreams U3, U7, U10)", async (row) => {
  needsFake(row, "60 days pass");
  const ids = { both: "", published: "", discarded: "" };
  const world = await givenDesk({}, async (client) => {
    for (const name of Object.keys(ids) as (keyof typeof ids)[]) ids[name] = await givenDraftThere(client, name);
    await addFile(client, ids.published, "tides.csv", "hour,height");
  });
  const { desk, ada, there, replica } = world;
  await pause(desk);
  await editDraft(desk, ids.both, { title: "Written at the desk" });
  const made = must(await desk.post("/api/records", { metadata: { title: "Begun at the desk" } }), 201).body.id;
  await addFile(desk, made, "sea.csv", "hour,height");
  await editDraft(ada.client, ids.both, { publisher: "Written in the browser" });
  must(await ada.client.post(`${draftAt(ids.published)}/actions/publish`), 202);
  must(await ada.client.delete(draftAt(ids.discarded)), 204);
  await there.site.revoke(ada.token);
  pass(world, 60 * 86_400);
  await desk.post("/api/sync/resume");
  const status = async () => (await desk.get("/api/sync/status")).body;
  await until(async () => (await status()).state === "sign_in", "the user is asked to sign in");
  expect(await trayOf(desk)).toEqual([]);
  const renewed = there.person("ada");
  must(await desk.post("/api/sync/connect", { server: there.url, token: renewed.token }), 200);
  await until(() => replica.engine.isOnline(), "it is online again");
  await settle(world);
  expect(await status()).toMatchObject({ state: "up_to_date", pending: 0, rejected: 0, conflicts: 0 });
  const metadata = { title: "Written at the desk", publisher: "Written in the browser" };
  expect((await renewed.client.get(draftAt(ids.both))).body).toMatchObject({ metadata });
  expect((await desk.get(draftAt(ids.both))).body).toMatchObject({ metadata });
  expect((await desk.get(`/api/records/${ids.published}`)).body).toMatchObject({ is_published: true });
  expect((await desk.get(draftAt(ids.discarded))).status).toBe(404);
  const hits = await ownThere({ ...world, ada: renewed });
  const [begun, ...others] = hits.filter((hit: { metadata: { title: string } }) => /^Begun/.test(hit.metadata.title));
  expect(others).toEqual([]);
  expect((await renewed.client.get(`${draftAt(begun.id)}/files`)).body.entries).toMatchObject([
    { key: "sea.csv", status: "completed" },
  ]);
});

describe("a site that was away, with many changes and few calls: each poll gets further (upstreams 4, U10)", () => {
  /** The site takes few calls from now on, most of which are not for polls. Polls until something holds. */
  async function pollUntil(world: Desk, holds: () => Promise<boolean>, what: string): Promise<void> {
    fakeOf(world).limits.override = { minute: 8, hour: 10_000 };
    pass(world, 60 * 86_400);
    await resume(world.desk);
    await until(async () => {
      pass(world, 16 * 60);
      await world.replica.engine.refresh();
      return holds();
    }, what);
    expect(world.there.site.calls.filter(({ status }) => status === 429)).toEqual([]);
  }

  test("300 new records", async (row) => {
    needsFake(row, "a site with few calls");
    const world = await givenDesk();
    const { desk, ada } = world;
    await pause(desk);
    const { files: _, ...body } = complete;
    const metadata = { ...body.metadata, publisher: "A press" };
    for (let count = 0; count < 300; count++) {
      const draft = { ...body, metadata, files: { enabled: false } };
      const { id } = must(await ada.client.post("/api/records", draft), 201).body;
      must(await ada.client.post(`${draftAt(id)}/actions/publish`), 202);
    }
    const total = async () => (await desk.get("/api/user/records?size=1")).body.hits.total;
    await pollUntil(world, async () => (await total()) === 300, "all records are here");
  });

  test("40 requests with a new comment each", async (row) => {
    needsFake(row, "a site with few calls");
    const ids: string[] = [];
    const world = await givenDesk({}, async (client, { site, person }) => {
      const { state } = site as FakeSite;
      const own = { slug: "tides", metadata: { title: "Tides" }, access: { visibility: "public" } };
      const community = must(await person("grace").client.post("/api/communities", own), 201).body.id;
      const draft = await givenDraftThere(client, "Tides");
      await addFile(client, draft, "tides.csv", "hour,height");
      const review = { type: "community-submission", receiver: { community } };
      must(await client.put(`${draftAt(draft)}/review`, review), 200);
      const submitted = must(await client.post(`${draftAt(draft)}/actions/submit-review`, say("Please")), 202);
      const first = state.requests.get(submitted.body.id);
      for (let count = 0; first && count < 40; count++) {
        const id = randomUUID();
        state.requests.set(id, { ...first, id, number: 100 + count, comments: [] });
        ids.push(id);
      }
    });
    const { desk, there } = world;
    await settle(world);
    await pause(desk);
    const grace = there.person("grace");
    for (const id of ids) must(await grace.client.post(`/api/requests/${id}/comments`, say("A word")), 201);
    const isHere = async () => {
      const rows = await world.replica.host.db.selectFrom("event").select("content").execute();
      return rows.filter(({ content }) => content?.includes("A word")).length === ids.length;
    };
    await pollUntil(world, isHere, "all comments are here");
  });
});
