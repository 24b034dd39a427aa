import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { listAll } from "../../shared/containers/container-listing.ts";
import { readZipTree } from "../../shared/containers/zip-reader.ts";
import { writeZip } from "../../shared/containers/zip-writer.ts";
import { type Api, roles, startApi } from "../support/api.ts";
import { bufferSource } from "../support/file-source.ts";
import { addFile, fileOf, filesOf, fixtureBytes, givenDraft, givenRecord } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";

const text = "0123456789";
const md5 = "781e5e245d69b566979b86e28d23f2c7";

async function namesIn(zip: Buffer): Promise<string[]> {
  const tree = await readZipTree(bufferSource(zip), { maxMembers: 1000 });
  return listAll(tree, 0, 1000).files.map((file) => tree.keyOf(file));
}

/** Its only member is so long that the answer begins before the wrong checksum is found. */
async function zipOfWrongSum(): Promise<Buffer> {
  const bytes = Buffer.alloc(4_000_000);
  const size = { sizeBytes: bytes.byteLength, compressedBytes: bytes.byteLength };
  const member = { name: "long", dosTime: 0, method: 0, crc32: 1, ...size, open: async () => Readable.from([bytes]) };
  return buffer(Readable.from(writeZip([member])));
}

describe.each(roles)("downloads on the %s (records 6.7)", (role) => {
  let api: Api;
  let alice: HttpClient;
  let id: string;
  beforeAll(async () => {
    api = await startApi(role);
    alice = await api.as("alice");
    id = await givenRecord(alice, { "a.txt": text, "page.html": "<b>", "x.bin": "bin", "dir/é.png": "png" });
    return () => api.close();
  });
  const content = (key: string) => `/api/records/${id}/files/${encodeURIComponent(key)}/content`;

  test("carries its headers, the same for a draft and for HEAD", async () => {
    const draft = await givenDraft(alice);
    await addFile(alice, draft, "a.txt", text);
    for (const url of [content("a.txt"), `${fileOf(draft, "a.txt")}/content`]) {
      const answer = await alice.get(url);
      expect(answer).toMatchObject({ status: 200, text });
      const headers = Object.fromEntries(answer.headers);
      expect(headers).toMatchObject({
        "content-length": "10",
        "content-md5": md5,
        etag: `"md5:${md5}"`,
        "accept-ranges": "bytes",
        "x-content-type-options": "nosniff",
      });
      expect(headers["content-type"]).toMatch(/^text\/plain/);
      expect(headers["content-disposition"]).toMatch(/^inline; filename="a.txt"$/);
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
      expect(headers["x-frame-options"]).toMatch(/deny|SAMEORIGIN/i);
      for (const name of ["last-modified", "date"]) expect(Date.parse(headers[name] ?? "")).not.toBeNaN();
      const head = await alice.head(url);
      expect(head).toMatchObject({ status: 200, text: "" });
      expect(head.headers.get("etag")).toBe(headers.etag);
      expect(head.headers.get("content-length")).toBe("10");
    }
  });

  test("active content is plain text, the unknown an attachment, ?download=1 forces one", async () => {
    const page = await alice.get(content("page.html"));
    expect(page.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(page.headers.get("content-disposition")).toMatch(/^inline/);
    expect((await alice.get(content("x.bin"))).headers.get("content-disposition")).toMatch(/^attachment/);
    const forced = await alice.get(`${content("a.txt")}?download=1`);
    expect(forced.headers.get("content-disposition")).toMatch(/^attachment/);
    expect((await alice.get(`/api/records/${id}/files/page.html`)).body.mimetype).toBe("text/html");
    expect((await alice.get(content("dir/é.png"))).headers.get("content-disposition")).toBe(
      `inline; filename="e.png"; filename*=UTF-8''%C3%A9.png`,
    );
  });

  test.each([
    ["bytes=2-4", 206, "234", "bytes 2-4/10"],
    ["bytes=7-", 206, "789", "bytes 7-9/10"],
    ["bytes=-2", 206, "89", "bytes 8-9/10"],
    ["bytes=0-1,4-5", 200, text, null],
    ["bytes=10-", 416, null, "bytes */10"],
    ["bytes=x", 416, null, "bytes */10"],
  ])("Range %s is answered %i", async (range, status, body, contentRange) => {
    const answer = await alice.get(content("a.txt"), { headers: { range } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-range")).toBe(contentRange);
    if (body !== null) expect(answer.text).toBe(body);
    else expect(answer.body).toMatchObject({ status: 416 });
  });

  test("If-None-Match with the ETag is 304", async () => {
    const answer = await alice.get(content("a.txt"), { headers: { "if-none-match": `"md5:${md5}"` } });
    expect(answer).toMatchObject({ status: 304, text: "" });
    expect((await alice.get(content("a.txt"), { headers: { "if-none-match": '"md5:x"' } })).status).toBe(200);
  });

  test("published files offer reading alone (records 6.5)", async () => {
    const files = `/api/records/${id}/files`;
    const list = await alice.get(files);
    expect(list.body.links).toEqual({ self: files, archive: `${files}-archive` });
    expect(list.body.entries[0].links).toEqual({ self: `${files}/a.txt`, content: `${files}/a.txt/content` });
    expect((await alice.get(`${files}/a.txt`)).body).toEqual(list.body.entries[0]);
    for (const [method, path] of [
      ["POST", files],
      ["PUT", `${files}/a.txt`],
      ["DELETE", `${files}/a.txt`],
      ["DELETE", files],
      ["PUT", `${files}/a.txt/content`],
      ["POST", `${files}/a.txt/commit`],
    ] as const) {
      expect((await alice.call(method, path)).status, `${method} ${path}`).toBe(405);
    }
    expect((await alice.post(`/api/records/${id}/actions/files-import`)).status).toBe(404);
    expect(await alice.get(`${files}/nowhere`)).toMatchObject({
      status: 404,
      body: { message: `Record '${id}' has no file 'nowhere'.` },
    });
  });

  test("files-archive is a ZIP of all files, of drafts the completed ones (records 6.1, 6.5)", async () => {
    const answer = await alice.get(`/api/records/${id}/files-archive`);
    expect(answer.headers.get("content-type")).toBe("application/zip");
    expect(answer.headers.get("content-disposition")).toBe(`attachment; filename=${id}.zip`);
    expect(await namesIn(answer.bytes)).toEqual(["a.txt", "page.html", "x.bin", "dir/é.png"]);
    const draft = await givenDraft(alice);
    await addFile(alice, draft, "done", "x");
    await alice.post(filesOf(draft), [{ key: "pending" }]);
    expect(await namesIn((await alice.get(`/api/records/${draft}/draft/files-archive`)).bytes)).toEqual(["done"]);
  });
});

describe("restricted files (records 2, 6.5)", () => {
  test.each(roles)("are 403 for who lacks view, while the public record stays readable, on the %s", async (role) => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenRecord(alice, { "a.zip": text }, { access: { record: "public", files: "restricted" } });
    const files = `/api/records/${id}/files`;
    for (const stranger of [api.anonymous, await api.as("bob")]) {
      expect((await stranger.get(`/api/records/${id}`)).status).toBe(200);
      for (const path of [
        files,
        `${files}/a.zip`,
        `${files}/a.zip/content`,
        `${files}-archive`,
        `${files}/a.zip/container`,
      ]) {
        expect((await stranger.get(path)).status, path).toBe(403);
      }
    }
    for (const stranger of [api.anonymous, await api.as("bob")]) {
      for (const path of ["nowhere", "nowhere/content", "nowhere/container", "nowhere/container/a/b"]) {
        const { status } = await stranger.get(`${files}/${path}`);
        expect([path, status], "a missing file, also for who would be refused (records 1.1)").toEqual([path, 404]);
      }
    }
    expect((await alice.get(`${files}/a.zip/content`)).status).toBe(200);
  });

  test("open with the token of a view link, which may be combined with nothing else (records 1.2, 11)", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const access = { record: "restricted", files: "restricted" } as const;
    const id = await givenRecord(alice, { "a.zip": await fixtureBytes("python.zip") }, { access });
    const link = await alice.post(`/api/records/${id}/access/links`, { permission: "view" });
    const files = `/api/records/${id}/files`;
    for (const path of [files, `${files}/a.zip/content`, `${files}/a.zip/container`, `${files}-archive`]) {
      expect((await api.anonymous.get(path)).status, path).toBe(403);
      expect((await api.anonymous.get(`${path}?token=nonsense`)).status, path).toBe(403);
      expect((await api.anonymous.get(`${path}?token=${link.body.token}`)).status, path).toBe(200);
    }
  });

  test.each(roles)(
    "what a link opens is read in ranges, sent in parts and cut where it breaks, on the %s",
    async (role) => {
      const api = await startApi(role);
      const [alice, bob] = [await api.as("alice"), await api.as("bob")];
      const access = { record: "restricted", files: "restricted" } as const;
      const draft = await givenDraft(alice, { access });
      await alice.post(filesOf(draft), [{ key: "parts" }]);
      const { token } = (await alice.post(`/api/records/${draft}/access/links`, { permission: "edit" })).body;
      await api.waitForSync();
      const parts = `${fileOf(draft, "parts")}/content?token=${token}`;
      const begun = await bob.putBytes(parts, text.slice(0, 4), {
        headers: { "upload-complete": "?0", "upload-length": "10" },
      });
      expect([begun.status, begun.headers.get("upload-offset")], "records 6.4.1").toEqual([201, "4"]);
      expect((await bob.head(parts)).headers.get("upload-offset")).toBe("4");
      const rest = { "content-type": "application/partial-upload", "upload-offset": "4", "upload-complete": "?1" };
      expect((await bob.call("PATCH", parts, text.slice(4), { headers: rest })).status).toBe(200);
      const broken = { "repr-digest": `sha-256=:${"A".repeat(43)}=:` };
      expect((await bob.putBytes(parts, "other", { headers: broken })).status).toBe(400);

      const id = await givenRecord(alice, { "a.txt": text, "b.zip": await zipOfWrongSum() }, { access });
      const link = `token=${(await alice.post(`/api/records/${id}/access/links`, { permission: "view" })).body.token}`;
      await api.waitForSync();
      const content = `${filesOf(id).replace("/draft", "")}/a.txt/content?${link}`;
      const cases: [Record<string, string>, number, string | null, string][] = [
        [{ range: "bytes=2-4" }, 206, "bytes 2-4/10", "234"],
        [{ range: "bytes=-3" }, 206, "bytes 7-9/10", "789"],
        [{ range: "bytes=2-4", "if-range": '"another"' }, 200, null, text],
        [{ range: "bytes=10-" }, 416, "bytes */10", ""],
      ];
      for (const [headers, status, range, sent] of cases) {
        const answer = await bob.get(content, { headers });
        const got = [answer.status, answer.headers.get("content-range"), status === 416 ? "" : answer.text];
        expect(got, `${JSON.stringify(headers)} (records 6.7)`).toEqual([status, range, sent]);
      }
      const member = `/api/records/${id}/files/b.zip/container/long?${link}`;
      await expect(bob.get(member), "a CRC mismatch (records 11)").rejects.toThrow();
    },
  );
});

describe("files of deleted records (records 4.7)", () => {
  test.each(roles)("are 410 for everybody, and read directly by administrators, on the %s", async (role) => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const admin = await api.as("admin");
    const id = await givenRecord(alice, { "a.zip": await fixtureBytes("python.zip") });
    expect((await admin.delete(`/api/records/${id}/delete`)).status).toBe(204);
    const files = `/api/records/${id}/files`;
    for (const path of [
      files,
      `${files}/a.zip`,
      `${files}/a.zip/content`,
      `${files}/a.zip/container`,
      `${files}-archive`,
    ]) {
      for (const person of [alice, await api.as("bob"), api.anonymous]) {
        const answer = await person.get(path);
        expect(answer.status, path).toBe(410);
        expect(answer.body).toMatchObject({ message: "Record deleted", tombstone: {} });
      }
      expect((await admin.get(path)).status, path).toBe(200);
    }
    expect((await alice.get(filesOf(id))).status).toBe(410);
  });
});
