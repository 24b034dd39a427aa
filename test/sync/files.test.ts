import { describe, expect, test, vi } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import { addFile, fileOf, filesOf, fixtureBytes, givenDraft, givenRecord } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";

const within = { timeout: 60_000, interval: 20 };

async function upToDate(client: HttpClient): Promise<void> {
  await vi.waitFor(async () => {
    expect((await client.get("/api/sync/status")).body).toMatchObject({ state: "up_to_date", pending: 0 });
  }, within);
}

const keysOn = async (client: HttpClient, id: string): Promise<string[]> => {
  const { body } = await client.get(filesOf(id));
  return body.entries.map(({ key }: { key: string }) => key).sort();
};

/** A draft on Alice's replica and on the server. The replica is paused; Alice uses the server too. */
async function apart(): Promise<{ api: Api; replica: HttpClient; server: HttpClient; id: string }> {
  const api = await startApi("replica");
  const replica = await api.as("alice");
  const id = await givenDraft(replica);
  await upToDate(replica);
  await replica.post("/api/sync/pause");
  return { api, replica, server: await api.onServer("alice"), id };
}

describe("files between replica and server (hosts-and-sync 3, 4)", () => {
  test("a file added while sync is paused reaches the server later, byte for byte", async () => {
    const { replica, server, id } = await apart();
    const bytes = await fixtureBytes("info-zip.zip");
    const entry = (await addFile(replica, id, "a.zip", bytes)).body;
    expect(await keysOn(server, id)).toEqual([]);
    await replica.post("/api/sync/resume");
    await upToDate(replica);
    const sent = (await server.get(fileOf(id, "a.zip"))).body;
    for (const name of ["checksum", "size", "file_id", "version_id", "bucket_id"]) expect(sent[name]).toBe(entry[name]);
    expect((await server.get(`${fileOf(id, "a.zip")}/content`)).bytes.equals(bytes)).toBe(true);
  });

  test("a file of one name and the same bytes added on two computers becomes one entry", async () => {
    const { replica, server, id } = await apart();
    for (const side of [replica, server]) await addFile(side, id, "same.txt", "same");
    await replica.post("/api/sync/resume");
    await upToDate(replica);
    for (const side of [replica, server]) expect(await keysOn(side, id)).toEqual(["same.txt"]);
  });

  test("two files of one name with different bytes are both kept, the later one renamed", async () => {
    const { replica, server, id } = await apart();
    await addFile(replica, id, "data/core.csv", "from the replica");
    await replica.put(fileOf(id, "data/core.csv"), { metadata: { from: "replica" } });
    await addFile(server, id, "data/core.csv", "from the server");
    await replica.post("/api/sync/resume");
    await upToDate(replica);
    for (const side of [replica, server]) {
      const [renamed = "", original] = await keysOn(side, id);
      expect(original).toBe("data/core.csv");
      expect(renamed).toMatch(/^data\/core \(conflict, alice, \d{4}-\d{2}-\d{2}\)\.csv$/);
      expect((await side.get(`${fileOf(id, "data/core.csv")}/content`)).text).toBe("from the server");
      expect((await side.get(`${fileOf(id, renamed)}/content`)).text).toBe("from the replica");
      expect((await side.get(fileOf(id, renamed))).body.metadata).toEqual({ from: "replica" });
    }
  });

  test("a file removed while sync is paused is removed on the server later", async () => {
    const api = await startApi("replica");
    const replica = await api.as("alice");
    const id = await givenDraft(replica);
    await addFile(replica, id, "a.txt", "a");
    await addFile(replica, id, "b.txt", "b");
    await upToDate(replica);
    await replica.post("/api/sync/pause");
    await replica.delete(fileOf(id, "a.txt"));
    await replica.post("/api/sync/resume");
    await upToDate(replica);
    expect(await keysOn(await api.onServer("alice"), id)).toEqual(["b.txt"]);
  });

  test("lists another user's archive and opens a member without fetching the archive; 503 when offline (hosts-and-sync 3)", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const id = await givenRecord(alice, { "a.zip": await fixtureBytes("python.zip") });
    await upToDate(alice);
    const bob = await api.as("bob");
    const container = `/api/records/${id}/files/a.zip/container`;
    expect((await bob.get(container)).body.total).toBe(5);
    expect((await bob.get(`${container}/readme.txt`)).text).toBe("Read me first.\n");
    await bob.post("/api/sync/pause");
    for (const member of ["readme.txt", "data"]) expect((await bob.get(`${container}/${member}`)).status).toBe(503);
    await bob.post("/api/sync/resume");
    expect((await bob.get(`/api/records/${id}/files/a.zip/content`)).bytes).toHaveLength(2652);
  });
});
