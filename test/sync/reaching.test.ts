import { expect, test } from "vitest";
import { addFile, givenDraft, must } from "../support/files.ts";
import { json, startVictim } from "../support/hostile-server.ts";
import { replicaBehindProxy, stateOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

test("as soon as the network is back, a call that needs the server reaches it, despite the back-off (fault 6)", async () => {
  const { client, line, server, replica } = await replicaBehindProxy();
  const id = await givenDraft(server, { isFilesEnabled: true });
  await addFile(server, id, "core.bin", "the bytes");
  await until(
    async () => (await client.get(`/api/records/${id}/draft/files`)).body?.entries?.length === 1,
    "it is here",
  );
  for (const call of [
    () => client.get("/api/tokens"),
    () => client.get("/api/records?scope=server"),
    () => client.get("/api/records/00000-00098"),
    () => client.get(`/api/records/${id}/draft/files/core.bin/content`),
    () => client.post(`/api/records/${id}/draft/pids/doi`),
  ]) {
    line.fail("cut");
    await until(async () => (await stateOf(client)) === "offline", "offline");
    // The next attempt of the loops is far away.
    for (let failures = 0; failures < 20; failures++) replica.engine.onUnreachable(new Error("cut"));
    expect((await call()).status).toBe(503);
    line.heal();
    expect((await call()).status).not.toBe(503);
    expect((await client.get("/api/sync/status")).body.online).toBe(true);
  }
});

test("concurrent calls share one attempt to reach a silent server; each is answered 503 (fault 6)", async () => {
  const { hostile, client, replica } = await startVictim();
  hostile.answer("GET /api/sync/settings", () => {});
  hostile.answer("GET /api/sync/changes", json({ message: "later" }, 503));
  replica.engine.onUnreachable(new Error("cut"));
  await until(() => !replica.engine.isOnline() && hostile.callsOf("GET /api/sync/changes").length > 1, "offline");
  const before = hostile.callsOf("GET /api/sync/settings").length;
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.get("/api/tokens")));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(hostile.callsOf("GET /api/sync/settings").length - before).toBe(1);
});

test("a transfer has the name of its file, and counts the bytes that the server confirmed (fault 5)", async () => {
  const { hostile, client } = await startVictim();
  const size = 1024 * 1024;
  let answer: (() => void) | undefined;
  let arrived = 0;
  // Its feed has no draft: once it confirmed the creation, the draft would be gone from here, with the name of its file.
  hostile.answer("POST /api/sync/push", () => {});
  hostile.answer("HEAD /api/sync/blobs", (res) => void res.writeHead(404).end());
  for (const method of ["PUT", "PATCH"])
    hostile.answer(`${method} /api/sync/blobs`, (res, call) => {
      answer = () => {
        arrived += call.body.length;
        res
          .writeHead(201, { "Upload-Offset": String(arrived), "Upload-Complete": arrived === size ? "?1" : "?0" })
          .end();
      };
    });
  const id = await givenDraft(client);
  must(await client.post("/api/sync/pause"), 200);
  await addFile(client, id, "slow.bin", Buffer.alloc(size, "x"));
  must(await client.post("/api/sync/resume"), 200);
  const seen: number[] = [];
  while (arrived < size) {
    await until(() => answer !== undefined, "a request is here whole");
    const [transfer] = (await client.get("/api/sync/status")).body.transfers;
    expect(transfer).toEqual({ key: "slow.bin", record: id, direction: "up", bytes: arrived, size });
    seen.push(transfer.bytes);
    const give = answer;
    answer = undefined;
    give?.();
  }
  expect(seen.length).toBeGreaterThan(1);
  await until(async () => (await client.get("/api/sync/status")).body.transfers.length === 0, "all of it is there");
});
