import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { addFile, fileOf, filesOf, givenDraft, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";

const removedOf = (id: string) => `/api/records/${id}/draft/removed-files`;
const restoreOf = (id: string, version: string) => `${removedOf(id)}/${version}/restore`;

describe.each(roles)("files removed from drafts on the %s (app H2)", (role) => {
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

  const keys = async () => (await alice.get(filesOf(id))).body.entries.map(({ key }: { key: string }) => key);
  const removed = async () => (await alice.get(removedOf(id))).body.entries;
  const contentOf = async (key: string) => (await alice.get(`${fileOf(id, key)}/content`)).text;
  async function givenRemoved(key: string, bytes: string): Promise<string> {
    const { version_id } = (await addFile(alice, id, key, bytes)).body;
    expect((await alice.delete(fileOf(id, key))).status).toBe(204);
    return version_id;
  }

  test("a removed file is listed and can be restored with its description and place", async () => {
    const { version_id } = (await addFile(alice, id, "a.txt", "one")).body;
    await addFile(alice, id, "b.txt", "two");
    must(await alice.put(fileOf(id, "a.txt"), { metadata: { part: 1 } }), 200);
    const { body } = await alice.get(`/api/records/${id}/draft`);
    const files = { enabled: true, default_preview: "a.txt", order: ["b.txt", "a.txt"] };
    must(await alice.put(`/api/records/${id}/draft`, { ...body, files }), 200);
    must(await alice.delete(fileOf(id, "a.txt")), 204);
    expect(await keys()).toEqual(["b.txt"]);
    expect(await removed()).toMatchObject([{ version_id, key: "a.txt", size: 3, removed: expect.any(String) }]);
    const answer = await alice.post(restoreOf(id, version_id));
    expect(answer).toMatchObject({
      status: 200,
      body: { key: "a.txt", status: "completed", version_id, metadata: { part: 1 }, size: 3 },
    });
    expect((await alice.get(filesOf(id))).body).toMatchObject({ default_preview: "a.txt", order: files.order });
    expect(await contentOf("a.txt")).toBe("one");
    expect(await removed()).toEqual([]);
  });

  test("restoring twice restores once; the file can be removed and restored again", async () => {
    const version = await givenRemoved("a.txt", "one");
    for (const _time of [1, 2]) expect((await alice.post(restoreOf(id, version))).body.key).toBe("a.txt");
    expect(await keys()).toEqual(["a.txt"]);
    must(await alice.delete(fileOf(id, "a.txt")), 204);
    must(await alice.post(restoreOf(id, version)), 200);
    expect(await contentOf("a.txt")).toBe("one");
  });

  test("a file that took the name meanwhile stays; the restored one gets another name", async () => {
    const first = await givenRemoved("data/a.txt", "one");
    const second = await givenRemoved("data/a.txt", "two");
    await addFile(alice, id, "data/a.txt", "three");
    expect((await alice.post(restoreOf(id, first))).body.key).toBe("data/a (restored).txt");
    expect((await alice.post(restoreOf(id, second))).body.key).toBe("data/a (restored 2).txt");
    expect(await contentOf("data/a.txt")).toBe("three");
    expect(await contentOf("data/a (restored).txt")).toBe("one");
    expect(await contentOf("data/a (restored 2).txt")).toBe("two");
  });

  test("the same file added again meanwhile is not doubled: it gets the description and place of the removed one", async () => {
    const { version_id } = (await addFile(alice, id, "a.txt", "one")).body;
    await addFile(alice, id, "b.txt", "two");
    must(await alice.put(fileOf(id, "a.txt"), { metadata: { part: 1 } }), 200);
    const { body } = await alice.get(`/api/records/${id}/draft`);
    const files = { enabled: true, default_preview: "a.txt", order: ["a.txt", "b.txt"] };
    must(await alice.put(`/api/records/${id}/draft`, { ...body, files }), 200);
    must(await alice.delete(fileOf(id, "a.txt")), 204);
    await addFile(alice, id, "a.txt", "one");
    expect(await removed()).toMatchObject([{ version_id }]);
    for (const _time of [1, 2])
      expect((await alice.post(restoreOf(id, version_id))).body).toMatchObject({ key: "a.txt", metadata: { part: 1 } });
    expect((await alice.get(filesOf(id))).body).toMatchObject({ default_preview: "a.txt", order: files.order });
    expect(await keys()).toEqual(["a.txt", "b.txt"]);
    expect(await removed()).toEqual([]);
  });

  test("a file that was added again as it was is no longer listed as removed", async () => {
    await givenRemoved("a.txt", "one");
    await addFile(alice, id, "a.txt", "one");
    expect(await removed()).toEqual([]);
  });

  test("all files removed at once can be restored; an unfinished upload cannot", async () => {
    await addFile(alice, id, "a.txt", "one");
    await addFile(alice, id, "b.txt", "two");
    must(await alice.post(filesOf(id), [{ key: "c.txt" }]), 201);
    must(await alice.delete(filesOf(id)), 204);
    const removedFiles = await removed();
    expect(removedFiles.map(({ key }: { key: string }) => key).toSorted()).toEqual(["a.txt", "b.txt"]);
    for (const { version_id } of removedFiles) must(await alice.post(restoreOf(id, version_id)), 200);
    expect(await keys()).toEqual(["a.txt", "b.txt"]);
  });

  test("an unknown file is 404 with words, another method 405", async () => {
    const { status, body } = await alice.post(restoreOf(id, "5f0a1a86-5f6a-4d1c-9d38-0c7c5f6f7a11"));
    expect({ status, message: body.message }).toMatchObject({ status: 404, message: /kept for one day/ });
    expect((await alice.delete(removedOf(id))).status).toBe(405);
  });
});

describe("removed files and what becomes of their draft (app H2)", () => {
  test("the removed files go when the draft is published or discarded", async () => {
    const api = await startApi("server");
    try {
      const alice = await api.as("alice");
      const rows = () => api.server.host.db.selectFrom("removed_file").select("entry_id").execute();
      for (const end of ["publish", "discard"]) {
        const id = await givenDraft(alice);
        const { version_id } = (await addFile(alice, id, "a.txt", "one")).body;
        await addFile(alice, id, "b.txt", "two");
        must(await alice.delete(fileOf(id, "a.txt")), 204);
        expect(await rows()).toHaveLength(1);
        if (end === "publish") must(await alice.post(`/api/records/${id}/draft/actions/publish`), 202);
        else must(await alice.delete(`/api/records/${id}/draft`), 204);
        expect(await rows()).toEqual([]);
        expect((await alice.post(restoreOf(id, version_id))).status).toBe(404);
      }
    } finally {
      await api.close();
    }
  });
});
