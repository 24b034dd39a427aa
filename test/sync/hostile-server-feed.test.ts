import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { givenDraft } from "../support/files.ts";
import { countUnsent, json, page, person, startVictim, userRow, type Victim } from "../support/hostile-server.ts";
import { until } from "../support/until.ts";

const micros = 1_700_000_000_000_000;
/** Ids with right check digits. */
const [familyId, recordId, otherId] = ["a1b2c-d3e26", "00000-00098", "zzzzz-zzz90"];

const content = {
  version_index: 1,
  created: micros,
  updated: micros,
  revision_id: 1,
  metadata: JSON.stringify({ title: "Cores" }),
  expanded: JSON.stringify({ title: "Cores" }),
  custom_fields: "{}",
  access: JSON.stringify({ record: "public", files: "public", embargo: { active: false, reason: null } }),
  pids: "{}",
  files_enabled: 1,
  default_preview: null,
  file_order: "[]",
};
const parent = { id: familyId, owner_id: "11", settings: "{}", created: micros, viewer_level: "view" };
const record = { ...content, id: recordId, parent_id: familyId, is_latest: 1, tombstone: null };
const bundle = (rows: object, rest: object = {}) => ({
  ...{ kind: "family", id: familyId, rows: { parent: [parent], record: [record], ...rows }, people: [] },
  ...rest,
});
const live = (one: object, rest: object = {}) => ({
  ...{ kind: "family", id: familyId, seq: 2, state: "live", bundle: one },
  ...rest,
});
const pageWith = (...changes: unknown[]) => page({ changes, cursor: ".2", seq: 2 });
const file = {
  ...{ id: "f", owner_kind: "record", owner_id: recordId, parent_id: familyId, key: "a", status: "completed" },
  ...{ sha256: "0".repeat(64), md5: "0".repeat(32), size: 1, mimetype: "text/plain", metadata: null, hidden: 0 },
  ...{
    announced: null,
    file_id: null,
    version_id: null,
    bucket_id: "b",
    created: micros,
    updated: micros,
    position: 0,
  },
};

/** Everything a hostile page can be that is refused as a whole; each must leave nothing behind. */
const hostilePages: Record<string, unknown> = {
  "another object's bundle": pageWith(live(bundle({}, { id: otherId }))),
  "a bundle of another kind": pageWith(live(bundle({}, { kind: "request" }))),
  "rows of another family": pageWith(live(bundle({ record: [{ ...record, parent_id: otherId }] }))),
  "a document of another draft": pageWith(
    live(bundle({ document: [{ draft_id: otherId, parent_id: familyId, epoch: 1, state: { $bytes: "" } }] })),
  ),
  "a file of another draft": pageWith(live(bundle({ file_entry: [{ ...file, owner_id: otherId }] }))),
  "a name for another record": pageWith(
    live(bundle({ alias: [{ old_id: "x", new_id: otherId, parent_id: familyId }] })),
  ),
  "an unknown column": pageWith(live(bundle({ record: [{ ...record, evil: 1 }] }))),
  "a column that climbs out of its quotes": pageWith(
    live(bundle({ record: [{ ...record, 'id") values (1); --': 1 }] })),
  ),
  "a missing column": pageWith(live(bundle({ parent: [{ id: familyId }] }))),
  "metadata that is no JSON": pageWith(live(bundle({ record: [{ ...record, metadata: "<script>" }] }))),
  "metadata that is a list": pageWith(live(bundle({ record: [{ ...record, metadata: "[]" }] }))),
  "metadata nested a million deep": pageWith(
    live(bundle({ record: [{ ...record, metadata: `{"a":${"[".repeat(1e6)}${"]".repeat(1e6)}}` }] })),
  ),
  "a digest that is a path": pageWith(live(bundle({ file_entry: [{ ...file, sha256: "../../../../etc/passwd" }] }))),
  "a clock that is no number": pageWith(live(bundle({ record: [{ ...record, created: "NaN" }] }))),
  "a clock beyond all numbers": pageWith(live(bundle({ record: [{ ...record, created: 1e300 }] }))),
  "an id that climbs": pageWith(live(bundle({}, { id: "../sync/connect" }), { id: "../sync/connect" })),
  "a prototype's name for an id": pageWith(live(bundle({}, { id: "__proto__" }), { id: "__proto__" })),
  "a prototype's name for a table": pageWith(
    JSON.parse(`{"kind":"family","id":"${familyId}","seq":2,"state":"live",
    "bundle":{"kind":"family","id":"${familyId}","rows":{"__proto__":[1]},"people":[]}}`),
  ),
  "a request that climbs": pageWith({
    ...{ kind: "request", id: "../sync/run", seq: 2, state: "live" },
    bundle: { kind: "request", id: "../sync/run", rows: {}, people: [] },
  }),
  "people that climb": pageWith(live(bundle({}, { people: [{ ...userRow, id: "../../sync" }] }))),
  "an unknown kind": pageWith(live(bundle({}), { kind: "token" })),
  "a clock of the server that is no number": { ...page(), now: "soon" },
  "a position that is no number": { ...page(), seq: "1e9" },
  "a cursor of a million letters": { ...page(), cursor: "x".repeat(1e6) },
  "more, and the same cursor": page({ more: true }),
  "a list": [],
  null: null,
  "a text": "page",
};

async function takes(victim: Victim, answer: unknown): Promise<void> {
  const { hostile, client } = victim;
  hostile.sayPages(answer);
  const before = hostile.callsOf("GET /api/sync/changes").length;
  await until(async () => {
    await client.post("/api/sync/run");
    return hostile.callsOf("GET /api/sync/changes").length > before + 1;
  }, "it was asked for again");
}

describe("an invalid page of the feed is refused as a whole (issue 15, deliver 5)", () => {
  test("any invalid page: the cursor stays, nothing is stored, unsent work stays, the API answers", async () => {
    const victim = await startVictim();
    const { hostile, client, replica } = victim;
    hostile.answer("POST /api/sync/push", json({ message: "later" }, 503));
    const draft = await givenDraft(client, { isFilesEnabled: false });
    const { db } = replica.host;
    const rows = async () => [
      await db.selectFrom("record").selectAll().execute(),
      await db.selectFrom("base").selectAll().where("kind", "!=", "user").execute(),
      await db.selectFrom("setting").selectAll().where("name", "in", ["replica.cursor", "replica.seq"]).execute(),
    ];
    const before = await rows();
    for (const [name, answer] of Object.entries(hostilePages)) {
      await takes(victim, answer);
      expect(await rows(), name).toEqual(before);
      expect(await countUnsent(client), name).toEqual({ unsent: 1, rejected: 0 });
    }
    expect((await client.get(`/api/records/${draft}/draft`)).body.metadata.title).toBe("Deep sea core");
    for (const path of ["/api/user/records", "/api/records", "/api/requests", "/api/users", "/api/groups"])
      expect((await client.get(path)).status, path).toBe(200);
    expect(Object.keys({})).toEqual([]);
  });

  test("the same objects in valid form are accepted, so the test above checks the right fault", async () => {
    const victim = await startVictim();
    victim.hostile.sayPages(pageWith(live(bundle({ file_entry: [file] }))), page({ cursor: ".2", seq: 2 }));
    await until(async () => (await victim.client.get(`/api/records/${recordId}`)).status === 200, "it is here");
  });

  test("ignores outcomes of operations that were not sent, duplicates and malformed ones: the operations keep waiting", async () => {
    const { hostile, client, replica } = await startVictim();
    hostile.answer("POST /api/sync/push", json({}, 503));
    const draft = await givenDraft(client, { isFilesEnabled: false });
    const [operation] = await replica.host.db.selectFrom("operation").select("wire_id as id").execute();
    const applied = { outcome: "applied", seq: 1, result: null };
    for (const outcomes of [
      [{ ...applied, id: crypto.randomUUID() }],
      [
        { ...applied, ...operation },
        { ...applied, ...operation },
      ],
      [{ ...applied, ...operation, seq: "1" }],
      [{ ...operation, outcome: "done" }],
      "all of it",
    ]) {
      hostile.answer("POST /api/sync/push", json({ outcomes }));
      const before = hostile.callsOf("POST /api/sync/push").length;
      await until(async () => {
        await client.post("/api/sync/run");
        return hostile.callsOf("POST /api/sync/push").length > before + 1;
      }, "sent again");
      expect(await countUnsent(client), JSON.stringify(outcomes)).toEqual({ unsent: 1, rejected: 0 });
    }
    expect((await client.get(`/api/records/${draft}/draft`)).status).toBe(200);
  });

  test("if the server rejects everything, all of it is in the tray with its text; ids are renamed only a few times", async () => {
    const { hostile, client } = await startVictim();
    hostile.answer("POST /api/sync/push", (res, call, req) => {
      const { operations } = JSON.parse(call.body);
      const taken = [...new Set(JSON.stringify(operations).match(/\b\w{5}-\w{5}\b/g)), "Deep sea core", "title"];
      const outcomes = operations.map(({ id }: { id: string }) => ({
        ...{ id, outcome: "rejected" },
        refusal: { status: 409, message: "No.", taken, errors: [{ field: 1 }, null, "x"] },
      }));
      json({ outcomes })(res, call, req);
    });
    await givenDraft(client, { isFilesEnabled: false });
    const tray = async () => (await client.get("/api/sync/tray")).body.hits.hits;
    await until(async () => (await tray()).length > 0, "in the tray");
    expect((await tray())[0].object.title).toBe("Deep sea core");
    expect(hostile.callsOf("POST /api/sync/push").length).toBeLessThan(20);
  });
});

describe("endless and oversized answers (issue 15, deliver 5)", () => {
  const heapOf = () => process.memoryUsage().rss / 1024 / 1024;

  test.each([
    ["packed to almost nothing", gzipSync(Buffer.alloc(300 * 1024 * 1024, " ")), { "Content-Encoding": "gzip" }],
    ["of nothing but brackets", Buffer.alloc(20 * 1024 * 1024, "["), {}],
  ])("a page %s is given up; the API answers", async (_what, bytes, headers) => {
    const victim = await startVictim();
    const before = heapOf();
    victim.hostile.answer("GET /api/sync/changes", (res) => {
      res.writeHead(200, { "Content-Type": "application/json", ...headers }).end(bytes);
    });
    const calls = victim.hostile.callsOf("GET /api/sync/changes").length;
    await until(async () => {
      await victim.client.post("/api/sync/run");
      return victim.hostile.callsOf("GET /api/sync/changes").length > calls + 1;
    }, "given up and tried again");
    expect((await victim.client.get("/api/user/records")).status).toBe(200);
    expect(heapOf() - before).toBeLessThan(700);
  });

  test("an endless page is cut at the size limit, and so are endless headers", async () => {
    const victim = await startVictim();
    const chunk = Buffer.alloc(1024 * 1024, " ");
    let sent = 0;
    victim.hostile.answer("GET /api/sync/changes", (res) => {
      res.writeHead(200, { "Content-Type": "application/json" });
      const more = () => {
        while (!res.destroyed && res.write(chunk)) sent += 1;
        sent += 1;
      };
      res.on("drain", more);
      more();
    });
    await until(async () => {
      await victim.client.post("/api/sync/run");
      return /larger than/.test((await victim.client.get("/api/sync/status")).body.last_error ?? "");
    }, "given up");
    expect(sent).toBeLessThan(400);
    victim.hostile.answer("GET /api/sync/changes", (res) => {
      res.socket?.end(`HTTP/1.1 200 OK\r\nX-Long: ${"x".repeat(10_000_000)}\r\n\r\n`);
    });
    await until(async () => {
      await victim.client.post("/api/sync/run");
      return /was lost/.test((await victim.client.get("/api/sync/status")).body.last_error ?? "");
    }, "given up");
  });

  test("refuses a server that is not the user's library: no user, another user, no library id", async () => {
    const { hostile, client } = await startVictim();
    const again = (rest: object, token: string) => {
      hostile.answer("GET /api/sync/hello", json(hostile.hello(rest)));
      return client.post("/api/sync/connect", { server: hostile.url, token });
    };
    const other = { id: "11", username: "bob" };
    expect((await again({ user: other }, "a")).status).toBe(400);
    const card = { kind: "user", id: "11", rows: { user: [{ ...userRow, ...other }], membership: [] }, people: [] };
    expect((await again({ user: other, card }, "b")).status).toBe(409);
    expect((await again({ user: { ...person, id: "local" } }, "c")).status).toBe(400);
    expect((await again({ base_url: "javascript:alert(1)" }, "d")).status).toBe(400);
    expect((await client.get("/api/sync/status")).body.user).toEqual(person);
  });
});
