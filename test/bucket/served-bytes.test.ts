import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import { startStore } from "../support/engines/bucket.ts";
import { answer, cutOff, onlyFor, StoreProxy } from "../support/engines/store-proxy.ts";
import { addFile, fileOf, filesOf, givenDraft, givenRecord, must } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { makeManyEntries } from "../support/huge-zips.ts";

const mebibyte = 1024 * 1024;
const partial = { "content-type": "application/partial-upload" };
const md5Of = (bytes: Uint8Array) => `md5:${createHash("md5").update(bytes).digest("hex")}`;

const store = await startStore();
afterAll(() => store?.stop());

describe.skipIf(!store)("files in a bucket, served by two processes (scale 3, 6)", () => {
  let api: Api;
  let proxy: StoreProxy;
  let alice: HttpClient;
  let first: HttpClient;
  let second: HttpClient;
  let id: string;

  beforeAll(async () => {
    proxy = new StoreProxy(store?.port ?? 0);
    await proxy.listen();
    api = await startApi("server", { isScaled: true, blobs: store?.freshAddress(proxy.url) ?? "" });
    alice = await api.as("alice");
    const { token } = await api.person("alice");
    first = new HttpClient(api.server.url, token);
    second = new HttpClient(api.secondUrl, token);
    return async () => {
      await api.close();
      await proxy.close();
    };
  });
  beforeEach(async () => {
    proxy.fault = undefined;
    id = await givenDraft(alice);
    proxy.forget();
  });

  const append = (client: HttpClient, url: string, [offset, content, isComplete]: [number, Uint8Array, boolean]) =>
    client.call("PATCH", url, content, {
      headers: { ...partial, "upload-offset": String(offset), "upload-complete": isComplete ? "?1" : "?0" },
    });
  const offsetAt = async (client: HttpClient, url: string) =>
    Number((await client.head(url)).headers.get("upload-offset"));

  test("an upload that changes the process at each piece sends its bytes about once (issue 19.3)", async () => {
    const bytes = randomBytes(21 * mebibyte + 5);
    await first.post(filesOf(id), [{ key: "a" }]);
    const url = `${fileOf(id, "a")}/content`;
    const begin = { headers: { "upload-complete": "?0", "upload-length": String(bytes.byteLength) } };
    must(await first.putBytes(url, bytes.subarray(0, 1000), begin), 201);
    const ends = [2 * mebibyte, 9 * mebibyte, 16 * mebibyte, 16 * mebibyte + 1, bytes.byteLength];
    let from = 1000;
    for (const [at, end] of ends.entries()) {
      const client = at % 2 === 0 ? second : first;
      expect(await offsetAt(client, url)).toBe(from);
      const isLast = end === bytes.byteLength;
      expect((await append(client, url, [from, bytes.subarray(from, end), isLast])).status).toBe(isLast ? 200 : 204);
      from = end;
    }
    const committed = must(await first.post(`${fileOf(id, "a")}/commit`), 200);
    expect(committed.body).toMatchObject({ checksum: md5Of(bytes), size: bytes.byteLength });
    for (const client of [first, second]) expect((await client.get(url)).bytes.equals(bytes)).toBe(true);
    // What is left at a pause is sent again, as a part: here 1000 bytes, 2, 1 and 1 MiB.
    expect(proxy.sentBytes).toBeLessThan(bytes.byteLength + 5 * mebibyte);
  });

  test("a ZIP of 10,000 members is listed with two calls of the store, and a member read with two", async () => {
    const folder = await mkdtemp(join(tmpdir(), "carrel-zip-"));
    const file = join(folder, "many.zip");
    await makeManyEntries(file, 10_000, (index) => `folder-${index % 100}/sample-${index}.txt`);
    const record = await givenRecord(alice, { "many.zip": await readFile(file) });
    await rm(folder, { recursive: true });
    const container = `/api/records/${record}/files/many.zip/container`;
    proxy.forget();
    expect((await first.get(container)).body.total).toBe(10_000);
    expect(proxy.counts).toEqual({ GET: 2 });
    proxy.forget();
    expect((await first.get(`${container}/folder-42/sample-4242.txt`)).text).toBe("4242");
    expect(proxy.counts).toEqual({ GET: 2 });
    proxy.forget();
    // The table of contents is known by now.
    expect((await first.get(container)).status).toBe(200);
    expect(proxy.counts).toEqual({});
  });

  test("a small file is one call, the same bytes again one more, a range one", async () => {
    const bytes = randomBytes(5000);
    await addFile(first, id, "a.bin", bytes);
    expect(proxy.counts).toEqual({ PUT: 1 });
    await addFile(first, id, "b.bin", bytes);
    expect(proxy.counts).toEqual({ PUT: 1, HEAD: 1 });
    proxy.forget();
    const part = await second.get(`${fileOf(id, "b.bin")}/content`, { headers: { range: "bytes=10-19" } });
    expect(part).toMatchObject({ status: 206 });
    expect(part.bytes.equals(bytes.subarray(10, 20))).toBe(true);
    expect(proxy.counts).toEqual({ GET: 1 });
    proxy.forget();
    // A new version has the same objects.
    expect((await second.delete(fileOf(id, "a.bin"))).status).toBe(204);
    expect((await second.get(`${fileOf(id, "b.bin")}/content`)).bytes.equals(bytes)).toBe(true);
  });

  test("while the store is away: 503 in words for bytes, all else goes on, and nothing acknowledged is lost", async () => {
    const bytes = randomBytes(12 * mebibyte);
    await addFile(first, id, "there.bin", bytes.subarray(0, 1000));
    await first.post(filesOf(id), [{ key: "a" }, { key: "b" }]);
    const url = `${fileOf(id, "a")}/content`;
    const begin = { headers: { "upload-complete": "?0" } };
    must(await first.putBytes(url, bytes.subarray(0, 9 * mebibyte), begin), 201);

    proxy.fault = cutOff;
    const answers = [
      await first.get(`${fileOf(id, "there.bin")}/content`),
      await first.putBytes(`${fileOf(id, "b")}/content`, bytes.subarray(0, 1000)),
      await append(second, url, [9 * mebibyte, bytes.subarray(9 * mebibyte), true]),
    ];
    for (const { status, headers, body } of answers) {
      expect(status).toBe(503);
      expect(headers.get("retry-after")).toBe("10");
      expect(body.message).toContain("The store of the files cannot be used at present");
    }
    expect((await first.get(`/api/records/${id}/draft`)).status).toBe(200);
    expect((await first.get(fileOf(id, "there.bin"))).body.checksum).toBe(md5Of(bytes.subarray(0, 1000)));
    expect((await second.get("/healthz")).status).toBe(200);
    const acknowledged = await offsetAt(first, url);
    expect(acknowledged).toBe(9 * mebibyte);

    proxy.fault = undefined;
    must(await append(first, url, [acknowledged, bytes.subarray(acknowledged), true]), 200);
    const committed = must(await first.post(`${fileOf(id, "a")}/commit`), 200);
    expect(committed.body.checksum).toBe(md5Of(bytes));
    must(await second.putBytes(`${fileOf(id, "b")}/content`, bytes.subarray(0, 1000)), 200);
  });

  test("a full store answers 507 and keeps the earlier bytes", async () => {
    await first.post(filesOf(id), [{ key: "a" }]);
    const url = `${fileOf(id, "a")}/content`;
    must(await first.putBytes(url, "earlier"), 200);
    const body = "<Error><Code>QuotaExceeded</Code><Message>planted</Message></Error>";
    proxy.fault = onlyFor(/^PUT/, answer(403, body, { "content-type": "application/xml" }));
    const full = await first.putBytes(url, randomBytes(1000));
    expect(full).toMatchObject({ status: 507, body: { message: expect.stringContaining("is full") } });
    proxy.fault = undefined;
    must(await first.post(`${fileOf(id, "a")}/commit`), 200);
    expect((await first.get(url)).text).toBe("earlier");
  });

  test("a process that is killed between two pieces: the other one goes on at the acknowledged byte", async () => {
    const bytes = randomBytes(18 * mebibyte);
    await first.post(filesOf(id), [{ key: "a" }]);
    const url = `${fileOf(id, "a")}/content`;
    must(await second.putBytes(url, bytes.subarray(0, 10 * mebibyte), { headers: { "upload-complete": "?0" } }), 201);
    await api.endSecond("SIGKILL");
    const offset = await offsetAt(first, url);
    expect(offset).toBe(10 * mebibyte);
    must(await append(first, url, [offset, bytes.subarray(offset), true]), 200);
    expect(must(await first.post(`${fileOf(id, "a")}/commit`), 200).body.checksum).toBe(md5Of(bytes));
  });
});
