import { createHash, randomBytes } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { fileOf, filesOf, givenDraft } from "../support/files.ts";
import type { Answer, HttpClient } from "../support/http-client.ts";
import { openRequest, send, statusLine } from "../support/raw-request.ts";
import { until } from "../support/until.ts";

const partial = { "content-type": "application/partial-upload" };
const bytes = randomBytes(300_000);
const md5 = createHash("md5").update(bytes).digest("hex");
const reprDigest = (content: Uint8Array) => `sha-256=:${createHash("sha256").update(content).digest("base64")}:`;

/** Adds entry `a` with announced facts. */
async function pendingEntry(client: HttpClient, id: string, announced: Record<string, unknown> = {}): Promise<string> {
  expect((await client.post(filesOf(id), [{ key: "a", ...announced }])).status).toBe(201);
  return `${fileOf(id, "a")}/content`;
}

const stateOf = ({ status, headers }: Answer) => ({
  status,
  offset: headers.get("upload-offset"),
  complete: headers.get("upload-complete"),
});

describe.each(roles)("content of files on the %s (records 6.4)", (role) => {
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

  test("content for a name never initialised is 404", async () => {
    expect(await alice.putBytes(`${fileOf(id, "nowhere")}/content`, "x")).toMatchObject({
      status: 404,
      body: { message: `Record '${id}' has no file 'nowhere'.` },
    });
  });

  test("a second content before commit replaces the first; after commit it is 400", async () => {
    const url = await pendingEntry(alice, id);
    await alice.putBytes(url, "first");
    await alice.putBytes(url, "second");
    await alice.post(`${fileOf(id, "a")}/commit`);
    expect(await alice.putBytes(url, "third")).toMatchObject({
      status: 400,
      body: { message: "File with key a is already committed." },
    });
    expect((await alice.get(url)).text).toBe("second");
  });

  test("commit without content is 400; content before commit is not to be read", async () => {
    const url = await pendingEntry(alice, id);
    expect(await alice.post(`${fileOf(id, "a")}/commit`)).toMatchObject({
      status: 400,
      body: { message: "File with key a not uploaded yet." },
    });
    await alice.putBytes(url, "x");
    expect((await alice.get(url)).status).toBe(404);
  });

  test("content of another type is 415, without a type it is taken", async () => {
    const url = await pendingEntry(alice, id);
    const json = { headers: { "content-type": "application/json" } };
    expect((await alice.call("PUT", url, "{}", json)).status).toBe(415);
    expect((await alice.putBytes(url, "x")).status).toBe(200);
  });

  test.each([
    ["size", { size: 3 }],
    ["checksum", { checksum: `md5:${"0".repeat(32)}` }],
  ])("a %s announced at init and different is 400, and the content dropped", async (_what, announced) => {
    const url = await pendingEntry(alice, id, announced);
    expect((await alice.putBytes(url, "four")).status).toBe(400);
    expect((await alice.post(`${fileOf(id, "a")}/commit`)).status).toBe(400);
    expect((await alice.get(fileOf(id, "a"))).body.status).toBe("pending");
  });

  test("size and checksum announced and right are fine", async () => {
    const url = await pendingEntry(alice, id, { size: bytes.byteLength, checksum: `md5:${md5}` });
    expect((await alice.putBytes(url, bytes)).status).toBe(200);
  });

  test("a PUT of a part by Content-Range is 400 and the earlier content stays; of the whole it is taken", async () => {
    const url = await pendingEntry(alice, id);
    await alice.putBytes(url, "earlier");
    const put = (range: string, content: string) =>
      alice.putBytes(url, content, { headers: { "content-range": range } });
    for (const part of ["bytes 0-2/7", "bytes 4-6/7", "bytes 0-2/*", "bytes */7", "nonsense"]) {
      expect(await put(part, "ear"), part).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(/^Invalid 'Content-Range' header/) },
      });
    }
    expect((await alice.post(`${fileOf(id, "a")}/commit`)).status).toBe(200);
    expect((await alice.get(url)).text).toBe("earlier");
    await alice.post(filesOf(id), [{ key: "b" }]);
    const whole = { headers: { "content-range": "bytes 0-2/3" } };
    expect((await alice.putBytes(`${fileOf(id, "b")}/content`, "all", whole)).status).toBe(200);
  });

  test("an upload whose file is deleted meanwhile is answered 404 (records 1.1, 6.4)", async () => {
    const url = await pendingEntry(alice, id);
    const authorization = alice.authorization;
    const headers = { authorization, "content-type": "application/octet-stream", "content-length": "300000" };
    const socket = await openRequest(alice.url, { method: "PUT", path: url, headers });
    const answer = statusLine(socket);
    await send(socket, bytes.subarray(0, 100_000));
    expect((await alice.delete(fileOf(id, "a"))).status).toBe(204);
    socket.write(bytes.subarray(100_000));
    expect(await answer).toMatch(/404/);
    expect((await alice.get(filesOf(id))).body.entries).toEqual([]);
    socket.destroy();
  });

  test("a cut connection leaves the earlier content as it was", async () => {
    const url = await pendingEntry(alice, id);
    await alice.putBytes(url, "earlier");
    const authorization = alice.authorization;
    const headers = { authorization, "content-type": "application/octet-stream", "content-length": "300000" };
    const socket = await openRequest(alice.url, { method: "PUT", path: url, headers });
    await send(socket, bytes.subarray(0, 1000));
    socket.destroy();
    expect((await alice.post(`${fileOf(id, "a")}/commit`)).status).toBe(200);
    expect((await alice.get(url)).text).toBe("earlier");
  });
});

describe.each(roles)("resumable content on the %s (records 6.4.1)", (role) => {
  let api: Api;
  let alice: HttpClient;
  let id: string;
  let url: string;
  beforeAll(async () => {
    api = await startApi(role);
    alice = await api.as("alice");
    return () => api.close();
  });
  beforeEach(async () => {
    id = await givenDraft(alice);
    url = await pendingEntry(alice, id);
  });

  const append = (offset: number, content: Uint8Array, isComplete: boolean, headers: Record<string, string> = {}) =>
    alice.call("PATCH", url, content, {
      headers: { ...partial, "upload-offset": String(offset), "upload-complete": isComplete ? "?1" : "?0", ...headers },
    });

  test("before anything was sent the offset is 0", async () => {
    const head = await alice.head(url);
    expect(stateOf(head)).toEqual({ status: 204, offset: "0", complete: "?0" });
    expect(head.headers.get("upload-limit")).toMatch(/^max-size=\d+$/);
    expect(head.headers.get("cache-control")).toBe("no-store");
  });

  test("PUT ?0 begins, PATCH ?0 goes on, PATCH ?1 completes", async () => {
    const begin = await alice.putBytes(url, bytes.subarray(0, 1000), {
      headers: { "upload-complete": "?0", "upload-length": String(bytes.byteLength) },
    });
    expect(stateOf(begin)).toMatchObject({ status: 201, offset: "1000" });
    expect(stateOf(await append(1000, bytes.subarray(1000, 5000), false))).toMatchObject({
      status: 204,
      offset: "5000",
    });
    expect(stateOf(await alice.head(url))).toEqual({ status: 204, offset: "5000", complete: "?0" });
    const last = await append(5000, bytes.subarray(5000), true, { "repr-digest": reprDigest(bytes) });
    expect(last).toMatchObject({ status: 200, body: { key: "a", status: "pending" } });
    expect(stateOf(await alice.head(url))).toEqual({ status: 204, offset: String(bytes.byteLength), complete: "?1" });
    const { body } = await alice.post(`${fileOf(id, "a")}/commit`);
    expect(body).toMatchObject({ checksum: `md5:${md5}`, size: bytes.byteLength });
    expect((await alice.get(url)).bytes.equals(bytes)).toBe(true);
  });

  test("one that stands at 0 goes on like any other: an empty PUT ?0, then PATCH", async () => {
    expect(stateOf(await alice.putBytes(url, "", { headers: { "upload-complete": "?0" } }))).toMatchObject({
      status: 201,
      offset: "0",
    });
    expect(stateOf(await append(0, new Uint8Array(), false))).toMatchObject({ status: 204, offset: "0" });
    expect((await append(0, bytes, true)).status).toBe(200);
    expect((await alice.post(`${fileOf(id, "a")}/commit`)).body.checksum).toBe(`md5:${md5}`);
  });

  test("PUT ?1 in one go completes", async () => {
    const answer = await alice.putBytes(url, bytes, { headers: { "upload-complete": "?1" } });
    expect(answer).toMatchObject({ status: 200, body: { status: "pending" } });
    expect((await alice.post(`${fileOf(id, "a")}/commit`)).body.checksum).toBe(`md5:${md5}`);
  });

  test("a PUT ?1 that is cut keeps what arrived, and goes on from there", async () => {
    const headers = {
      authorization: alice.authorization,
      "content-type": "application/octet-stream",
      "content-length": String(bytes.byteLength),
      "upload-complete": "?1",
    };
    let offset = 0;
    // Bytes that were not read when the connection ended do not count: on a busy machine that is all of them.
    for (let napMs = 10; offset === 0; napMs *= 2) {
      const socket = await openRequest(alice.url, { method: "PUT", path: url, headers });
      await send(socket, bytes.subarray(0, 100_000));
      await new Promise((resolve) => setTimeout(resolve, napMs));
      socket.destroy();
      offset = Number((await alice.head(url)).headers.get("upload-offset"));
    }
    expect(offset).toBeLessThanOrEqual(100_000);
    expect((await append(offset, bytes.subarray(offset), true)).status).toBe(200);
    expect((await alice.post(`${fileOf(id, "a")}/commit`)).body.checksum).toBe(`md5:${md5}`);
  });

  test("an offset that is not the stored one is 409 with the right one, and nothing is appended", async () => {
    await alice.putBytes(url, bytes.subarray(0, 1000), { headers: { "upload-complete": "?0" } });
    for (const offset of [0, 999, 1001]) {
      expect(stateOf(await append(offset, bytes.subarray(offset), true))).toMatchObject({
        status: 409,
        offset: "1000",
      });
    }
    expect(stateOf(await alice.head(url))).toMatchObject({ offset: "1000", complete: "?0" });
    await append(1000, bytes.subarray(1000), true);
    expect(stateOf(await append(0, bytes, true))).toMatchObject({
      status: 409,
      offset: String(bytes.byteLength),
      complete: "?1",
    });
  });

  test("PATCH of another type is 415, without its headers 400", async () => {
    const wrong = await append(0, bytes, true, { "content-type": "application/octet-stream" });
    expect(wrong.status).toBe(415);
    expect((await alice.call("PATCH", url, bytes, { headers: partial })).status).toBe(400);
  });

  test("a digest that does not match is 400, and the content dropped", async () => {
    const wrong = { "repr-digest": reprDigest(Buffer.from("other")) };
    await alice.putBytes(url, bytes.subarray(0, 1000), { headers: { "upload-complete": "?0", ...wrong } });
    expect((await append(1000, bytes.subarray(1000), true)).status).toBe(400);
    expect(stateOf(await alice.head(url))).toEqual({ status: 204, offset: "0", complete: "?0" });
    expect((await alice.post(`${fileOf(id, "a")}/commit`)).status).toBe(400);
    expect((await alice.putBytes(url, bytes, { headers: wrong })).status).toBe(400);
    expect((await alice.putBytes(url, bytes, { headers: { "repr-digest": reprDigest(bytes) } })).status).toBe(200);
  });

  test("a newer PATCH ends the older one", async () => {
    await alice.putBytes(url, bytes.subarray(0, 1000), { headers: { "upload-complete": "?0" } });
    const headers = {
      authorization: alice.authorization,
      ...partial,
      "content-length": "50000",
      "upload-offset": "1000",
      "upload-complete": "?0",
    };
    const older = await openRequest(alice.url, { method: "PATCH", path: url, headers });
    let answer: string | undefined;
    void statusLine(older).then((line) => {
      answer = line ?? "";
    });
    await send(older, bytes.subarray(1000, 2000));
    let offset = 0;
    await until(async () => {
      offset = Number((await alice.head(url)).headers.get("upload-offset"));
      return answer !== undefined;
    }, "the older one is ended");
    // Bytes that were not read when the older call ended do not count: on a busy machine that is all of them.
    expect([1000, 2000]).toContain(offset);
    expect(answer).toMatch(/409/);
    older.destroy();
    expect((await append(offset, bytes.subarray(offset), true)).status).toBe(200);
    expect((await alice.post(`${fileOf(id, "a")}/commit`)).body.checksum).toBe(`md5:${md5}`);
  });

  test("DELETE of the entry drops the partial upload; a new entry of the name begins at 0", async () => {
    await alice.putBytes(url, bytes.subarray(0, 1000), { headers: { "upload-complete": "?0" } });
    await alice.delete(fileOf(id, "a"));
    await pendingEntry(alice, id);
    expect(stateOf(await alice.head(url))).toEqual({ status: 204, offset: "0", complete: "?0" });
  });

  test("HEAD of a completed file is that of the download (records 6.7)", async () => {
    await alice.putBytes(url, bytes);
    await alice.post(`${fileOf(id, "a")}/commit`);
    const head = await alice.head(url);
    expect(head.status).toBe(200);
    expect(head.headers.get("content-length")).toBe(String(bytes.byteLength));
  });
});
