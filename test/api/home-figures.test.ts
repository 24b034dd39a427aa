import { beforeAll, beforeEach, expect, test } from "vitest";
import { collectionSets } from "../../server/harvest/collection-sets.ts";
import { sumFiles } from "../../server/harvest/harvest-item.repository.ts";
import { fillHarvestItems } from "../../server/harvest/harvest-job.ts";
import { type Api, startApi } from "../support/api.ts";
import { addFile, givenDraft, givenRecord, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";

let api: Api;
let alice: HttpClient;
let admin: HttpClient;
beforeAll(async () => {
  api = await startApi("server");
  [alice, admin] = [await api.as("alice"), await api.as("admin")];
  await givenRecord(alice, { "first.txt": "1" });
});

/** Records, files and bytes as a stranger reads them. */
async function figures(language = "en"): Promise<string[]> {
  const { text } = await api.anonymous.get("/", { headers: { accept: "text/html", "accept-language": language } });
  const [, list = ""] = /<div class="figures"><dl>(.*?)<\/dl>/.exec(text) ?? [];
  return [...list.matchAll(/<dd>(.*?)<\/dd>/g)].map(([, value = ""]) => value.replace(/<[^>]*>/g, ""));
}
const numbers = async (): Promise<number[]> => (await figures()).map(Number.parseFloat);

let before: number[];
beforeEach(async () => {
  before = await numbers();
});
const more = (...added: number[]): number[] => before.map((value, at) => value + (added[at] ?? 0));

async function publishEdit(id: string, change: object): Promise<void> {
  const { body } = must(await alice.post(`/api/records/${id}/draft`), 201);
  must(await alice.put(`/api/records/${id}/draft`, { ...body, ...change }), 200);
  must(await alice.post(`/api/records/${id}/draft/actions/publish`), 202);
}
const restricted = { record: "public", files: "restricted" };

test("home has three figures: records, files, bytes (web 4, 12)", async () => {
  expect(before).toEqual([1, 1, 1]);
  const { text } = await api.anonymous.get("/", { headers: { accept: "text/html" } });
  expect(text).toContain("Latest version of each record; files that everyone can download.");
  expect(text).toMatch(/<dt>Records<\/dt>.*<dt>Open files<\/dt>.*<dt>Their size<\/dt>/);
  const german = await api.anonymous.get("/", { headers: { accept: "text/html", "accept-language": "de" } });
  expect(german.text).toContain("Offene Dateien");
});

test("a draft counts when it is published, and not after it is deleted; restored it counts again (web 12)", async () => {
  const id = await givenDraft(alice);
  await addFile(alice, id, "a.txt", "12345");
  await addFile(alice, id, "b.txt", "67");
  expect(await numbers()).toEqual(before);
  must(await alice.post(`/api/records/${id}/draft/actions/publish`), 202);
  expect(await numbers()).toEqual(more(1, 2, 7));
  must(await admin.delete(`/api/records/${id}/delete`, {}), 204);
  expect(await numbers()).toEqual(before);
  must(await admin.post(`/api/records/${id}/restore`), 200);
  expect(await numbers()).toEqual(more(1, 2, 7));
});

test("files that not everyone may read are never in the figures: restricted, embargoed, none (web 12)", async () => {
  const id = await givenRecord(alice, { "a.txt": "12345" });
  expect(await numbers()).toEqual(more(1, 1, 5));
  await publishEdit(id, { access: restricted });
  expect(await numbers()).toEqual(more(1));
  const embargo = { active: true, until: "2199-01-01", reason: null };
  await publishEdit(id, { access: { ...restricted, embargo } });
  expect(await numbers()).toEqual(more(1));
  await publishEdit(id, { access: { record: "restricted", files: "restricted" } });
  expect(await numbers()).toEqual(before);
  await publishEdit(id, { access: { record: "public", files: "public" } });
  expect(await numbers()).toEqual(more(1, 1, 5));
  await givenRecord(alice, {}, { isFilesEnabled: false });
  expect(await numbers()).toEqual(more(2, 1, 5));
});

test("a new version counts instead of the earlier one (web 12)", async () => {
  const id = await givenRecord(alice, { "a.txt": "12345" });
  const { body: next } = must(await alice.post(`/api/records/${id}/versions`), 201);
  const body = { metadata: { ...next.metadata, publication_date: "2025" }, files: { enabled: true } };
  must(await alice.put(`/api/records/${next.id}/draft`, body), 200);
  await addFile(alice, next.id, "a.txt", "123");
  await addFile(alice, next.id, "b.txt", "456");
  expect(await numbers()).toEqual(more(1, 1, 5));
  must(await alice.post(`/api/records/${next.id}/draft/actions/publish`), 202);
  expect(await numbers()).toEqual(more(1, 2, 6));
  must(await admin.delete(`/api/records/${next.id}/delete`, {}), 204);
  expect(await numbers()).toEqual(more(1, 1, 5));
});

test("a library of before gets its sums, and harvesters see no change; sums are made in parts (web 12)", async () => {
  const { db, settings, now } = api.server.host;
  const items = () => db.selectFrom("harvest_item").selectAll().orderBy("record_id").execute();
  const expected = await items();
  const sums = await sumFiles(db);
  await db.updateTable("harvest_item").set({ files: 0, bytes: 0 }).execute();
  await db.deleteFrom("setting").where("name", "=", "harvest_version").execute();
  expect(await sumFiles(db)).toEqual({ files: 0, bytes: 0 });
  await fillHarvestItems({ db, now }, collectionSets(settings, now));
  expect(await items()).toEqual(expected);
  expect(await sumFiles(db, 1)).toEqual(sums);
});
