import { createHash, randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { addFile, givenDraft, must } from "../support/files.ts";
import { json, page, startHostile, startVictim, type Victim } from "../support/hostile-server.ts";
import { until } from "../support/until.ts";

const bytes = randomBytes(300_000);
const sha256 = createHash("sha256").update(bytes).digest("hex");
const [familyId, recordId] = ["a1b2c-d3e26", "00000-00098"];
const micros = 1_700_000_000_000_000;

/** A page with a record of one file, whose bytes are on the server. */
const pageWithFile = () => {
  const content = {
    ...{ version_index: 1, created: micros, updated: micros, revision_id: 1, metadata: "{}", expanded: "{}" },
    ...{ custom_fields: "{}", pids: "{}", files_enabled: 1, default_preview: null, file_order: "[]" },
    access: JSON.stringify({ record: "public", files: "public", embargo: { active: false, reason: null } }),
  };
  const file = {
    ...{ id: "f", owner_kind: "record", owner_id: recordId, parent_id: familyId, key: "a.bin", status: "completed" },
    ...{ sha256, md5: "0".repeat(32), size: bytes.length, mimetype: "application/octet-stream", metadata: null },
    ...{ hidden: 0, announced: null, file_id: null, version_id: null, bucket_id: "b", position: 0 },
    ...{ created: micros, updated: micros },
  };
  const rows = {
    parent: [{ id: familyId, owner_id: "11", settings: "{}", created: micros, viewer_level: "view" }],
    record: [{ ...content, id: recordId, parent_id: familyId, is_latest: 1, tombstone: null }],
    file_entry: [file],
  };
  const bundle = { kind: "family", id: familyId, rows, people: [] };
  const changes = [{ kind: "family", id: familyId, seq: 2, state: "live", bundle }];
  return page({ changes, cursor: ".2", seq: 2 });
};

const contentPath = `/api/records/${recordId}/files/a.bin/content`;

async function withFile(): Promise<Victim> {
  const victim = await startVictim();
  victim.hostile.sayPages(pageWithFile(), page({ cursor: ".2", seq: 2 }));
  await until(async () => (await victim.client.get(`/api/records/${recordId}`)).status === 200, "the record is here");
  return victim;
}

/** Sends until the other side hangs up. */
function endless(res: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024);
  const more = () => {
    while (!res.destroyed && res.write(chunk));
  };
  res.on("drain", more);
  more();
}

describe("file contents that differ from what the server announced (issue 15, deliver 5)", () => {
  test.each<[string, (res: ServerResponse) => void]>([
    ["other bytes", (res) => res.end(Buffer.alloc(bytes.length))],
    ["more of them", (res) => res.end(Buffer.concat([bytes, bytes]))],
    ["fewer", (res) => res.end(bytes.subarray(1))],
    ["without end", endless],
    ["of another status", (res) => void res.writeHead(206).end(bytes)],
    ["cut", (res) => void res.write(bytes.subarray(0, 1000), () => res.destroy())],
  ])("%s: nothing is kept, the download is cut or refused, the API answers", async (_what, send) => {
    const { hostile, client } = await withFile();
    hostile.answer("GET /api/sync/blobs", send);
    const answer = await client.get(contentPath).catch(() => undefined);
    expect(answer?.status === 200 && answer.bytes.equals(bytes)).toBe(false);
    const ranged = await client.get(contentPath, { headers: { range: "bytes=0-9" } }).catch(() => undefined);
    expect((ranged?.bytes.length ?? 0) <= 10 || ranged?.status === 503).toBe(true);
    expect((await client.get("/api/sync/storage")).body.cached).toBe(0);
    hostile.answer("GET /api/sync/blobs", (res) => res.end(bytes));
    await until(
      async () => (await client.get(contentPath).catch(() => undefined))?.bytes.equals(bytes) === true,
      "right",
    );
  });

  test("no redirect is followed, with the token or without", async () => {
    const { hostile, client } = await withFile();
    const other = await startHostile();
    other.answer("GET /", (res) => res.end(bytes));
    other.answer("POST /", json({ token: "x" }, 201));
    for (const status of [301, 302, 303, 307, 308]) {
      for (const method of ["GET", "POST", "PUT", "HEAD"])
        hostile.answer(
          `${method} /api`,
          (res, { url }) => void res.writeHead(status, { Location: other.url + url }).end(),
        );
      for (const route of ["hello", "settings", "push", "changes", "leases", "replicas", "vocabularies", "blobs"])
        for (const method of ["GET", "POST", "PUT"])
          hostile.answer(`${method} /api/sync/${route}`, (res, { url }) => {
            res.writeHead(status, { Location: other.url + url }).end();
          });
      await client.get(contentPath);
      await client.post("/api/sync/run");
      await client.post("/api/sync/connect", { server: hostile.url, account: "ada", password: "p" });
      await client.post("/api/sync/connect", { server: hostile.url, token: "t" });
      await client.get("/api/tokens");
    }
    expect(other.calls).toEqual([]);
  });

  test("an upload stops and waits when the server answers offsets outside of the file, or the same one for ever", async () => {
    const { hostile, client } = await startVictim();
    hostile.answer("POST /api/sync/push", json({}, 503));
    for (const offset of ["-5", "NaN", "1e300", "99999999", "0", "x".repeat(9000)]) {
      const answer = (res: ServerResponse) =>
        void res.writeHead(409, { "Upload-Offset": offset, "Upload-Complete": "?0" }).end();
      for (const method of ["PUT", "PATCH"]) hostile.answer(`${method} /api/sync/blobs`, answer);
      hostile.answer("HEAD /api/sync/blobs", (res) => void res.writeHead(404).end());
      const id = await givenDraft(client);
      await addFile(client, id, "a.bin", bytes);
      const before = hostile.callsOf("HEAD /api/sync/blobs").length;
      await until(async () => {
        await client.post("/api/sync/run");
        return hostile.callsOf("HEAD /api/sync/blobs").length > before + 1;
      }, "tried again later");
      must(await client.delete(`/api/records/${id}/draft`), 204);
    }
    expect((await client.get("/api/sync/status")).body.rejected).toBe(0);
  });
});

test("garbage on a document's socket: presence and frames are limited, and the API still answers (issue 15, deliver 5)", async () => {
  const { hostile, client } = await startVictim();
  hostile.answer("POST /api/sync/push", json({}, 503));
  hostile.answer("POST /api/sync/ticket", json({ ticket: "?&#/../x" }, 201));
  const sockets = new WebSocketServer({ server: hostile.server });
  let ended = 0;
  sockets.on("connection", (socket) => {
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      ended += 1;
    });
    for (let i = 0; i < 3000; i++) socket.send(randomBytes(i % 200));
    socket.send(randomBytes(4 * 1024 * 1024));
  });
  const id = await givenDraft(client, { isFilesEnabled: false });
  must(await client.put(`/api/sync/presence/${id}/w`, { field: null }), 204);
  await until(() => ended > 0, "hung up on");
  expect((await client.get(`/api/records/${id}/draft`)).status).toBe(200);
  sockets.close();
});

test("answers of one byte at a time and endless headers: calls are aborted, and the API still answers (issue 15, deliver 5)", async () => {
  const { hostile, client } = await startVictim();
  const timers: NodeJS.Timeout[] = [];
  hostile.answer("GET /api/sync/settings", (res) => {
    res.writeHead(200, { "Content-Type": "application/json" });
    timers.push(setInterval(() => res.write(" "), 50));
  });
  hostile.answer("GET /api/sync/changes", (res) => {
    timers.push(setInterval(() => res.socket?.write("HTTP/1.1 100 Continue\r\n\r\n"), 50));
  });
  await until(async () => !(await client.get("/api/sync/status")).body.online, "the replica notices");
  expect((await client.get("/api/tokens")).status).toBe(503);
  expect((await client.get("/api/user/records")).status).toBe(200);
  for (const timer of timers) clearInterval(timer);
});
