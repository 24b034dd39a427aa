import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import { addFile, fileOf, filesOf, givenDraft } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";

const bytes = randomBytes(5000);
const sha256 = createHash("sha256").update(bytes).digest("hex");
const url = `/api/sync/blobs/${sha256}`;

describe("bytes by their digest (hosts-and-sync 6)", () => {
  test("are sent in parts, and read again by who sent them, with Range", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    expect((await alice.head(url)).headers.get("upload-offset")).toBe("0");
    await alice.putBytes(url, bytes.subarray(0, 2000), { headers: { "upload-complete": "?0" } });
    const last = await alice.call("PATCH", url, bytes.subarray(2000), {
      headers: { "content-type": "application/partial-upload", "upload-offset": "2000", "upload-complete": "?1" },
    });
    expect(last).toMatchObject({ status: 200, body: { sha256, size: 5000 } });
    const head = await alice.head(url);
    expect(head.headers.get("upload-complete")).toBe("?1");
    expect(head.headers.get("upload-offset")).toBe("5000");
    const part = await alice.get(url, { headers: { range: "bytes=10-19" } });
    expect(part.status).toBe(206);
    expect(part.bytes.equals(bytes.subarray(10, 20))).toBe(true);
  });

  test("of another digest than named are refused", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    expect((await alice.putBytes(url, "other")).status).toBe(400);
    expect((await alice.get(url)).status).toBe(404);
    expect((await alice.get("/api/sync/blobs/nonsense")).status).toBe(404);
  });

  test("answer only to who may read a file that has them", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const bob = await api.as("bob");
    const id = await givenDraft(alice);
    await addFile(alice, id, "a.bin", bytes);
    expect((await alice.get(url)).bytes.equals(bytes)).toBe(true);
    expect((await bob.get(url)).status).toBe(404);
    expect((await bob.head(url)).headers.get("upload-offset")).toBe("0");
    expect((await api.anonymous.get(url)).status).toBe(404);
    expect((await api.anonymous.putBytes(url, bytes)).status).toBe(403);
    await alice.post(`/api/records/${id}/draft/actions/publish`);
    expect((await bob.get(url)).status).toBe(200);
  });
});

describe("limits (records 6.4)", () => {
  test.each(roles)("a file beyond the limit, and a record beyond its quota, are 400 on the %s", async (role) => {
    const api = await startApi(role, { settings: { max_file_bytes: 1000, max_record_bytes: 1500 } });
    const alice = await api.withSettings("alice");
    const id = await givenDraft(alice);
    await alice.post(filesOf(id), [{ key: "a" }, { key: "b" }]);
    const put = (key: string, size: number) => alice.putBytes(`${fileOf(id, key)}/content`, bytes.subarray(0, size));
    expect(await put("a", 1001)).toMatchObject({ status: 400, body: { message: "File size limit exceeded." } });
    expect((await put("a", 1000)).status).toBe(200);
    await alice.post(`${fileOf(id, "a")}/commit`);
    expect(await put("b", 501)).toMatchObject({ status: 400, body: { message: "Bucket quota exceeded." } });
    expect(await put("b", 1001), "over both").toMatchObject({ body: { message: "File size limit exceeded." } });
    expect((await put("b", 500)).status).toBe(200);
  });

  test.each(roles)("content that waits for its commit counts, on the %s", async (role) => {
    const api = await startApi(role, { settings: { max_record_bytes: 1500 } });
    const alice = await api.withSettings("alice");
    const id = await givenDraft(alice);
    await alice.post(filesOf(id), [{ key: "a" }, { key: "b" }]);
    const put = (key: string, size: number) => alice.putBytes(`${fileOf(id, key)}/content`, bytes.subarray(0, size));
    expect((await put("a", 1000)).status).toBe(200);
    expect(await put("b", 501)).toMatchObject({ status: 400, body: { message: "Bucket quota exceeded." } });
    expect((await put("a", 900)).status, "in place of the earlier content").toBe(200);
    expect((await put("b", 600)).status).toBe(200);
    for (const key of ["a", "b"]) expect((await alice.post(`${fileOf(id, key)}/commit`)).status).toBe(200);
  });

  test("a file beyond the limit is that file: another one that was there before the limit does not matter", async () => {
    const api = await startApi("server");
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    await addFile(alice, id, "large", bytes.subarray(0, 1001));
    api.server.host.settings.max_file_bytes = 1000;
    await alice.post(filesOf(id), [{ key: "small" }]);
    expect((await alice.putBytes(`${fileOf(id, "small")}/content`, bytes.subarray(0, 10))).status).toBe(200);
    expect((await alice.post(`${fileOf(id, "small")}/commit`)).status).toBe(200);
  });

  test("a quota is judged on arrival, too: what is too much goes to the tray (hosts-and-sync 8)", async () => {
    const api = await startApi("replica", { settings: { max_record_bytes: 1500 } });
    const alice = await api.withSettings("alice");
    const id = await givenDraft(alice);
    const { engine } = await api.replicaOf("alice");
    await engine.setPaused(true);
    await addFile(alice, id, "here", bytes.subarray(0, 1000));
    const server = new HttpClient(api.server.url, (await api.person("alice")).token);
    await addFile(server, id, "there", bytes.subarray(0, 1000));
    await engine.setPaused(false);
    await api.waitForSync();
    const tray = (await alice.get("/api/sync/tray")).body.hits.hits;
    expect(tray).toMatchObject([{ kind: "file.commit", reason: "Bucket quota exceeded." }]);
    const { entries } = (await server.get(filesOf(id))).body;
    const stands = Object.fromEntries(entries.map(({ key, status }: Record<string, string>) => [key, status]));
    expect(stands).toEqual({ there: "completed", here: "pending" });
  });
});
