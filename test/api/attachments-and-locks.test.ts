import { describe, expect, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import { comment, givenComment, givenReview, givenSubmitted, linesOf } from "../support/reviews.ts";

describe.each(roles)("attachments on the %s (requests 9)", (role) => {
  test("upload, refer, expand, download, delete", async () => {
    const api = await startApi(role);
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { request } = await givenSubmitted(api, "ada", "bob");
    const files = `/api/requests/${request}/files`;
    const up = await bob.putBytes(`${files}/upload/core%20log.csv`, "a,b\n");
    expect(up.status, up.text).toBe(200);
    expect(up.body).toMatchObject({ size: 4, mimetype: "text/csv", metadata: { original_filename: "core log.csv" } });
    expect(up.body.key).toMatch(/^core log-\w+\.csv$/);
    expect(up.body.checksum).toMatch(/^md5:[0-9a-f]{32}$/);
    const other = await bob.putBytes(`${files}/upload/core%20log.csv`, "c");
    const both = [{ file_id: up.body.id }, { file_id: other.body.id }];
    const made = await bob.post(`/api/requests/${request}/comments?expand=1`, comment("see", { files: both }));
    expect(made.body.payload.files).toEqual(both);
    expect(made.body.expanded.files).toHaveLength(2);
    const path = `/api/requests/${request}/comments/${made.body.id}`;
    expect((await bob.put(path, comment("kept"))).body.payload.files).toEqual(both);
    expect((await bob.put(path, comment("one", { files: both.slice(0, 1) }))).body.payload.files).toEqual(
      both.slice(0, 1),
    );
    expect((await ada.get(`${files}/${encodeURIComponent(other.body.key)}/content`)).body).toMatchObject({
      status: 404,
      message: "File not found",
    });
    const content = await ada.get(up.body.links.content.slice(ada.url.length));
    expect(content).toMatchObject({ status: 200, text: "a,b\n" });
    expect(content.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(content.headers.get("x-content-type-options")).toBe("nosniff");
    expect((await (await api.as("cleo")).get(up.body.links.content.slice(ada.url.length))).status).toBe(403);
    const key = encodeURIComponent(up.body.key);
    expect((await ada.delete(`${files}/${key}`)).status).toBe(403);
    expect((await bob.delete(`${files}/${key}`)).status).toBe(204);
    expect((await bob.get(path)).body.payload).not.toHaveProperty("files");
  });

  test("each file of a comment that is not attached to the request is named", async () => {
    const api = await startApi(role);
    const ada = await api.as("ada");
    const { request } = await givenReview(api, "ada", "bob");
    const path = `/api/requests/${request}`;
    const up = await ada.putBytes(`${path}/files/upload/notes.txt`, "a");
    const files = ["none", up.body.id, "other"].map((file_id) => ({ file_id }));
    const refused = await ada.post(`${path}/comments`, comment("x", { files }));
    expect(refused.status).toBe(400);
    expect(refused.body.errors.map(({ field }: { field: string }) => field)).toEqual([
      "payload.files[0]",
      "payload.files[2]",
    ]);
    const right = await ada.post(`${path}/comments`, comment("y", { files: files.slice(1, 2) }));
    expect(right.status).toBe(201);
  });

  test("over 10,000,000 bytes: 400 `File size exceeds limit`; another Content-Type: 415", async () => {
    const api = await startApi(role);
    const ada = await api.as("ada");
    const { request } = await givenReview(api, "ada", "bob");
    const path = `/api/requests/${request}/files/upload/big.bin`;
    const big = await ada.putBytes(path, new Uint8Array(10_000_001));
    expect(big.body).toEqual({ status: 400, message: "File size exceeds limit" });
    expect((await ada.putBytes(path, new Uint8Array(10_000_000))).status).toBe(200);
    const wrong = await ada.putBytes(path, "x", { headers: { "content-type": "text/plain" } });
    expect(wrong.status).toBe(415);
  });
});

describe.each(roles)("locked conversations on the %s (requests 10)", (role) => {
  test("lock and unlock: log events, revision, 403 for writing, actions without payload go on", async () => {
    const api = await startApi(role);
    const [ada, bob, admin] = [await api.as("ada"), await api.as("bob"), await api.as("admin")];
    const { request } = await givenSubmitted(api, "ada", "bob");
    const mine = await givenComment(api, "ada", request, "mine");
    const path = `/api/requests/${request}`;
    expect((await ada.post(`${path}/lock`)).status).toBe(403);
    expect((await bob.get(`${path}/lock`)).status).toBe(405);
    expect((await bob.post(`${path}/unlock`)).body.message).toBe("The request is already unlocked.");
    expect((await bob.post(`${path}/lock`)).status).toBe(204);
    expect((await bob.post(`${path}/lock`)).body).toEqual({ status: 403, message: "The request is already locked." });
    expect((await ada.get(path)).body).toMatchObject({ is_locked: true, revision_id: 3 });
    for (const call of [
      () => ada.post(`${path}/comments`, comment("x")),
      () => bob.post(`${path}/comments/${mine}/reply`, comment("x")),
      () => ada.put(`${path}/comments/${mine}`, comment("x")),
      () => ada.putBytes(`${path}/files/upload/a.txt`, "x"),
      () => bob.post(`${path}/actions/decline`, comment("x")),
    ]) {
      const answer = await call();
      expect(answer.status, answer.text).toBe(403);
      expect(answer.body.message).toMatch(/locked/);
    }
    expect((await admin.post(`${path}/comments`, comment("by admin"))).status).toBe(201);
    expect((await ada.delete(`${path}/comments/${mine}`)).status).toBe(204);
    expect((await bob.post(`${path}/actions/decline`)).status).toBe(200);
    expect((await bob.post(`${path}/unlock`)).status).toBe(204);
    expect(await linesOf(api, "ada", request)).toEqual([
      "L comment_deleted",
      "L locked",
      "C by admin",
      "L declined",
      "L unlocked",
    ]);
  });

  test("a draft request by its receiver is 403", async () => {
    const api = await startApi(role);
    const { request } = await givenReview(api, "ada", "bob");
    expect((await (await api.as("bob")).post(`/api/requests/${request}/lock`)).status).toBe(403);
  });
});
