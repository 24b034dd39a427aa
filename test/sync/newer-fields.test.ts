import { describe, expect, test } from "vitest";
import * as Y from "yjs";
import { openDocument } from "../../shared/documents/merge.ts";
import { type Api, startApi } from "../support/api.ts";
import { until } from "../support/until.ts";

const metadata = {
  title: "Deep sea core 12",
  resource_type: { id: "dataset" },
  publication_date: "2026-11-21",
  creators: [{ person_or_org: { type: "personal", family_name: "Hopper" } }],
};
const instruments = [{ name: "Microscope" }];

/** What a server of a newer version, which knows the field `instruments`, makes of a draft. */
async function writeInstruments(api: Api, id: string): Promise<void> {
  const { db } = api.server.host;
  const { state } = await db
    .selectFrom("document")
    .select("state")
    .where("draft_id", "=", id)
    .executeTakeFirstOrThrow();
  const doc = openDocument(state, 4711);
  const item = new Y.Map<unknown>([
    ["name", "Microscope"],
    ["_p", "V"],
  ]);
  (doc.getMap("draft").get("metadata") as Y.Map<unknown>).set("instruments", new Y.Map([["name:microscope", item]]));
  await db
    .updateTable("document")
    .set({ state: Y.encodeStateAsUpdate(doc) })
    .where("draft_id", "=", id)
    .execute();
  const row = await db
    .selectFrom("draft")
    .select(["metadata", "expanded"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const withThem = (json: string) => JSON.stringify({ ...JSON.parse(json), instruments });
  const columns = { metadata: withThem(row.metadata), expanded: withThem(row.expanded) };
  await db.updateTable("draft").set(columns).where("id", "=", id).execute();
}

async function draftOfNewerServer() {
  const api = await startApi("replica");
  const alice = await api.as("alice");
  const draft = await alice.post("/api/records", { files: { enabled: false }, metadata });
  const path = `/api/records/${draft.body.id}/draft`;
  const calm = () => until(async () => (await alice.get("/api/sync/status")).body.state === "up_to_date");
  await calm();
  await writeInstruments(api, draft.body.id);
  // An edit on the server is what brings it to the replica.
  const onServer = await api.onServer("alice");
  expect((await onServer.put(path, { metadata: { ...metadata, publisher: "Carrel" } })).status).toBe(200);
  await until(async () => (await alice.get(path)).body.metadata.publisher === "Carrel");
  return { api, alice, onServer, path, calm, id: draft.body.id as string };
}

describe("a field that only a newer program knows (hosts-and-sync 6, Version skew)", () => {
  test("is shown, and kept through edits of the replica, online and offline", async () => {
    const { alice, onServer, path, calm } = await draftOfNewerServer();
    const shown = await alice.get(path);
    expect(shown.body.metadata).toMatchObject({ publisher: "Carrel", instruments });
    await alice.post("/api/sync/pause");
    const next = { ...shown.body.metadata, title: "Deep sea core 13" };
    const saved = await alice.put(path, { metadata: next });
    expect(saved).toMatchObject({ status: 200, body: { metadata: { title: "Deep sea core 13", instruments } } });
    // An answer that is sent back unchanged has nothing wrong with it (records 3.2).
    expect(JSON.stringify(saved.body.errors ?? [])).not.toContain("instruments");
    await alice.post("/api/sync/resume");
    await calm();
    for (const one of [alice, onServer])
      expect((await one.get(path)).body.metadata).toMatchObject({ title: "Deep sea core 13", instruments });
  });

  test("cannot be changed by a REST client: another value is refused by name, and the stored one stays (records 3.3)", async () => {
    const { alice, path } = await draftOfNewerServer();
    const saved = await alice.put(path, { metadata: { ...metadata, instruments: [{ name: "Other" }] } });
    expect(saved.status).toBe(200);
    expect(saved.body.errors).toContainEqual({ field: "metadata.instruments", messages: ["Unknown field."] });
    expect(saved.body.metadata.instruments).toEqual(instruments);
    const fresh = await alice.post("/api/records", { metadata: { ...metadata, instruments } });
    expect(fresh.body.errors).toContainEqual({ field: "metadata.instruments", messages: ["Unknown field."] });
    expect(fresh.body.metadata).not.toHaveProperty("instruments");
  });

  test("is published, and edited further, by a replica that does not know it", async () => {
    const { alice, onServer, path, calm, id } = await draftOfNewerServer();
    await alice.post("/api/sync/pause");
    const { body } = await alice.get(path);
    await alice.put(path, { metadata: { ...body.metadata, version: "2" } });
    expect((await alice.post(`${path}/actions/publish`)).status).toBe(202);
    await alice.post("/api/sync/resume");
    await calm();
    const record = `/api/records/${id}`;
    for (const one of [alice, onServer])
      expect((await one.get(record)).body.metadata).toMatchObject({ version: "2", instruments });
    expect((await alice.post(path)).status).toBe(201);
    const draft = await alice.get(path);
    expect((await alice.put(path, { metadata: { ...draft.body.metadata, version: "3" } })).status).toBe(200);
    await calm();
    expect((await onServer.get(path)).body.metadata).toMatchObject({ version: "3", instruments });
  });
});
