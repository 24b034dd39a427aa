import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { addFile, givenDraft } from "../support/files.ts";

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
