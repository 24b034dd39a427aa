import fc from "fast-check";
import { expect, test } from "vitest";
import { givenDraft } from "../support/files.ts";
import { countUnsent, json, page, startVictim, userRow } from "../support/hostile-server.ts";

/** About so many; CARREL_FEED_PAGES=100000 for a long run. */
const pages = Number(process.env.CARREL_FEED_PAGES ?? 150);

const micros = 1_700_000_000_000_000;
const [familyId, recordId] = ["a1b2c-d3e26", "00000-00098"];
const requestId = "0190c7a0-0000-7000-8000-000000000000";

const record = {
  ...{ id: recordId, parent_id: familyId, version_index: 1, created: micros, updated: micros, revision_id: 1 },
  metadata: JSON.stringify({ title: "Cores", creators: [], publication_date: "2026", description: "<p>Ice</p>" }),
  expanded: JSON.stringify({ title: "Cores", creators: [], publication_date: "2026" }),
  access: JSON.stringify({ record: "public", files: "public", embargo: { active: false, reason: null } }),
  ...{ custom_fields: "{}", pids: "{}", files_enabled: 1, default_preview: null, file_order: "[]" },
  ...{ is_latest: 1, tombstone: null },
};
const parent = { id: familyId, owner_id: "11", settings: "{}", created: micros, viewer_level: "view" };
const request = {
  ...{ id: requestId, number: "1", title: "Cores", description: null, status: "submitted", creator_id: "10" },
  ...{ receiver_id: "11", topic_record_id: recordId, topic_parent_id: familyId, expires_at: null, is_locked: 0 },
  ...{ last_activity_at: micros, created: micros, updated: micros, revision_id: 1 },
};
const group = { name: "g", description: null, is_managed: 1, created: micros, updated: micros, revision_id: 1 };
const honest = page({
  seq: 2,
  now: micros,
  changes: [
    { kind: "family", id: familyId, rows: { parent: [parent], record: [record] } },
    { kind: "request", id: requestId, rows: { request: [request], event: [], event_file: [] } },
    { kind: "user", id: "11", rows: { user: [{ ...userRow, id: "11", username: "bob" }], membership: [] } },
    { kind: "group", id: "g", rows: { group: [group] } },
  ].map(({ kind, id, rows }) => ({ kind, id, seq: 2, state: "live", bundle: { kind, id, rows, people: [userRow] } })),
});

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    "",
    "..",
    "../sync",
    "__proto__",
    "local",
    "10",
    "{}",
    "[]",
    "null",
    '{"a":1}',
    -1,
    1e300,
  ),
  fc.constantFrom<unknown>(Number.MAX_SAFE_INTEGER, 0.5, true, [], {}, { $bytes: "" }, "live", "deleted", "withdrawn"),
  fc.jsonValue({ maxDepth: 3 }),
  fc.json({ maxDepth: 3 }),
);

/** The places in a tree, as paths. */
const placesIn = (value: unknown): string[][] =>
  value !== null && typeof value === "object"
    ? Object.entries(value).flatMap(([name, part]) => [[name], ...placesIn(part).map((rest) => [name, ...rest])])
    : [];
const places = placesIn(honest);

function put(tree: unknown, [name, ...rest]: string[], value: unknown): void {
  if (name === undefined || tree === null || typeof tree !== "object") return;
  const target = tree as Record<string, unknown>;
  if (rest.length > 0) put(target[name], rest, value);
  else target[name] = value;
}

const changes = fc.array(fc.tuple(fc.constantFrom(...places), odd), { minLength: 1, maxLength: 3 });
const lists = [
  "/api/user/records",
  "/api/records?q=ice",
  "/api/requests",
  "/api/users",
  "/api/groups",
  "/api/sync/tray",
];

test(
  "feed pages with odd values anywhere: lists answer, unsent work stays, the program goes on (issue 15, fuzzing)",
  async () => {
    const { hostile, client, replica } = await startVictim();
    hostile.answer("POST /api/sync/push", json({}, 503));
    await givenDraft(client, { isFilesEnabled: false });
    hostile.sayPages({ ...honest, cursor: ".2" });
    await replica.engine.refresh();
    expect((await client.get(`/api/records/${recordId}`)).status, "the page without oddities is taken").toBe(200);
    let count = 2;
    await fc.assert(
      fc.asyncProperty(changes, async (odds) => {
        const answer = structuredClone(honest);
        count += 1;
        Object.assign(answer, { cursor: `.${count}`, seq: count });
        for (const [place, value] of odds) put(answer, place, value);
        hostile.sayPages(answer);
        await replica.engine.refresh();
        for (const path of lists) {
          const { status, text } = await client.get(path);
          expect(status, `${path}: ${text}`).toBeLessThan(500);
        }
        expect(await countUnsent(client)).toEqual({ unsent: 1, rejected: 0 });
      }),
      { seed: 20261123, numRuns: pages, endOnFailure: pages < 1000 },
    );
  },
  Math.max(120_000, pages * 200),
);
