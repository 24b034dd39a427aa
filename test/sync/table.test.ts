import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openReplica } from "../../main/replica/open-replica.ts";
import { upsertBases } from "../../main/sync/base.repository.ts";
import { insertOperation } from "../../main/sync/operation.repository.ts";
import { RemovalGuard } from "../../main/sync/removal-guard.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import type { FeedPage } from "../../shared/sync-protocol/feed.schema.ts";
import { startApi } from "../support/api.ts";
import { must } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { comment, givenSubmitted, linesOf } from "../support/reviews.ts";
import { newReplica, pause, replicaOf, resume, stateOf, synced, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

// Rows of hosts-and-sync 4 that no other file of this folder tests, and mass removal (section 7).

const person = (family_name: string, more: object = {}) => ({
  person_or_org: { type: "personal", family_name, given_name: "A." },
  ...more,
});
const text = "The first part. The middle part. The last part.";
const metadata = {
  title: "Deep sea core 12",
  description: `<p>${text}</p>`,
  additional_descriptions: [{ type: { id: "methods" }, description: `<p>${text}</p>` }],
  resource_type: { id: "dataset" },
  publication_date: "2026-11-21",
  creators: [person("Hopper"), person("Berg")],
  subjects: [{ subject: "ice" }, { subject: "sea" }],
};
const described = (from: string, to: string) => ({
  ...{ title: metadata.title.replace(from, to), description: metadata.description.replace(from, to) },
  additional_descriptions: [{ type: { id: "methods" }, description: `<p>${text.replace(from, to)}</p>` }],
});
const creators = metadata.creators as ReturnType<typeof person>[];
const [hopper, berg] = creators as [ReturnType<typeof person>, ReturnType<typeof person>];
const uni = { affiliations: [{ name: "Uni" }] };
const withUni = (one: object) => ({ ...one, ...uni });

type Metadata = Record<string, unknown>;
const names = (one: Metadata) =>
  (one.creators as { person_or_org: { family_name: string } }[]).map((creator) => creator.person_or_org.family_name);
const subjects = (one: Metadata) => (one.subjects as { subject: string }[]).map(({ subject }) => subject);

interface Row {
  name: string;
  here: Metadata;
  there: Metadata;
  expect(merged: Metadata): void;
}

const rows: Row[] = [
  {
    name: "the same draft edited on two replicas, different fields: both edits are there",
    here: { version: "2" },
    there: { publication_date: "2020" },
    expect: (merged) => expect(merged).toMatchObject({ version: "2", publication_date: "2020" }),
  },
  {
    name: "the same draft edited on two replicas, different list items: both edits are there",
    here: { creators: [withUni(hopper), berg] },
    there: { creators: [hopper, person("Berg", { role: { id: "editor" } })] },
    expect: (merged) =>
      expect(merged.creators).toMatchObject([
        { person_or_org: { family_name: "Hopper" }, ...uni },
        { person_or_org: { family_name: "Berg" }, role: { id: "editor" } },
      ]),
  },
  {
    name: "the same long text edited in different places: both edits are in the text",
    here: { ...described("first", "1st"), title: "Deep sea drill core 12" },
    there: { ...described("last", "final"), title: "Deep sea core 13" },
    expect: (merged) => {
      const both = "<p>The 1st part. The middle part. The final part.</p>";
      expect(merged).toMatchObject({ title: "Deep sea drill core 13", description: both });
      expect(merged.additional_descriptions).toMatchObject([{ description: both }]);
    },
  },
  {
    name: "two people reorder or add list items: all additions kept once, no duplicates, one order everywhere",
    here: { creators: [berg, hopper, person("Noether")], subjects: [{ subject: "sea" }, { subject: "ice" }] },
    there: { creators: [berg, hopper, person("Mohr")], subjects: [...metadata.subjects, { subject: "wind" }] },
    expect: (merged) => {
      expect(names(merged).toSorted()).toEqual(["Berg", "Hopper", "Mohr", "Noether"]);
      expect(names(merged).indexOf("Berg")).toBeLessThan(names(merged).indexOf("Hopper"));
      expect(subjects(merged).toSorted()).toEqual(["ice", "sea", "wind"]);
    },
  },
];

const decade = 10 * 365 * 86_400_000_000;

/** A clock that is wrong by this many microseconds. */
function wrongClock(by: number) {
  const right = machineEnvironment();
  return { ...right, now: () => right.now() + by };
}

describe("other rows of the table of merges (hosts-and-sync 4)", () => {
  test.each([
    ["both edits are there, and one order everywhere", 0, 0],
    ["clock of a replica wrong by years: no effect on order or merging", decade, -decade],
  ])(
    "two people's replicas and the server: %s",
    async (_words, early, late) => {
      const api = await startApi("server");
      const ada = await replicaOf(api, "ada", wrongClock(early));
      const bob = await replicaOf(api, "bob", wrongClock(late));
      const onServer = await api.onServer("ada");
      const drafts: string[] = [];
      for (const _row of rows) {
        const { body } = must(await ada.post("/api/records", { files: { enabled: false }, metadata }), 201);
        const grant = { permission: "edit", subject: { type: "user", id: await api.idOf("bob") } };
        must(await ada.post(`/api/records/${body.id}/access/grants`, { grants: [grant] }), 201);
        drafts.push(`/api/records/${body.id}/draft`);
      }
      for (const path of drafts) await until(async () => (await bob.get(path)).status === 200, "bob holds it");
      await resume(ada, bob);
      await pause(ada, bob);
      for (const [index, { here, there }] of rows.entries()) {
        const path = drafts[index] ?? "";
        must(await ada.put(path, { metadata: { ...metadata, ...here } }), 200);
        must(await bob.put(path, { metadata: { ...metadata, ...there } }), 200);
      }
      await resume(ada, bob);
      for (const [index, row] of rows.entries()) {
        const path = drafts[index] ?? "";
        const merged = (await onServer.get(path)).body;
        row.expect(merged.metadata);
        for (const one of [ada, bob]) expect((await one.get(path)).body.metadata, row.name).toEqual(merged.metadata);
        expect(new Date(merged.updated).getFullYear(), row.name).toBe(new Date().getFullYear());
      }
      for (const one of [ada, bob]) expect(await trayOf(one)).toEqual([]);
    },
    60_000,
  );

  test("an edit of 2,000 creators at once is sent; a push may be larger than the limit of a PUT", async () => {
    const api = await startApi("replica");
    const ada = await api.as("ada");
    const large = { ...metadata, creators: Array.from({ length: 2000 }, (_, index) => person(`No. ${index}`, uni)) };
    const made = must(await ada.post("/api/records", { files: { enabled: false }, metadata }), 201);
    const path = `/api/records/${made.body.id}/draft`;
    const here = must(await ada.put(path, { metadata: large }), 200).body;
    await synced(ada);
    const server = await api.onServer("ada");
    const there = (await server.get(path)).body;
    expect(there.metadata.creators).toHaveLength(2000);
    expect(there.metadata).toEqual(here.metadata);
    const long = { operations: [], more: "x".repeat(11 * 1024 * 1024) };
    expect((await server.post("/api/sync/push", long)).body).toEqual({ outcomes: [] });
  });

  test("one rejected operation: only operations that need it wait; the others are sent", async () => {
    const api = await startApi("replica");
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { request } = await givenSubmitted(api, "ada", "bob");
    await api.waitForSync();
    await ada.post("/api/sync/pause");
    const path = `/api/requests/${request}/comments`;
    const { body } = must(await ada.post(path, comment("Too late")), 201);
    must(await ada.post(`${path}/${body.id}/reply`, comment("Needs the other")), 201);
    const draft = must(await ada.post("/api/records", { files: { enabled: false }, metadata }), 201).body.id;
    must(await ada.post(`/api/records/${draft}/draft/actions/publish`), 202);
    must(await bob.post(`/api/requests/${request}/lock`), 200, 204);
    await ada.post("/api/sync/resume");
    const onServer = await api.onServer("ada");
    await until(async () => (await onServer.get(`/api/records/${draft}`)).status === 200, "the others were sent");
    await until(async () => (await trayOf(ada)).length > 0, "the refused one is in the tray");
    expect((await trayOf(ada))[0]).toMatchObject({ kind: "comment.create", reason: expect.stringMatching(/locked/) });
    expect(await linesOf(api, "bob", request)).toEqual(["L locked"]);
    const [reply] = (await ada.get("/api/sync/operations")).body.hits.hits;
    expect([reply.title, reply.reason].join()).toMatch(/^Reply on .*It waits for what was refused before: Comment on /);
    must(await ada.delete(`/api/sync/tray/${(await trayOf(ada))[0].id}`), 204);
    await until(async () => (await ada.get("/api/sync/tray")).text.includes("Needs the other"), "its text is kept");
  });
});

test("a pull that would remove more than half of what the replica holds (over 20 objects) pauses and asks the user; also after a restart, and again after disconnecting (hosts-and-sync 7, Mass removal)", async () => {
  const api = await startApi("server");
  const options = { environment: machineEnvironment(), log: createLog("silent"), port: 0, startPaused: false };
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-test-"));
  let replica = await openReplica({ dataDir, ...options });
  onTestFinished(async () => {
    await replica.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  const client = () => new HttpClient(replica.url, replica.guard.secret);
  const onServer = await api.onServer("ada");
  const { token } = await api.person("ada");
  const connect = async () => must(await client().post("/api/sync/connect", { server: api.server.url, token }), 200);
  await connect();
  const ids: string[] = [];
  const one = { metadata: { title: "One of many" } };
  while (ids.length < 30) ids.push(must(await onServer.post("/api/records", one), 201).body.id);
  const held = async () => (await client().get("/api/user/records?size=1")).body.hits.total;
  await until(async () => (await held()) === 30, "all drafts are held");
  await pause(client());
  for (const id of ids.slice(1)) must(await onServer.delete(`/api/records/${id}/draft`), 204);
  const waitForQuestion = async () => {
    await until(async () => (await stateOf(client())) === "paused", "it pauses");
    const { body } = await client().get("/api/sync/status");
    expect(body).toMatchObject({ asks: "removal", last_error: expect.stringMatching(/remove 29 .*Resume/) });
    expect(await held()).toBe(30);
  };
  expect((await client().get("/api/sync/status")).body).not.toHaveProperty("asks");
  await client().post("/api/sync/resume");
  await waitForQuestion();
  await replica.close();
  replica = await openReplica({ dataDir, ...options });
  await waitForQuestion();
  must(await client().delete("/api/sync/connect"), 200);
  expect((await client().get("/api/sync/status")).body).toMatchObject({ state: "local", last_error: null });
  await connect();
  await waitForQuestion();
  await client().post("/api/sync/resume");
  await until(async () => (await stateOf(client())) === "up_to_date", "the user agreed");
  expect(await held()).toBe(1);
});

test("a mass removal in several pages is checked as a whole first; objects that were never here or that the user discarded do not count (hosts-and-sync 7, Mass removal)", async () => {
  const { db } = (await newReplica()).host;
  const ids = Array.from({ length: 205 }, (_, index) => `family-${index}`);
  await upsertBases(
    db,
    ids.map((object_id) => ({ kind: "family", object_id, seq: 1, bundle: null })),
  );
  const pageOf = (removedIds: string[], seq: number, more: boolean): FeedPage => ({
    ...{ applied: [], usage: [], cursor: `${seq}`, seq, more },
    changes: removedIds.map((id) => ({ kind: "family", id, seq, state: "deleted" })),
  });
  const judge = (first: FeedPage, ...later: (FeedPage | Error)[]) => {
    const guard = new RemovalGuard(db);
    const next = async () => {
      const page = later.shift();
      if (page instanceof Error || page === undefined) throw page;
      return page;
    };
    return { judged: () => guard.check(first, next) };
  };
  const [one, rest] = [ids.slice(0, 100), ids.slice(100, 120)];
  await expect(judge(pageOf(one, 2, true), pageOf(rest, 3, false)).judged()).rejects.toThrow(/remove 120 /);
  await expect(judge(pageOf(one, 2, false)).judged()).resolves.toBeUndefined();
  const unknown = rest.map((id) => `other ${id}`);
  await expect(judge(pageOf(one, 2, true), pageOf(unknown, 3, false)).judged()).resolves.toBeUndefined();
  const { judged } = judge(pageOf(one, 2, true), pageOf(rest, 3, true), new Error("cut"), pageOf([], 4, false));
  await expect(judged()).rejects.toThrow("cut");
  await expect(judged()).rejects.toThrow(/remove 120 /);
  const blank = { version: 1, payload: "{}", title: "", blobs: "[]", bytes: 0, attempts: 1, created: 1 };
  for (const aggregate_id of ids.slice(0, 20)) {
    const about = { object_kind: "draft", object_id: aggregate_id, aggregate_kind: "family", aggregate_id };
    const made = { id: aggregate_id, wire_id: aggregate_id, kind: "draft.discard", delivery: "queue" as const };
    await insertOperation(db, { ...blank, ...about, ...made, state: "applied" });
  }
  await expect(judge(pageOf([...one, ...rest], 2, false)).judged()).resolves.toBeUndefined();
});

test("a data folder is copied and both copies continue: queued operations are sent once, later work of both arrives (hosts-and-sync 3, 4)", async () => {
  const api = await startApi("server");
  const folder = await mkdtemp(join(tmpdir(), "carrel-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const start = async (name: string, startPaused: boolean) => {
    const options = { environment: machineEnvironment(), log: createLog("silent"), port: 0, startPaused };
    const replica = await openReplica({ dataDir: join(folder, name), ...options });
    return { replica, client: new HttpClient(replica.url, replica.guard.secret) };
  };
  const first = await start("first", false);
  const { token } = await api.person("ada");
  must(await first.client.post("/api/sync/connect", { server: api.server.url, token }), 200);
  await synced(first.client);
  await pause(first.client);
  const draft = async (client: HttpClient, title: string): Promise<string> =>
    must(await client.post("/api/records", { metadata: { title } }), 201).body.id;
  await draft(first.client, "Waited before");
  await first.replica.close();
  await cp(join(folder, "first"), join(folder, "second"), { recursive: true });
  const both = [await start("first", true), await start("second", true)];
  onTestFinished(async () => {
    for (const { replica } of both) await replica.close();
  });
  for (const [index, { client }] of both.entries()) {
    await pause(client);
    for (const n of [1, 2, 3]) await draft(client, `Made on ${index}, ${n}`);
  }
  for (const { client } of both) await resume(client);
  await resume(...both.map(({ client }) => client));
  const made = both.flatMap((_one, index) => [1, 2, 3].map((n) => `Made on ${index}, ${n}`));
  for (const client of [await api.onServer("ada"), ...both.map((one) => one.client)]) {
    const { hits } = (await client.get("/api/user/records?size=50")).body.hits;
    const titles = hits.map((one: { metadata: { title: string } }) => one.metadata.title).toSorted();
    expect(titles).toEqual([...made, "Waited before"]);
  }
  for (const { client } of both) expect(await trayOf(client)).toEqual([]);
});
