import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { importVocabulary } from "../../shared/vocabularies/vocabulary-import.service.ts";
import { type Api, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { metadata } from "../support/records.ts";
import { until } from "../support/until.ts";

async function importAffiliations(api: Api, names: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "carrel-mirror-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "affiliations.jsonl");
  writeFileSync(file, names.map((name, n) => JSON.stringify({ id: `a${n}`, name })).join("\n"));
  const { db } = api.server.host;
  await importVocabulary({ db, type: "affiliations", file, now: () => api.server.host.now(), onRefused: () => {} });
}

async function answered(client: HttpClient, path: string, status: number) {
  await until(async () => (await client.get(path)).status === status, `${path} answers ${status}`);
  return client.get(path);
}

test("a replica holds the imported vocabularies, and validates with them offline (hosts-and-sync 3)", async () => {
  const api = await startApi("replica");
  await importAffiliations(
    api,
    Array.from({ length: 600 }, (_, n) => `Institute ${n}`),
  );
  const alice = await api.as("alice");
  const { body } = await answered(alice, "/api/affiliations/a599", 200);
  const atServer = (await api.anonymous.get("/api/affiliations/a599")).body;
  expect({ ...body, links: {} }).toEqual({ ...atServer, links: {} });
  const { engine } = await api.replicaOf("alice");
  await engine.setPaused(true);
  const found = await alice.get("/api/affiliations?suggest=insti+599");
  expect(found.body.hits).toMatchObject({ total: 1, hits: [{ name: "Institute 599" }] });
  expect(found.headers.get("sync-scope")).toBe("local");
  const creators = [{ ...metadata.creators[0], affiliations: [{ id: "a599" }] }];
  const draft = await alice.post("/api/records", { files: { enabled: false }, metadata: { ...metadata, creators } });
  expect(draft.status).toBe(201);
  expect(draft.body.metadata.creators[0].affiliations).toEqual([{ id: "a599", name: "Institute 599" }]);
  await engine.setPaused(false);
  await api.waitForSync();
  expect((await (await api.onServer("alice")).get(`/api/records/${draft.body.id}/draft`)).status).toBe(200);
});

test("a page of changes continues where the last one ended, and contains later changes of entries (hosts-and-sync 6)", async () => {
  const api = await startApi("server");
  await importAffiliations(api, ["One", "Two", "Three"]);
  const alice = await api.as("alice");
  const first = (await alice.get("/api/sync/vocabularies?limit=2")).body;
  expect(first).toMatchObject({ more: true, entries: [{ entry: { name: "One" } }, { entry: { name: "Two" } }] });
  const second = (await alice.get(`/api/sync/vocabularies?limit=2&cursor=${first.cursor}`)).body;
  expect(second).toMatchObject({ more: false, entries: [{ entry: { name: "Three" } }] });
  const none = (await alice.get(`/api/sync/vocabularies?cursor=${second.cursor}`)).body;
  expect(none).toEqual({ entries: [], cursor: second.cursor, more: false });
  await importAffiliations(api, ["Uno"]);
  const changed = (await alice.get(`/api/sync/vocabularies?cursor=${second.cursor}`)).body;
  expect(changed.entries).toMatchObject([{ entry: { id: "a0", name: "Uno" }, revision_id: 2 }]);
  expect((await alice.get("/api/sync/vocabularies?cursor=x")).status).toBe(400);
  expect((await api.anonymous.get("/api/sync/vocabularies")).status).toBe(403);
});
