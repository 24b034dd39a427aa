import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { addFile, fileOf, filesOf, givenDraft, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { pause, replicaOf, resume, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

interface TwoReplicas {
  a: HttpClient;
  b: HttpClient;
  server: HttpClient;
  id: string;
}

/** One draft on two replicas that are offline. */
async function givenOffline(files: Record<string, string>): Promise<TwoReplicas> {
  const api = await startApi("server");
  const [a, b] = [await replicaOf(api, "ada"), await replicaOf(api, "ada")];
  const id = await givenDraft(a);
  for (const [key, bytes] of Object.entries(files)) await addFile(a, id, key, bytes);
  await resume(a, b);
  await until(async () => (await b.get(`/api/records/${id}/draft`)).status === 200, "draft");
  await pause(a, b);
  return { a, b, server: await api.onServer("ada"), id };
}

const namesOf = async (client: HttpClient, id: string): Promise<string[]> =>
  (await client.get(filesOf(id))).body.entries.map(({ key }: { key: string }) => key).toSorted();

async function expectEverywhere({ a, b, server, id }: TwoReplicas, files: Record<string, string>): Promise<void> {
  for (const host of [server, a, b]) {
    expect(await namesOf(host, id)).toEqual(Object.keys(files));
    for (const [key, bytes] of Object.entries(files))
      expect((await host.get(`${fileOf(id, key)}/content`)).text).toBe(bytes);
  }
  for (const replica of [a, b]) expect(await trayOf(replica)).toEqual([]);
}

test.each(["the replacement arrives first", "the deletion arrives first"])(
  "deleted here, replaced there: the new bytes stay, whoever is first: %s (hosts-and-sync 4)",
  async (order) => {
    const given = await givenOffline({ "data.csv": "old" });
    const { a, b, id } = given;
    must(await a.delete(fileOf(id, "data.csv")), 204);
    must(await b.delete(fileOf(id, "data.csv")), 204);
    await addFile(b, id, "data.csv", "new bytes");
    await (order === "the deletion arrives first" ? resume(a, b) : resume(b, a));
    await resume(a);
    await expectEverywhere(given, { "data.csv": "new bytes" });
  },
);

test("added here, the same file added and removed there: the file of the first stays (hosts-and-sync 4)", async () => {
  const given = await givenOffline({});
  const { a, b, id } = given;
  await addFile(a, id, "data.csv", "the very bytes");
  await addFile(b, id, "data.csv", "the very bytes");
  must(await b.delete(fileOf(id, "data.csv")), 204);
  await resume(a, b);
  await resume(a);
  await expectEverywhere(given, { "data.csv": "the very bytes" });
});

test("a file that both delete is gone, and nothing is left to do (hosts-and-sync 4)", async () => {
  const given = await givenOffline({ "data.csv": "old", "kept.csv": "kept" });
  const { a, b, id } = given;
  for (const replica of [a, b]) must(await replica.delete(fileOf(id, "data.csv")), 204);
  await resume(a, b);
  await resume(a);
  await expectEverywhere(given, { "kept.csv": "kept" });
});

test("a description of a file does not go to the file that replaced it (hosts-and-sync 4)", async () => {
  const given = await givenOffline({ "data.csv": "old" });
  const { a, b, server, id } = given;
  must(await a.put(fileOf(id, "data.csv"), { metadata: { description: "Of the old file" } }), 200);
  must(await b.delete(fileOf(id, "data.csv")), 204);
  await addFile(b, id, "data.csv", "new bytes");
  must(await b.put(fileOf(id, "data.csv"), { metadata: { description: "Of the new file" } }), 200);
  await resume(b, a);
  expect((await server.get(fileOf(id, "data.csv"))).body.metadata).toEqual({ description: "Of the new file" });
  expect((await trayOf(a)).map(({ kind }: { kind: string }) => kind)).toEqual(["file.metadata"]);
});

test("a file added on both with the same bytes takes the description of either (hosts-and-sync 4)", async () => {
  const given = await givenOffline({});
  const { a, b, server, id } = given;
  for (const replica of [a, b]) await addFile(replica, id, "data.csv", "the very bytes");
  must(await b.put(fileOf(id, "data.csv"), { metadata: { description: "Of both" } }), 200);
  await resume(a, b);
  await resume(a);
  await expectEverywhere(given, { "data.csv": "the very bytes" });
  expect((await server.get(fileOf(id, "data.csv"))).body.metadata).toEqual({ description: "Of both" });
});

test("two contents for one announced file: the second is refused and kept, not dropped (hosts-and-sync 4)", async () => {
  const api = await startApi("server");
  const [a, b] = [await replicaOf(api, "ada"), await replicaOf(api, "ada")];
  const server = await api.onServer("ada");
  const id = await givenDraft(a);
  must(await a.post(filesOf(id), [{ key: "data.csv" }]), 201);
  await resume(a, b);
  await until(async () => (await b.get(fileOf(id, "data.csv"))).status === 200, "announced");
  await pause(a, b);
  for (const [replica, bytes] of [
    [a, "first"],
    [b, "second"],
  ] as const) {
    must(await replica.putBytes(`${fileOf(id, "data.csv")}/content`, bytes), 200);
    must(await replica.post(`${fileOf(id, "data.csv")}/commit`), 200);
  }
  await resume(a, b);
  expect((await server.get(`${fileOf(id, "data.csv")}/content`)).text).toBe("first");
  const [entry] = await trayOf(b);
  expect(entry).toMatchObject({ kind: "file.commit", reason: "File with key data.csv is already committed." });
  const copy = must(await b.post(`/api/sync/tray/${entry.id}/copy`), 201);
  expect((await b.get(`${fileOf(copy.body.id, "data.csv")}/content`)).text).toBe("second");
});
