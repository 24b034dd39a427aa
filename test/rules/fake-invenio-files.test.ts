import { createHash } from "node:crypto";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { complete } from "../support/fake-invenio/complete.ts";
import { type FakeInvenio, givenFakeInvenio, startFakeInvenio } from "../support/fake-invenio/fake-invenio.ts";
import { fixtureBytes } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";

const vendor = "application/vnd.inveniordm.v1+json";
const failed = "File upload transfer failed.";
const md5 = (text: string | Buffer): string => `md5:${createHash("md5").update(text).digest("hex")}`;
let fake: FakeInvenio;
let ada: HttpClient;
let token: string;

beforeAll(async () => {
  fake = await startFakeInvenio();
  ({ client: ada, token } = fake.person("ada"));
});
afterAll(() => fake.stop());

async function givenDraft(client = ada): Promise<string> {
  const { body } = await client.post("/api/records", { ...complete, files: { enabled: true } });
  return `/api/records/${body.id}/draft`;
}

async function upload(draft: string, key: string, bytes: string | Buffer, client = ada) {
  await client.post(`${draft}/files`, [{ key }]);
  await client.putBytes(`${draft}/files/${key}/content`, bytes);
  return client.post(`${draft}/files/${key}/commit`);
}

const revisionOf = async (draft: string): Promise<number> => (await ada.get(draft)).body.revision_id;

describe("files of the fake InvenioRDM", () => {
  test("init, content and commit move no revision, deleting does; no precondition counts (upstreams F2)", async () => {
    const draft = await givenDraft();
    const before = await revisionOf(draft);
    const headers = { "if-match": "999" };
    expect((await ada.post(`${draft}/files`, [{ key: "a.txt" }], { headers })).status).toBe(201);
    expect((await ada.putBytes(`${draft}/files/a.txt/content`, "hello", { headers })).status).toBe(200);
    const done = await ada.post(`${draft}/files/a.txt/commit`, undefined, { headers });
    expect(done.body).toMatchObject({ status: "completed", checksum: md5("hello"), size: 5 });
    expect(await revisionOf(draft)).toBe(before);
    expect((await ada.delete(`${draft}/files/a.txt`, undefined, { headers })).status).toBe(204);
    expect(await revisionOf(draft)).toBe(before + 2);
  });

  test("the init of a name that is there is 400 (upstreams F8)", async () => {
    const draft = await givenDraft();
    await ada.post(`${draft}/files`, [{ key: "a.txt" }]);
    const again = await ada.post(`${draft}/files`, [{ key: "a.txt" }]);
    expect(again).toMatchObject({ status: 400, body: { message: "File with key a.txt already exists." } });
  });

  test("PUT to a completed file answers 200 with errors as a text, and the file is gone (upstreams F10)", async () => {
    const draft = await givenDraft();
    await upload(draft, "a.txt", "hello");
    const put = await ada.putBytes(`${draft}/files/a.txt/content`, "other");
    expect(put).toMatchObject({ status: 200, body: { status: "completed", errors: failed } });
    expect((await ada.get(`${draft}/files/a.txt`)).status).toBe(404);
  });

  test("a broken upload leaves the entry pending: commit is 500, PUT again works (upstreams F10)", async () => {
    const draft = await givenDraft();
    await ada.post(`${draft}/files`, [{ key: "a.txt" }]);
    const { port } = new URL(fake.url);
    await new Promise<void>((resolve) => {
      const headers = {
        authorization: `Bearer ${token}`,
        "content-type": "application/octet-stream",
        "content-length": 1000,
      };
      const call = request({ port, method: "PUT", path: `${draft}/files/a.txt/content`, headers });
      call.on("error", () => resolve());
      call.write("half", () => setImmediate(() => call.destroy(new Error("cut"))));
    });
    await expect
      .poll(() => fake.site.calls.some(({ path, status }) => path.endsWith("a.txt/content") && status === 200))
      .toBe(true);
    expect((await ada.get(`${draft}/files/a.txt`)).body.status).toBe("pending");
    expect((await ada.post(`${draft}/files/a.txt/commit`)).status).toBe(500);
    expect((await ada.get(`${draft}/files/a.txt/content`)).status).toBe(500);
    await ada.putBytes(`${draft}/files/a.txt/content`, "whole");
    expect((await ada.get(`${draft}/files/a.txt`)).body).not.toHaveProperty("size");
    expect((await ada.post(`${draft}/files/a.txt/commit`)).body.checksum).toBe(md5("whole"));
  });

  test("slashes in names work, literal and encoded (upstreams F10)", async () => {
    const draft = await givenDraft();
    await ada.post(`${draft}/files`, [{ key: "raw/day 1.txt" }]);
    expect((await ada.putBytes(`${draft}/files/raw%2Fday%201.txt/content`, "x")).status).toBe(200);
    expect((await ada.post(`${draft}/files/raw/day%201.txt/commit`)).body.key).toBe("raw/day 1.txt");
  });

  test("parts: a commit with one missing is 200 completed, the checksum is null for seconds (upstreams F11, F12)", async () => {
    const draft = await givenDraft();
    const transfer = { type: "M", parts: 2, part_size: 5 };
    const made = await ada.post(`${draft}/files`, [{ key: "m.bin", size: 8, transfer }]);
    expect(made.body.entries[0].links.parts).toHaveLength(2);
    const wrong = await ada.putBytes(`${draft}/files/m.bin/content/1`, "123");
    expect(wrong).toMatchObject({ status: 200, body: { errors: failed } });
    expect((await ada.putBytes(`${draft}/files/m.bin/content/1`, "12345")).body).not.toHaveProperty("errors");
    const done = await ada.post(`${draft}/files/m.bin/commit`);
    expect(done).toMatchObject({ status: 200, body: { status: "completed", size: 8, checksum: null } });
    fake.site.clock.advance(5_000);
    expect((await ada.get(`${draft}/files/m.bin`)).body.checksum).toBe(md5("12345\0\0\0"));
  });

  test("Zenodo takes the init of parts and refuses the parts (upstreams F12)", async () => {
    const zenodo = await givenFakeInvenio({ profile: "zenodo" });
    const { client } = zenodo.person("ada");
    const draft = await givenDraft(client);
    const transfer = { type: "M", parts: 2, part_size: 5 };
    expect((await client.post(`${draft}/files`, [{ key: "m.bin", size: 8, transfer }])).status).toBe(201);
    expect((await client.putBytes(`${draft}/files/m.bin/content/1`, "12345")).status).toBe(403);
  });

  test("Range is off: 200 and the whole file; Zenodo has it; content answers 304 (upstreams F13, F1)", async () => {
    const zenodo = await givenFakeInvenio({ profile: "zenodo" });
    for (const [client, status, text] of [
      [ada, 200, "0123456789"],
      [zenodo.person("ada").client, 206, "234"],
    ] as const) {
      const draft = await givenDraft(client);
      await upload(draft, "a.txt", "0123456789", client);
      const part = await client.get(`${draft}/files/a.txt/content`, { headers: { range: "bytes=2-4" } });
      expect(part).toMatchObject({ status, text });
      expect(part.headers.has("accept-ranges")).toBe(status === 206);
      const headers = { "if-none-match": part.headers.get("etag") ?? "" };
      expect((await client.get(`${draft}/files/a.txt/content`, { headers })).status).toBe(304);
    }
  });

  test("14 lists ZIPs itself; members with mangled names are 500; 13 has no such thing (upstreams F13)", async () => {
    const draft = await givenDraft();
    await upload(draft, "z.zip", await fixtureBytes("python.zip"));
    const { body } = await ada.get(`${draft}/files/z.zip/container`);
    const [first] = body.entries;
    expect(body).toMatchObject({ total: body.entries.length, truncated: false });
    expect(first).toMatchObject({ key: expect.any(String), crc: expect.any(Number) });
    expect((await ada.get(`${draft}/files/z.zip`)).body.links.container).toMatch(/z\.zip\/container$/);
    const at = (zip: string, key: string) =>
      `${draft}/files/${zip}/container/${key.split("/").map(encodeURIComponent).join("/")}`;
    const read = await ada.get(at("z.zip", first.key), { headers: { range: "bytes=0-1" } });
    expect(read).toMatchObject({ status: 200, bytes: { length: first.size } });
    await upload(draft, "old.zip", await fixtureBytes("info-zip.zip"));
    const old = await ada.get(`${draft}/files/old.zip/container`);
    const mangled = old.body.entries.find(({ key }: { key: string }) => /[\u0100-\uffff]/.test(key));
    expect((await ada.get(at("old.zip", mangled.key))).status).toBe(500);
    const older = await givenFakeInvenio({ profile: "invenio-13" });
    const { client } = older.person("ada");
    const other = await givenDraft(client);
    await upload(other, "z.zip", await fixtureBytes("python.zip"), client);
    expect((await client.get(`${other}/files/z.zip/container`)).status).toBe(404);
    expect((await client.get(`${other}/files/z.zip`)).body.links).not.toHaveProperty("container");
  });

  test("a listing of a ZIP is cut off, a large one refused with 999, one that is none 500 (upstreams F13)", async () => {
    const site = await givenFakeInvenio();
    const { client } = site.person("ada");
    const draft = await givenDraft(client);
    await upload(draft, "z.zip", await fixtureBytes("info-zip.zip"), client);
    await upload(draft, "bad.zip", "no ZIP", client);
    await upload(draft, "a.txt", "hello", client);
    const listed = (key: string) => client.get(`${draft}/files/${key}/container`);
    const { entries, directories } = (await listed("z.zip")).body;
    expect(directories).toContainEqual(expect.objectContaining({ key: "hollow", entries: null }));
    site.site.switches.listedMembers = 2;
    const cut = (await listed("z.zip")).body;
    expect(cut.truncated).toBe(true);
    expect(cut.entries.length + cut.directories.length).toBe(2);
    expect(cut.total).toBeLessThan(entries.length);
    site.site.switches.archiveBytes = 1;
    expect(await listed("z.zip")).toMatchObject({
      status: 999,
      body: { message: expect.stringMatching(/^Invalid file content for file/) },
    });
    expect((await listed("bad.zip")).status).toBe(500);
    expect(await listed("a.txt")).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^No extractor found/) },
    });
  });

  test("record files know application/json alone (upstreams F15)", async () => {
    const draft = await givenDraft();
    await upload(draft, "a.txt", "hello");
    await ada.post(`${draft}/actions/publish`);
    const files = `${draft.replace("/draft", "")}/files`;
    expect((await ada.get(files, { headers: { accept: vendor } })).status).toBe(406);
    const both = await ada.get(files, { headers: { accept: `${vendor}, application/json;q=0.9` } });
    expect(both).toMatchObject({ status: 200, body: { entries: [{ checksum: md5("hello") }] } });
  });

  test("a second import is 400 `Please remove all files first.` (upstreams F8)", async () => {
    const draft = await givenDraft();
    await upload(draft, "a.txt", "hello");
    await ada.post(`${draft}/actions/publish`);
    const { body: next } = await ada.post(`${draft.replace("/draft", "")}/versions`);
    const at = `/api/records/${next.id}/draft/actions/files-import`;
    expect(await ada.post(at)).toMatchObject({
      status: 201,
      body: { entries: [{ key: "a.txt", status: "completed" }] },
    });
    expect(await ada.post(at)).toMatchObject({
      status: 400,
      body: { errors: [{ field: "files.enabled", messages: ["Please remove all files first."] }] },
    });
  });

  test("100 files and no more; the quota is 413; Zenodo takes no empty file (upstreams F20)", async () => {
    const draft = await givenDraft();
    const keys = Array.from({ length: 100 }, (_, at) => ({ key: `${at}.txt` }));
    expect((await ada.post(`${draft}/files`, keys)).status).toBe(201);
    expect((await ada.post(`${draft}/files`, [{ key: "one more" }])).status).toBe(400);
    fake.site.switches.quotaBytes = 3;
    expect((await ada.putBytes(`${draft}/files/1.txt/content`, "hello")).status).toBe(413);
    fake.site.switches.quotaBytes = undefined;
    const zenodo = await givenFakeInvenio({ profile: "zenodo" });
    const { client } = zenodo.person("ada");
    const other = await givenDraft(client);
    await client.post(`${other}/files`, [{ key: "empty" }]);
    expect((await client.putBytes(`${other}/files/empty/content`, "")).status).toBe(400);
  });

  test("the files of a published record are fixed, in an edit of it too (upstreams F8)", async () => {
    const draft = await givenDraft();
    await upload(draft, "a.txt", "hello");
    await ada.post(`${draft}/actions/publish`);
    await ada.post(draft);
    const locked = { status: 403, body: { message: "Bucket is locked for modifications." } };
    expect(await ada.post(`${draft}/files`, [{ key: "b.txt" }])).toMatchObject(locked);
    expect(await ada.delete(`${draft}/files/a.txt`)).toMatchObject(locked);
    expect(await ada.putBytes(`${draft}/files/a.txt/content`, "hello")).toMatchObject(locked);
  });

  test("a pending file keeps the draft from being published (upstreams F4)", async () => {
    const draft = await givenDraft();
    await ada.post(`${draft}/files`, [{ key: "a.txt" }]);
    expect(await ada.post(`${draft}/actions/publish`)).toMatchObject({
      status: 400,
      body: { errors: [{ field: "files" }] },
    });
  });
});
