import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { addFile, fileOf, filesOf, givenDraft, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";

const renameOf = (id: string) => `/api/records/${id}/draft/actions/files-rename`;
const removeOf = (id: string) => `/api/records/${id}/draft/actions/files-remove`;

describe.each(roles)("files of drafts renamed and removed together on the %s (app M25)", (role) => {
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

  const collection = async () => (await alice.get(filesOf(id))).body;
  const keys = async () => (await collection()).entries.map(({ key }: { key: string }) => key);
  const contentOf = async (key: string) => (await alice.get(`${fileOf(id, key)}/content`)).text;
  const rename = (...pairs: [key: string, new_key: string][]) =>
    alice.post(
      renameOf(id),
      pairs.map(([key, new_key]) => ({ key, new_key })),
    );
  const setOptions = async (files: object) => {
    const { body } = await alice.get(`/api/records/${id}/draft`);
    must(await alice.put(`/api/records/${id}/draft`, { ...body, files }), 200);
  };

  test("a folder is renamed by all its files: bytes, description, preview and order stay", async () => {
    const { version_id } = (await addFile(alice, id, "raw/a.txt", "one")).body;
    await addFile(alice, id, "raw/deep/b.csv", "two");
    await addFile(alice, id, "c.txt", "three");
    must(await alice.put(fileOf(id, "raw/a.txt"), { metadata: { part: 1 } }), 200);
    await setOptions({ enabled: true, default_preview: "raw/a.txt", order: ["raw/deep/b.csv", "c.txt"] });
    const answer = await rename(["raw/a.txt", "data/a.json"], ["raw/deep/b.csv", "data/deep/b.csv"]);
    expect(answer).toMatchObject({
      status: 200,
      body: { default_preview: "data/a.json", order: ["data/deep/b.csv", "c.txt"] },
    });
    expect(await keys()).toEqual(["data/deep/b.csv", "c.txt", "data/a.json"]);
    const { body: entry } = await alice.get(fileOf(id, "data/a.json"));
    expect(entry).toMatchObject({ version_id, metadata: { part: 1 }, size: 3, mimetype: "application/json" });
    expect(await contentOf("data/a.json")).toBe("one");
    expect((await alice.get(fileOf(id, "raw/a.txt"))).status).toBe(404);
  });

  test("names are exchanged in one step, and each keeps its bytes", async () => {
    await addFile(alice, id, "a.txt", "one");
    await addFile(alice, id, "b.txt", "two");
    must(await rename(["a.txt", "b.txt"], ["b.txt", "a.txt"]), 200);
    expect([await contentOf("a.txt"), await contentOf("b.txt")]).toEqual(["two", "one"]);
  });

  test("an upload goes on under the new name", async () => {
    must(await alice.post(filesOf(id), [{ key: "a.txt" }]), 201);
    must(await alice.putBytes(`${fileOf(id, "a.txt")}/content`, "one"), 200);
    must(await rename(["a.txt", "b.md"]), 200);
    expect((await alice.post(`${fileOf(id, "b.md")}/commit`)).body).toMatchObject({ key: "b.md", status: "completed" });
    expect(await contentOf("b.md")).toBe("one");
  });

  test.each([
    ["an unknown file", [["x.txt", "y.txt"]], "0.key"],
    [
      "a file listed twice",
      [
        ["a.txt", "c.txt"],
        ["a.txt", "d.txt"],
      ],
      "1.key",
    ],
    ["a taken name", [["a.txt", "b.txt"]], "0.new_key"],
    [
      "one name for two",
      [
        ["a.txt", "c.txt"],
        ["b.txt", "c.txt"],
      ],
      "1.new_key",
    ],
    ["a name that leaves its folder", [["a.txt", "../a.txt"]], "0.new_key"],
    ["an empty name", [["a.txt", ""]], "0.new_key"],
    ["a name that is too long", [["a.txt", "a".repeat(256)]], "0.new_key"],
  ] as [string, [string, string][], string][])(
    "%s is 400 on its field, and nothing is renamed",
    async (_, pairs, field) => {
      await addFile(alice, id, "a.txt", "one");
      await addFile(alice, id, "b.txt", "two");
      const { status, body } = await rename(...pairs);
      expect(status).toBe(400);
      expect(body.errors.map((problem: { field: string }) => problem.field)).toContain(field);
      expect(await keys()).toEqual(["a.txt", "b.txt"]);
    },
  );

  test("what is no list of names is 400; the files of a published record are locked", async () => {
    for (const body of [[], {}, [{ key: "a.txt" }], [{ key: "a.txt", new_key: "b.txt", more: 1 }]])
      expect((await alice.post(renameOf(id), body)).status).toBe(400);
    await addFile(alice, id, "a.txt", "one");
    must(await alice.post(`/api/records/${id}/draft/actions/publish`), 202);
    must(await alice.post(`/api/records/${id}/draft`), 201);
    expect((await rename(["a.txt", "b.txt"])).status).toBe(403);
    expect((await alice.post(removeOf(id), [{ key: "a.txt" }])).status).toBe(403);
  });

  test("a folder is downloaded as a ZIP of its files alone; one without files is 404", async () => {
    for (const key of ["raw/a.txt", "raw/deep/b.txt", "rawer.txt"]) await addFile(alice, id, key, key);
    const archive = `/api/records/${id}/draft/files-archive`;
    const answer = await alice.get(`${archive}?folder=raw`);
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="raw.zip"');
    expect(answer.text).toContain("raw/deep/b.txt");
    expect(answer.text).not.toContain("rawer.txt");
    expect((await alice.get(`${archive}?folder=deep`)).status).toBe(404);
  });

  test("several files are removed in one step and can be restored; an unknown name removes nothing", async () => {
    for (const key of ["a.txt", "b.txt", "c.txt"]) await addFile(alice, id, key, key);
    const unknown = await alice.post(removeOf(id), [{ key: "a.txt" }, { key: "x.txt" }]);
    expect(unknown).toMatchObject({ status: 400, body: { errors: [{ field: "1.key" }] } });
    expect(await keys()).toEqual(["a.txt", "b.txt", "c.txt"]);
    must(await alice.post(removeOf(id), [{ key: "a.txt" }, { key: "c.txt" }]), 204);
    expect(await keys()).toEqual(["b.txt"]);
    const removed = `/api/records/${id}/draft/removed-files`;
    for (const { version_id } of (await alice.get(removed)).body.entries)
      must(await alice.post(`${removed}/${version_id}/restore`), 200);
    expect((await keys()).toSorted()).toEqual(["a.txt", "b.txt", "c.txt"]);
  });
});
