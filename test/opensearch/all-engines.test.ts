import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startStore } from "../support/engines/bucket.ts";
import { startPostgres } from "../support/engines/postgres.ts";
import { PostgresServers } from "../support/engines/postgres-servers.ts";
import { freshIndex } from "../support/engines/search-index.ts";
import { fileOf, filesOf, fixtureBytes, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { runCarrel } from "../support/process.ts";
import { givenDraft, metadata } from "../support/records.ts";
import { comment } from "../support/reviews.ts";
import { sendPiece } from "../support/upload-pieces.ts";

const postgres = await startPostgres();
const store = postgres && (await startStore());
afterAll(async () => {
  await store?.stop();
  await postgres?.stop();
});

const titled = (title: string) => ({ files: { enabled: true }, metadata: { ...metadata, title } });
const pieces = 4;

async function totalOf(client: HttpClient, path: string): Promise<number> {
  return must(await client.get(path), 200).body.hits.total;
}

describe.skipIf(!store)("two processes on PostgreSQL, a bucket and OpenSearch", () => {
  const index = freshIndex();
  let servers: PostgresServers;
  beforeAll(async () => {
    if (!postgres || !store) return;
    const engines = ["--blobs", store.freshAddress(), "--search", index.address];
    servers = await PostgresServers.start(await postgres.freshDatabase(), engines);
  });
  afterAll(async () => {
    await servers?.close();
    await index.drop();
  });

  test("a record from its first draft to its second version, at alternating processes, one of which is killed (scale 10.1)", async () => {
    const [author, reviewer] = [await servers.newUser("ada"), await servers.newUser("bo")];
    let [ada, bo, guest] = [servers.byTurns(author.token), servers.byTurns(reviewer.token), servers.byTurns()];
    const zip = await fixtureBytes("info-zip.zip");

    const draft = await givenDraft(ada, titled("Walrus"));
    expect(await totalOf(ada, "/api/user/records?q=walrus")).toBe(1);
    expect(await totalOf(bo, "/api/user/records?q=walrus")).toBe(0);
    must(await ada.post(filesOf(draft), [{ key: "a.zip" }]), 201);
    const path = `${fileOf(draft, "a.zip")}/content`;
    const first = zip.subarray(0, Math.ceil(zip.length / pieces));
    must(await ada.putBytes(path, first, { headers: { "upload-complete": "?0" } }), 200, 201, 204);
    await sendPiece(ada, path, zip, { at: 1, pieces });

    // What the killed process acknowledged is in no memory and on no disk of its own.
    await servers.kill(0);
    await sendPiece(servers.client(1, author.token), path, zip, { at: 2, pieces });
    await servers.begin(0);
    [ada, bo, guest] = [servers.byTurns(author.token), servers.byTurns(reviewer.token), servers.byTurns()];
    await sendPiece(ada, path, zip, { at: 3, pieces });
    must(await ada.post(`${fileOf(draft, "a.zip")}/commit`), 200);

    const receiver = { receiver: { user: reviewer.id }, type: "default-request" };
    const { id: request } = must(await ada.put(`/api/records/${draft}/draft/review`, receiver), 200).body;
    must(await ada.post(`/api/requests/${request}/actions/submit`), 200);
    must(await bo.post(`/api/requests/${request}/comments`, comment("Which sea?")), 201);
    must(await ada.put(`/api/records/${draft}/draft`, titled("Walrus of the north")), 200);
    await expect.poll(() => totalOf(bo, "/api/user/records?q=north")).toBe(1);
    must(await bo.post(`/api/requests/${request}/actions/accept`), 200);

    for (let turn = 0; turn < 2; turn++) {
      expect(must(await guest.get(`/api/records/${draft}`), 200).body.metadata.title).toBe("Walrus of the north");
      const { bytes } = must(await guest.get(`/api/records/${draft}/files/a.zip/content`), 200);
      expect(bytes.equals(zip)).toBe(true);
      const container = `/api/records/${draft}/files/a.zip/container`;
      expect(must(await guest.get(container), 200).body.total).toBe(5);
      expect(must(await guest.get(`${container}/readme.txt`), 200).bytes).toHaveLength(15);
      expect(await totalOf(bo, "/api/records?q=north")).toBe(1);
      const { body } = must(await ada.get(`/api/requests/${request}/timeline`), 200);
      expect(JSON.stringify(body)).toContain("Which sea?");
    }

    const { id: next } = must(await ada.post(`/api/records/${draft}/versions`), 201).body;
    must(await ada.post(`/api/records/${next}/draft/actions/files-import`), 201);
    const later = { ...titled("Walrus of the south"), access: { record: "restricted", files: "restricted" } };
    must(await ada.put(`/api/records/${next}/draft`, later), 200);
    must(await ada.post(`/api/records/${next}/draft/actions/publish`), 202);
    // An overloaded engine may take longer than a search waits.
    await expect.poll(() => totalOf(ada, "/api/records?q=south"), { timeout: 60_000 }).toBe(1);
    expect(await totalOf(bo, "/api/records?q=south")).toBe(0);
    for (let turn = 0; turn < 2; turn++) must(await bo.get(`/api/records/${next}`), 403);
    const subject = { type: "user", id: reviewer.id };
    must(await ada.post(`/api/records/${next}/access/grants`, { grants: [{ permission: "view", subject }] }), 201);
    for (let turn = 0; turn < 2; turn++) {
      expect(must(await bo.get(`/api/records/${next}/files/a.zip/content`), 200).bytes.equals(zip)).toBe(true);
    }
    await expect.poll(() => totalOf(bo, "/api/records?q=south")).toBe(1);

    expect(await readdir(servers.data)).not.toContain("blobs");
    const { code, stdout } = await runCarrel("check", "--data", servers.data);
    expect([code, stdout]).toEqual([0, expect.stringContaining("No problems were found")]);
  });
});
