import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { uploadService } from "../../shared/blobs/upload.service.ts";
import { localUploadLock } from "../../shared/blobs/upload-lock.ts";
import { type OpenDatabase, openDatabase } from "../../shared/database/open.ts";
import type { FileEntryRow } from "../../shared/database/schema.ts";
import { MemoryBlobStore } from "../support/memory-blob-store.ts";

const day = 86_400 * 1_000_000;
let folder: string;
let database: OpenDatabase;
let instant = 0;
let uuid = 0;
const blobs = new MemoryBlobStore();

const service = () =>
  uploadService({ db: database.db, blobs, now: () => instant, newUuid: () => `upload-${++uuid}` }, localUploadLock());
const headers = {
  isComplete: true,
  offset: undefined,
  contentLength: undefined,
  uploadLength: undefined,
  sha256: undefined,
};
const target = (key: string) => ({ key, maxBytes: 1e9, tooLarge: () => new Error("large") as never, expected: {} });

async function uploaded(key: string, text: string): Promise<string> {
  const outcome = await service().put(target(key), Readable.from([Buffer.from(text)]), headers);
  if (outcome.state !== "complete") throw new Error("not complete");
  return outcome.facts.sha256;
}

const entry = (id: string, sha256: string | null): FileEntryRow => ({
  ...{ id, owner_kind: "draft", owner_id: "d", parent_id: "p", key: id, status: "pending", sha256, md5: null },
  ...{ size: null, mimetype: null, metadata: null, hidden: 0, announced: null, file_id: null, version_id: null },
  ...{ bucket_id: "b", created: 0, updated: 0, position: 0 },
});

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "carrel-sweep-"));
  database = openDatabase(path.join(folder, "db.sqlite"));
  instant = day;
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

test("a partial upload lives 30 days after its last byte, and what no row knows goes at once (records 6.4.1)", async () => {
  await service().put(target("file:a"), Readable.from([Buffer.from("part")]), { ...headers, isComplete: false });
  await blobs.create("orphan");
  instant += 29 * day;
  await service().sweep();
  expect(await service().state("file:a")).toMatchObject({ offset: 4, isComplete: false });
  expect(await blobs.listUploads()).not.toContain("orphan");
  instant += 2 * day;
  await service().sweep();
  expect(await service().state("file:a")).toMatchObject({ offset: 0 });
  expect(await blobs.listUploads()).toEqual([]);
});

test("bytes stay as long as anything refers to them, and a week longer", async () => {
  const linked = await uploaded("file:linked", "linked");
  const waiting = await uploaded("file:waiting", "waiting");
  const dropped = await uploaded("file:dropped", "dropped");
  const sent = await uploaded("blob:1:x", "sent");
  await database.db
    .insertInto("file_entry")
    .values([entry("linked", linked), entry("waiting", null)])
    .execute();
  await service().drop("file:dropped");
  instant += 6 * day;
  await service().sweep();
  for (const sha256 of [linked, waiting, dropped, sent]) expect(await blobs.has(sha256)).toBe(true);
  instant += 40 * day;
  await service().sweep();
  for (const sha256 of [linked, waiting]) expect(await blobs.has(sha256)).toBe(true);
  for (const sha256 of [dropped, sent]) expect(await blobs.has(sha256)).toBe(false);
  expect(await service().content(database.db, "file:waiting")).toBeDefined();
});

test("while calls are answered unused bytes go a day after the sweep first found them, used ones stay (security 8)", async () => {
  const uploads = service();
  const unused = await uploaded("file:gone", "unused");
  const used = await uploaded("file:e1", "used");
  await database.db.deleteFrom("upload").execute();
  await database.db.insertInto("file_entry").values(entry("e1", used)).execute();
  instant += 8 * day;
  await uploads.sweepRunning();
  expect(await blobs.has(unused)).toBe(true);
  instant += day;
  await uploads.sweepRunning();
  expect([await blobs.has(unused), await blobs.has(used)]).toEqual([false, true]);
});

test("bytes that are linked while the sweep looks stay (security 8)", async () => {
  const uploads = service();
  const sha256 = await uploaded("file:gone", "wanted again");
  await database.db.deleteFrom("upload").execute();
  instant += 8 * day;
  await uploads.sweepRunning();
  instant += day;
  const seal = blobs.seal.bind(blobs);
  let sweeping: Promise<void> = Promise.resolve();
  blobs.seal = async (...given: Parameters<typeof seal>) => {
    const facts = await seal(...given);
    sweeping = uploads.sweepRunning();
    await sweeping;
    return facts;
  };
  try {
    await uploads.put(target("file:again"), Readable.from([Buffer.from("wanted again")]), headers);
  } finally {
    blobs.seal = seal;
  }
  expect(await blobs.has(sha256)).toBe(true);
  instant += day;
  await uploads.sweepRunning();
  expect(await blobs.has(sha256)).toBe(true);
});

test("a partial upload that somebody goes on with is not swept while calls are answered (security 8)", async () => {
  const uploads = service();
  const beginning = { ...headers, isComplete: false };
  for (const key of ["file:old", "file:new"])
    await uploads.put(target(key), Readable.from([Buffer.from("part")]), beginning);
  instant += 29 * day;
  await uploads.patch(target("file:new"), Readable.from([Buffer.from("more")]), { ...beginning, offset: 4 });
  instant += 2 * day;
  await uploads.sweepRunning();
  expect(await uploads.state("file:old")).toMatchObject({ offset: 0 });
  expect(await uploads.state("file:new")).toMatchObject({ offset: 8 });
});

test("the bytes of a file removed from a draft stay for a day, however old they are (app H2)", async () => {
  const sha256 = await uploaded("file:old", "old");
  await service().drop("file:old");
  instant += 100 * day;
  const row = { entry_id: "old", draft_id: "d", version_id: "v", sha256, entry: "{}", order_index: null };
  await database.db
    .insertInto("removed_file")
    .values({ ...row, was_preview: 0, removed: instant })
    .execute();
  instant += day / 2;
  await service().sweep();
  expect(await blobs.has(sha256)).toBe(true);
  instant += day;
  await service().sweep();
  expect(await blobs.has(sha256)).toBe(false);
});
