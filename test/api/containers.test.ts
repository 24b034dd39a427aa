import { buffer } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { listAll } from "../../shared/containers/container-listing.ts";
import { openMember } from "../../shared/containers/zip-member.ts";
import { readZipTree } from "../../shared/containers/zip-reader.ts";
import { type Api, roles, startApi } from "../support/api.ts";
import { bufferSource } from "../support/file-source.ts";
import { addFile, fixtureBytes, givenDraft, givenRecord } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";

const json = { headers: { accept: "application/json" } };

async function unzip(zip: Buffer): Promise<Record<string, string>> {
  const source = bufferSource(zip);
  const tree = await readZipTree(source, { maxMembers: 1000 });
  const content: Record<string, string> = {};
  for (const file of listAll(tree, 0, 1000).files) {
    content[tree.keyOf(file)] = String(await buffer(await openMember(source, tree.member(file))));
  }
  return content;
}

describe.each(roles)("containers on the %s (records 11)", (role) => {
  let api: Api;
  let alice: HttpClient;
  let id: string;
  let container: string;
  beforeAll(async () => {
    api = await startApi(role);
    alice = await api.as("alice");
    const names = [
      "info-zip",
      "empty",
      "encrypted",
      "truncated",
      "parent",
      "bad-crc",
      "sub-routes",
      "cp437",
      "nothing",
    ];
    const files: Record<string, Buffer | string> = { "notes.txt": "text" };
    for (const name of names) files[`${name}.zip`] = await fixtureBytes(`${name}.zip`);
    files["folder/upper.ZIP"] = await fixtureBytes("python.zip");
    id = await givenRecord(alice, files);
    container = `/api/records/${id}/files/info-zip.zip/container`;
    return () => api.close();
  });
  const of = (name: string) => `/api/records/${id}/files/${name}/container`;

  test("the root listing has all files and directories in archive order", async () => {
    const { status, body } = await alice.get(container);
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 5, truncated: false });
    expect(body.entries.map((entry: { key: string }) => entry.key)).toEqual([
      "readme.txt",
      "pictures/été 日本.svg",
      "data/table.csv",
      "data/empty.bin",
      "data/deep/er/leaf.json",
    ]);
    expect(body.entries[0]).toMatchObject({ size: 15, mimetype: "text/plain" });
    expect(body.entries[0].checksum).toMatch(/^crc:\d+$/);
    expect(body.entries[2].compressed_size).toBeLessThan(body.entries[2].size);
    const directories = Object.fromEntries(body.directories.map((one: { key: string }) => [one.key, one]));
    expect(Object.keys(directories).sort()).toEqual(["data", "data/deep", "data/deep/er", "hollow", "pictures"]);
    expect(directories.data.entries).toEqual(["data/table.csv", "data/empty.bin"]);
    expect(directories.hollow.entries).toEqual([]);
    expect(directories.data.links.content).toBe(`${alice.url}${container}/data`);
    expect((await alice.get(body.entries[1].links.content)).text).toContain("<svg");
  });

  test("a member is sent as it is, whatever Accept says", async () => {
    for (const accept of ["*/*", "application/json", "application/zip"]) {
      const answer = await alice.get(`${container}/data/table.csv`, { headers: { accept, range: "bytes=0-1" } });
      expect(answer.status).toBe(200);
      expect(answer.bytes).toHaveLength(2004);
      expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(answer.headers.get("content-disposition")).toBe('attachment; filename="table.csv"');
      expect(answer.headers.get("content-length")).toBe("2004");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    }
    const closed = await alice.get(`${container}/readme.txt/`);
    expect(closed.text, "one closing slash is ignored").toBe((await alice.get(`${container}/readme.txt`)).text);
  });

  test("a directory is a listing by Accept, otherwise a ZIP with relative names", async () => {
    for (const path of ["data", "data/"]) {
      const listing = await alice.get(`${container}/${path}`, json);
      expect(listing.headers.get("content-type")).toMatch(/^application\/json/);
      expect(listing.body.total).toBe(3);
      expect(listing.body.directories.map((one: { key: string }) => one.key)).toEqual(["data/deep", "data/deep/er"]);
      const zip = await alice.get(`${container}/${path}`);
      expect(zip.headers.get("content-type")).toBe("application/zip");
      expect(zip.headers.get("content-disposition")).toBe('attachment; filename="data.zip"');
      expect(zip.headers.get("content-length")).toBeNull();
      const content = await unzip(zip.bytes);
      expect(Object.keys(content).sort()).toEqual(["deep/er/leaf.json", "empty.bin", "table.csv"]);
      expect(content["deep/er/leaf.json"]).toBe('{"leaf": true}\n');
    }
    const both = "application/zip, application/json;q=0.5";
    expect((await alice.get(`${container}/data`, { headers: { accept: both } })).headers.get("content-type")).toBe(
      "application/zip",
    );
    const vendor = { headers: { accept: "application/vnd.inveniordm.v1+json" } };
    expect((await alice.get(`${container}/data`, vendor)).body.total).toBe(3);
  });

  test("depth, q, page and size browse large archives", async () => {
    const flat = (await alice.get(`${container}?depth=1`)).body;
    expect((await alice.get(`${container}/?depth=1`)).body).toEqual(flat);
    expect(flat.entries.map((entry: { key: string }) => entry.key)).toEqual(["readme.txt"]);
    const data = flat.directories.find((one: { key: string }) => one.key === "data");
    expect(data).toMatchObject({ entries: [], count: 3, size: 2019 });
    const found = (await alice.get(`${container}?q=LEAF`)).body;
    expect(found).toMatchObject({ total: 1, truncated: false, entries: [{ key: "data/deep/er/leaf.json" }] });
    let next: string | undefined = `${container}?size=2`;
    const keys: string[] = [];
    const pages: boolean[] = [];
    while (next !== undefined) {
      const { body }: { body: { entries: { key: string }[]; truncated: boolean; links?: { next?: string } } } =
        await alice.get(next);
      keys.push(...body.entries.map((entry) => entry.key));
      pages.push(body.truncated);
      next = body.links?.next;
    }
    expect(keys).toHaveLength(5);
    expect(pages).toEqual([true, true, false]);
    for (const query of ["page=0", "size=x", "size=10001", "depth=2"]) {
      expect((await alice.get(`${container}?${query}`)).status, query).toBe(400);
    }
  });

  test("paths named like sub-routes stay reachable (records 6.2)", async () => {
    const inner = of("sub-routes.zip");
    expect((await alice.get(`${inner}/content/a.txt`)).text).toBe("a");
    expect((await alice.get(`${inner}/container/b.txt`)).text).toBe("b");
    expect((await alice.get(`${inner}/commit`)).text).toBe("c");
    expect((await alice.get(`${inner}/content`, json)).body.total).toBe(1);
    expect((await alice.get(`/api/records/${id}/files/folder/upper.ZIP/container/readme.txt`)).status).toBe(200);
    expect((await alice.get(`${of("cp437.zip")}/${encodeURIComponent("café.txt")}`)).text).toBe("coffee");
  });

  test.each([
    "nowhere.txt",
    "data//table.csv",
    "data%2F..%2Freadme.txt",
    ".%2Freadme.txt",
    "readme.txt//",
    "data/nowhere/",
  ])("a path that is no member is 404: %s", async (path) => {
    const answer = await alice.get(`${container}/${path}`);
    expect(answer.status).toBe(404);
    expect(answer.body.message).toMatch(new RegExp(`^Record '${id}' has no file '`));
  });

  test("problems of an archive are 400 in words, and its download goes on", async () => {
    expect(await alice.get(of("notes.txt"))).toMatchObject({
      status: 400,
      body: { message: "No extractor found for the file 'notes.txt'." },
    });
    for (const name of ["truncated.zip"]) {
      for (const path of [of(name), `${of(name)}/good.txt`]) {
        const answer = await alice.get(path);
        expect(answer.status).toBe(400);
        expect(answer.body.message).toMatch(new RegExp(`^Invalid file content for file '${name}': .+\\.$`));
      }
      expect((await alice.get(`/api/records/${id}/files/${name}/content`)).status).toBe(200);
    }
    // The unsafe member is listed and refused, the other one opens (app M10).
    const { body: unsafe } = await alice.get(of("parent.zip"));
    expect(unsafe.entries).toMatchObject([
      { key: "good.txt", links: { content: expect.stringContaining("/container/good.txt") } },
      { key: "../evil.txt", links: {}, metadata: { error: expect.stringContaining("leads out of the archive") } },
    ]);
    expect(unsafe.directories).toEqual([]);
    expect((await alice.get(`${of("parent.zip")}/good.txt`)).text).toBe("good");
    for (const path of ["..%2Fevil.txt", "%2E%2E%2Fevil.txt", "a/..%2F..%2Fevil.txt"])
      expect((await alice.get(`${of("parent.zip")}/${path}`)).status).toBe(404);
    expect((await alice.get(of("nowhere.zip"))).status).toBe(404);
    expect((await alice.get(of("empty.zip"))).body).toEqual({
      entries: [],
      directories: [],
      total: 0,
      truncated: false,
    });
  });

  test("an encrypted member is listed; opening it or a ZIP with it is 400", async () => {
    const encrypted = of("encrypted.zip");
    expect((await alice.get(encrypted)).body.total).toBe(3);
    for (const path of ["data/table.csv", "data"]) {
      const answer = await alice.get(`${encrypted}/${path}`);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toMatch(/^Invalid file content for file 'encrypted.zip': /);
    }
    expect((await alice.get(`${encrypted}/readme.txt`)).text).toBe("Read me first.\n");
    expect((await alice.get(`${encrypted}/data/deep`)).status).toBe(200);
  });

  test("who has not got the bytes sees the same of empty members and of a file of no bytes (hosts-and-sync 3)", async () => {
    const bob = await api.as("bob");
    expect(await bob.get(`${container}/data/empty.bin`)).toMatchObject({ status: 200, text: "" });
    const [bobs, alices] = [await bob.get(`${container}/data`), await alice.get(`${container}/data`)];
    expect(await unzip(bobs.bytes)).toEqual(await unzip(alices.bytes));
    const broken = await bob.get(of("nothing.zip"));
    expect(broken.status).toBe(400);
    expect(broken.body.message).toMatch(/^Invalid file content for file 'nothing.zip': /);
    expect(await bob.get(`/api/records/${id}/files/nothing.zip/content`)).toMatchObject({ status: 200, text: "" });
  });

  test("a CRC mismatch cuts the connection", async () => {
    await expect(alice.get(`${of("bad-crc.zip")}/stored.txt`)).rejects.toThrow();
  });

  test("other methods are 405, drafts have no container (records 11)", async () => {
    expect((await alice.post(container)).status).toBe(405);
    expect((await alice.head(container)).status).toBe(200);
    expect((await alice.head(`${container}/readme.txt`)).headers.get("content-length")).toBe("15");
    const draft = await givenDraft(alice);
    await addFile(alice, draft, "a.zip", await fixtureBytes("python.zip"));
    expect((await alice.get(`/api/records/${draft}/draft/files/a.zip/container`)).status).toBe(404);
    const twin = `/api/sync/drafts/${draft}/files/a.zip/container`;
    expect((await alice.get(twin)).body.total).toBe(5);
    expect((await alice.get(`${twin}/readme.txt`)).text).toBe("Read me first.\n");
    expect(Object.keys(await unzip((await alice.get(`${twin}/data`)).bytes))).toContain("table.csv");
    expect((await alice.get(`/api/sync/drafts/${draft}/files/a.zip`)).status).toBe(404);
    if (role === "server") expect((await (await api.as("bob")).get(twin)).status).toBe(403);
  });
});

describe("container limits (records 11)", () => {
  test.each(roles)(
    "a listing over its limit is truncated, an archive over its limit refused on the %s",
    async (role) => {
      const settings = { container_listing_limit: 3, container_member_limit: 9 };
      const api = await startApi(role, { settings });
      const alice = await api.withSettings("alice");
      const files = { "a.zip": await fixtureBytes("python.zip"), "b.zip": await fixtureBytes("info-zip.zip") };
      const id = await givenRecord(alice, files);
      const { body } = await alice.get(`/api/records/${id}/files/a.zip/container`);
      expect(body).toMatchObject({ total: 5, truncated: true });
      expect(body.entries.length + body.directories.length).toBe(3);
      expect(body.entries.map((entry: { key: string }) => entry.key)).toEqual(["readme.txt", "data/table.csv"]);
      expect((await alice.get(`/api/records/${id}/files/b.zip/container`)).status).toBe(400);
    },
  );
});
