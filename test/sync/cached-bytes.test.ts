import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { addFile, fileOf, givenDraft, must } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { comment, givenSubmitted } from "../support/reviews.ts";
import { newReplica, synced } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const bytes = "what the server sent ".repeat(10_000);
const digest = createHash("sha256").update(bytes).digest("hex");

/** A draft of ada with a file, and a replica of bob, who may edit it. */
async function givenShared() {
  const api = await startApi("server");
  const ada = await api.onServer("ada");
  const { token, id: bobId } = await api.person("bob");
  const replica = await newReplica();
  const bob = new HttpClient(replica.url, replica.guard.secret);
  must(await bob.post("/api/sync/connect", { server: api.server.url, token }), 200);
  const id = await givenDraft(ada);
  await addFile(ada, id, "shared.txt", bytes);
  const grant = { permission: "edit", subject: { type: "user", id: bobId } };
  must(await ada.post(`/api/records/${id}/access/grants`, { grants: [grant] }), 201);
  await until(async () => (await bob.get(fileOf(id, "shared.txt"))).status === 200, "bob has the draft");
  const cachedOf = async () => must(await bob.get("/api/sync/storage"), 200).body.cached;
  return { api, ada, bob, id, replica, cachedOf };
}

test("the bytes of a shared draft leave the replica with it when the access is withdrawn (hosts-and-sync 4)", async () => {
  const { ada, bob, id, replica, cachedOf } = await givenShared();
  must(await bob.get(`${fileOf(id, "shared.txt")}/content`), 200);
  await until(async () => (await cachedOf()) === bytes.length, "the copy is kept");
  must(await ada.delete(`/api/records/${id}/access/grants/0`), 204);
  await until(async () => (await bob.get(`/api/records/${id}/draft`)).status === 403, "the access is gone");
  await until(async () => !(await replica.host.blobs.has(digest)), "the bytes are gone");
  expect(await cachedOf()).toBe(0);
});

test("bytes that the user uploaded too stay when the draft they were cached for is withdrawn (hosts-and-sync 4)", async () => {
  const { ada, bob, id, replica } = await givenShared();
  must(await bob.get(`${fileOf(id, "shared.txt")}/content`), 200);
  const own = await givenDraft(bob);
  await addFile(bob, own, "mine.txt", bytes);
  must(await ada.delete(`/api/records/${id}/access/grants/0`), 204);
  await until(async () => (await bob.get(`/api/records/${id}/draft`)).status === 403, "the access is gone");
  await synced(bob);
  must(await bob.post("/api/sync/pause"), 200);
  expect(await replica.host.blobs.has(digest)).toBe(true);
  expect((await bob.get(`${fileOf(own, "mine.txt")}/content`)).text).toBe(bytes);
});

test("attachments that were opened count as copies, and are freed and removed like them (hosts-and-sync 5)", async () => {
  const api = await startApi("server");
  const { request } = await givenSubmitted(api, "ada", "bob");
  const ada = await api.onServer("ada");
  const { token } = await api.person("bob");
  const replica = await newReplica();
  const bob = new HttpClient(replica.url, replica.guard.secret);
  must(await bob.post("/api/sync/connect", { server: api.server.url, token }), 200);
  const { id, key } = must(await ada.putBytes(`/api/requests/${request}/files/upload/a.txt`, bytes), 200, 201).body;
  must(await ada.post(`/api/requests/${request}/comments`, comment("with a file", { files: [{ file_id: id }] })), 201);
  const path = `/api/requests/${request}/files/${encodeURIComponent(key)}/content`;
  const read = async () => until(async () => (await bob.get(path)).text === bytes, "bob reads the attachment");
  const cachedOf = async () => must(await bob.get("/api/sync/storage"), 200).body.cached;
  await read();
  await until(async () => (await cachedOf()) === bytes.length, "the copy counts");
  expect(must(await bob.post("/api/sync/storage/free"), 200).body.cached).toBe(0);
  expect(await replica.host.blobs.has(digest)).toBe(false);
  await read();
  await until(() => replica.host.blobs.has(digest), "the copy is kept again");
  must(await bob.delete("/api/sync/connect?data=remove"), 200);
  expect(await replica.host.blobs.has(digest)).toBe(false);
});
