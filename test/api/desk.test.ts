import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openReplica, type RunningReplica } from "../../main/replica/open-replica.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { HttpClient } from "../support/http-client.ts";

let dataDir: string;
let replica: RunningReplica;
let client: HttpClient;

async function start(): Promise<void> {
  const environment = machineEnvironment();
  replica = await openReplica({ dataDir, port: 0, environment, log: createLog("silent"), startPaused: false });
  client = new HttpClient(replica.url, replica.guard.secret);
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "carrel-test-"));
  await start();
});
afterAll(async () => {
  await replica.close();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

describe("notes that the app keeps for its user, `/api/sync/desk` (design, ux 1)", () => {
  const notes = async (shelf: string) => (await client.get(`/api/sync/desk/${shelf}`)).body.notes;

  test("notes are stored one by one, survive a restart, and are removed with all other data", async () => {
    const value = { name: "Kelp", search: "?q=kelp" };
    expect((await client.put("/api/sync/desk/searches/b", { value })).body).toEqual({ key: "b", value });
    await client.put("/api/sync/desk/searches/a", { value: { name: "Sea" } });
    await client.put("/api/sync/desk/searches/a", { value: { name: "Sea, again" } });
    await replica.close();
    await start();
    expect(await notes("searches")).toEqual([
      { key: "a", value: { name: "Sea, again" } },
      { key: "b", value },
    ]);
    expect((await client.get("/api/sync/desk/searches/b")).body).toEqual({ key: "b", value });
    expect(await notes("looks")).toEqual([]);
    expect((await client.delete("/api/sync/desk/searches/a")).status).toBe(204);
    expect(await notes("searches")).toHaveLength(1);
    await client.delete("/api/sync/connect?data=remove&force=true");
    expect(await notes("searches")).toEqual([]);
  });

  test("OS notification with mute per request: each is muted and heard again by itself", async () => {
    const [review, other] = [randomUUID(), randomUUID()];
    for (const request of [review, other, review]) {
      const answer = await client.put(`/api/sync/desk/mutes/${request}`, { value: {} });
      expect(answer).toMatchObject({ status: 200, body: { key: request, value: {} } });
    }
    expect(await notes("mutes")).toHaveLength(2);
    expect((await client.delete(`/api/sync/desk/mutes/${review}`)).status).toBe(204);
    expect(await notes("mutes")).toEqual([{ key: other, value: {} }]);
    expect(await notes("searches")).toEqual([]);
  });

  test.each([
    ["GET", "nowhere", undefined, 404],
    ["GET", "reviews/unknown", undefined, 404],
    ["GET", "mutes/unknown", undefined, 404],
    ["PUT", "nowhere/a", { value: {} }, 404],
    ["PUT", "searches/a%2Fb", { value: {} }, 400],
    ["PUT", "searches/a", { value: "text" }, 400],
    ["PUT", "searches/a", {}, 400],
    ["PUT", "searches/a", { value: { name: "x".repeat(20_000) } }, 400],
    ["PUT", "mutes/a", { value: { note: "x".repeat(100) } }, 400],
  ])("%s %s is refused in words: %j, %i", async (method, path, body, status) => {
    const call = `/api/sync/desk/${path}`;
    const answer = method === "GET" ? await client.get(call) : await client.put(call, body);
    expect(answer.status).toBe(status);
    expect(answer.body.message).toBeTruthy();
  });
});
