import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { addFile, fileOf, filesOf, givenDraft, givenRecord } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";

const md5OfNothing = "md5:d41d8cd98f00b204e9800998ecf8427e";

describe.each(roles)("files of drafts on the %s", (role) => {
  let api: Api;
  let alice: HttpClient;
  let id: string;
  beforeAll(async () => {
    api = await startApi(role);
    alice = await api.as("alice");
    return () => api.close();
  });
  beforeEach(async () => {
    id = await givenDraft(alice);
  });

  test("init, content, commit make a completed entry (records 6.1)", async () => {
    const init = await alice.post(filesOf(id), [{ key: "data.csv", metadata: { part: 1 } }]);
    expect(init.status).toBe(201);
    expect(init.body).toMatchObject({
      enabled: true,
      default_preview: null,
      order: [],
      links: { self: filesOf(id), archive: `${filesOf(id)}-archive` },
      entries: [{ key: "data.csv", status: "pending", metadata: { part: 1 }, access: { hidden: false } }],
    });
    expect(init.body.entries[0]).not.toHaveProperty("checksum");
    const { links } = init.body.entries[0];
    expect(links).toEqual({
      self: `${filesOf(id)}/data.csv`,
      content: `${filesOf(id)}/data.csv/content`,
      commit: `${filesOf(id)}/data.csv/commit`,
    });
    const put = await alice.putBytes(links.content, "a,b\n");
    expect(put).toMatchObject({ status: 200, body: { status: "pending" } });
    const commit = await alice.post(links.commit);
    expect(commit.status).toBe(200);
    expect(commit.body).toMatchObject({
      status: "completed",
      checksum: "md5:f69f5b72bc79a92dc70c63c9aa142e36",
      mimetype: "text/csv",
      size: 4,
      storage_class: "L",
      transfer: { type: "L" },
    });
    for (const name of ["file_id", "version_id", "bucket_id"]) expect(commit.body[name]).toMatch(/^[0-9a-f-]{36}$/);
    const again = await alice.post(links.commit);
    expect(again.status).toBe(200);
    // A replica shows the server's time once it has received it.
    const { updated: _updated, ...entry } = commit.body;
    expect(again.body).toMatchObject(entry);
    expect((await alice.get(links.self)).body).toMatchObject(entry);
    expect((await alice.get(links.content)).text).toBe("a,b\n");
  });

  test("PUT of an entry replaces its metadata, unknown keys are 400 (records 6.1)", async () => {
    await alice.post(filesOf(id), [{ key: "a" }]);
    expect((await alice.get(fileOf(id, "a"))).body.metadata).toBeNull();
    const put = await alice.put(fileOf(id, "a"), { metadata: { note: "x" } });
    expect(put).toMatchObject({ status: 200, body: { metadata: { note: "x" } } });
    expect((await alice.put(fileOf(id, "a"), { metadata: {}, key: "b" })).status).toBe(400);
    expect((await alice.put(fileOf(id, "nowhere"), { metadata: {} })).status).toBe(404);
  });

  test("DELETE removes one or all, and a name may come again (records 6.1, 6.4)", async () => {
    await addFile(alice, id, "a.txt", "one");
    await addFile(alice, id, "b.txt", "two");
    expect((await alice.delete(fileOf(id, "a.txt"))).status).toBe(204);
    expect((await alice.delete(fileOf(id, "a.txt"))).status).toBe(404);
    await addFile(alice, id, "a.txt", "three");
    expect((await alice.get(`${fileOf(id, "a.txt")}/content`)).text).toBe("three");
    expect((await alice.delete(filesOf(id))).status).toBe(204);
    expect((await alice.get(filesOf(id))).body.entries).toEqual([]);
  });

  test("wrong methods are 405 with Allow (records 6.1)", async () => {
    const answer = await alice.put(filesOf(id), {});
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toContain("POST");
    await alice.post(filesOf(id), [{ key: "a" }]);
    expect((await alice.get(`${fileOf(id, "a")}/commit`)).status).toBe(405);
    expect((await alice.post(fileOf(id, "a"), {})).status).toBe(405);
  });

  test.each([
    ["no array", {}, "0._schema"],
    ["an item that is no object", ["a"], "0._schema"],
    ["no key", [{}], "0.key"],
    ["an unknown key", [{ key: "a", colour: "red" }], "0.colour"],
    ["an empty name", [{ key: "" }], "0.key"],
    ["a long name", [{ key: "a".repeat(256) }], "0.key"],
    ["a control character", [{ key: "a\nb" }], "0.key"],
    ["a control character of the second set", [{ key: "a\u0085b" }], "0.key"],
    ["a leading slash", [{ key: "/a" }], "0.key"],
    ["a backslash", [{ key: "a\\b" }], "0.key"],
    ["an empty part", [{ key: "a//b" }], "0.key"],
    ["a dot part", [{ key: "ok" }, { key: "a/../b" }], "1.key"],
  ])("init with %s is 400 with the field (records 6.2, 6.3)", async (_what, body, field) => {
    const answer = await alice.post(filesOf(id), body);
    expect(answer).toMatchObject({ status: 400, body: { message: "A validation error occurred." } });
    expect(answer.body.errors[0].field).toBe(field);
    expect((await alice.get(filesOf(id))).body.entries).toEqual([]);
  });

  test("init of nothing, of a name twice or there already is 400, and nothing is kept (records 6.3)", async () => {
    expect((await alice.post(filesOf(id), [])).status).toBe(400);
    await alice.post(filesOf(id), [{ key: "a" }]);
    for (const body of [
      [{ key: "b" }, { key: "a" }],
      [{ key: "a" }, { key: "a" }],
    ]) {
      const answer = await alice.post(filesOf(id), body);
      expect(answer).toMatchObject({ status: 400, body: { message: "File with key a already exists." } });
      expect(answer.body).not.toHaveProperty("errors");
    }
    expect((await alice.get(filesOf(id))).body.entries).toHaveLength(1);
  });

  test.each(["F", "R", "M"])("transfer type %s is 403 (records 6.3)", async (type) => {
    expect((await alice.post(filesOf(id), [{ key: "a", transfer: { type, url: "x" } }])).status).toBe(403);
    expect((await alice.post(filesOf(id), [{ key: "a", transfer: { type: "L" } }])).status).toBe(201);
  });

  test("a metadata-only draft takes no files (records 6.3)", async () => {
    const plain = await givenDraft(alice, { isFilesEnabled: false });
    const answer = await alice.post(filesOf(plain), [{ key: "a" }]);
    expect(answer).toMatchObject({ status: 403, body: { message: "Files are not enabled." } });
    const links = { self: filesOf(plain), archive: `${filesOf(plain)}-archive` };
    expect((await alice.get(filesOf(plain))).body).toEqual({ enabled: false, links });
  });

  test("names in any script, with slashes, in links and addresses (records 6.2)", async () => {
    const key = "été/日本 #1?.txt";
    const { body } = await addFile(alice, id, key, "text");
    expect(body.links.self).toBe(`${filesOf(id)}/${encodeURIComponent(key)}`);
    const literal = key.split("/").map(encodeURIComponent).join("/");
    expect((await alice.get(`${filesOf(id)}/${literal}`)).body.key).toBe(key);
    expect((await alice.get(`${filesOf(id)}/${literal}/content`)).text).toBe("text");
    for (const closed of [`${literal}/`, `${encodeURIComponent(key)}/`]) {
      expect((await alice.get(`${filesOf(id)}/${closed}`)).body.key, "one closing slash is ignored").toBe(key);
      expect((await alice.get(`${filesOf(id)}/${closed}content/`)).text).toBe("text");
      expect((await alice.get(`${filesOf(id)}/${closed}/`)).status).toBe(404);
    }
    expect((await alice.get(body.links.content)).text).toBe("text");
  });

  test("`content`, `commit` and `container` select the sub-route; the longest existing name wins (records 6.2)", async () => {
    const keys = ["a/content", "a", "a/container/commit", "a/container", "b/commit", "content/content", "content"];
    for (const key of keys) await addFile(alice, id, key, key);
    for (const { key, links } of (await alice.get(filesOf(id))).body.entries) {
      expect((await alice.get(links.self)).body.key, "the links of each file lead to it").toBe(key);
      expect((await alice.get(links.content)).text).toBe(key);
    }
    expect((await alice.get(`${filesOf(id)}/a/content`)).text).toBe("a");
    expect((await alice.get(`${filesOf(id)}/a/content/content`)).text).toBe("a/content");
    expect((await alice.get(`${filesOf(id)}/b/commit`)).body.key, "there is no file b").toBe("b/commit");
  });

  test("the collection lists names in order first, the rest by creation (records 6.6)", async () => {
    for (const key of ["a", "b", "c"]) await addFile(alice, id, key, key);
    const draft = (await alice.get(`/api/records/${id}/draft`)).body;
    await alice.put(`/api/records/${id}/draft`, {
      ...draft,
      files: { enabled: true, order: ["c"], default_preview: "b" },
    });
    const list = (await alice.get(filesOf(id))).body;
    expect(list.entries.map((entry: { key: string }) => entry.key)).toEqual(["c", "a", "b"]);
    expect(list).toMatchObject({ order: ["c"], default_preview: "b" });
    await alice.delete(fileOf(id, "c"));
    await alice.delete(fileOf(id, "b"));
    expect((await alice.get(filesOf(id))).body).toMatchObject({ order: [], default_preview: null });
  });

  test("an empty file may be uploaded (records 6.4)", async () => {
    await alice.post(filesOf(id), [{ key: "empty" }]);
    expect((await alice.putBytes(`${fileOf(id, "empty")}/content`, "")).status).toBe(200);
    const { body } = await alice.post(`${fileOf(id, "empty")}/commit`);
    expect(body).toMatchObject({ size: 0, checksum: md5OfNothing, mimetype: "application/octet-stream" });
    expect((await alice.get(`${fileOf(id, "empty")}/content`)).bytes).toHaveLength(0);
  });

  test("a published record's edit draft is locked (records 4.5)", async () => {
    const record = await givenRecord(alice, { "a.txt": "a" });
    await alice.post(`/api/records/${record}/draft`);
    const file = fileOf(record, "a.txt");
    expect((await alice.get(filesOf(record))).body.entries[0]).toMatchObject({ key: "a.txt", status: "completed" });
    expect((await alice.get(`${file}/content`)).text).toBe("a");
    const calls = [
      alice.post(filesOf(record), [{ key: "b" }]),
      alice.putBytes(`${file}/content`, "b"),
      alice.post(`${file}/commit`),
      alice.put(file, { metadata: {} }),
      alice.delete(file),
      alice.delete(filesOf(record)),
    ];
    for (const call of calls) {
      expect(await call).toMatchObject({ status: 403, body: { message: "Bucket is locked for modifications." } });
    }
  });

  test("files-import links the files of the previous version (records 4.4)", async () => {
    const first = await givenDraft(alice);
    await addFile(alice, first, "a.txt", "a");
    await addFile(alice, first, "b.txt", "b");
    const { body: draft } = await alice.get(`/api/records/${first}/draft`);
    const options = { enabled: true, order: ["b.txt"], default_preview: "b.txt" };
    await alice.put(`/api/records/${first}/draft`, { ...draft, files: options });
    expect((await alice.post(`/api/records/${first}/draft/actions/publish`)).status).toBe(202);
    const next = (await alice.post(`/api/records/${first}/versions`)).body.id;
    const action = `/api/records/${next}/draft/actions/files-import`;
    const answer = await alice.post(action);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ order: ["b.txt"], default_preview: "b.txt" });
    const imported = (await alice.get(`/api/records/${next}/draft`)).body;
    expect(imported.files).toMatchObject({ count: 2, order: ["b.txt"], default_preview: "b.txt" });
    const old = (await alice.get(`/api/records/${first}/files`)).body.entries;
    for (const [index, entry] of answer.body.entries.entries()) {
      const { key, checksum, size, file_id, metadata } = old[index];
      expect(entry).toMatchObject({ key, checksum, size, file_id, metadata, status: "completed" });
      expect(entry.version_id).not.toBe(old[index].version_id);
      expect(entry.bucket_id).not.toBe(old[index].bucket_id);
    }
    const again = await alice.post(action);
    expect(again.body.errors).toEqual([{ field: "files.enabled", messages: ["Please remove all files first."] }]);
    expect((await alice.delete(fileOf(next, "a.txt"))).status).toBe(204);
    expect((await alice.get(`/api/records/${first}/files/a.txt/content`)).text).toBe("a");
    expect((await alice.post(`/api/records/${id}/draft/actions/files-import`)).status).toBe(404);
  });

  test("a draft that is not there, and an id never issued, are 404 (records 4.6)", async () => {
    const record = await givenRecord(alice, { a: "a" });
    for (const one of [record, "xxxxx-xxx00"]) {
      expect(await alice.get(filesOf(one))).toMatchObject({
        status: 404,
        body: { message: "The persistent identifier does not exist." },
      });
    }
  });
});

describe("who may do what with draft files (records 2, 6.1)", () => {
  test("anonymous and unrelated people are 403, a missing file is 404 even to them", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    await addFile(alice, id, "a", "a");
    for (const stranger of [api.anonymous, await api.as("bob")]) {
      expect((await stranger.get(filesOf(id))).status).toBe(403);
      expect((await stranger.post(filesOf(id), [{ key: "b" }])).status).toBe(403);
      expect((await stranger.post(filesOf(id), {})).status).toBe(403);
      expect((await stranger.get(fileOf(id, "a"))).status).toBe(403);
      expect((await stranger.get(`${fileOf(id, "a")}/content`)).status).toBe(403);
      expect((await stranger.putBytes(`${fileOf(id, "a")}/content`, "b")).status).toBe(403);
      expect((await stranger.delete(fileOf(id, "a"))).status).toBe(403);
      expect((await stranger.get(fileOf(id, "nowhere"))).status).toBe(404);
      expect((await stranger.get(`/api/records/${id}/draft/files-archive`)).status).toBe(403);
    }
  });

  test("more files than the setting allows are 400 (records 6.3)", async () => {
    const api = await startApi("server", { settings: { max_files: 2 } });
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    const answer = await alice.post(filesOf(id), [{ key: "a" }, { key: "b" }, { key: "c" }]);
    expect(answer).toMatchObject({
      status: 400,
      body: { message: "Uploading selected files will result in exceeding the max amount per record.", max_files: 2 },
    });
    expect((await alice.post(filesOf(id), [{ key: "a" }, { key: "b" }])).status).toBe(201);
  });
});
