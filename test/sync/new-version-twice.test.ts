import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { givenRecord, metadata, withoutFiles } from "../support/records.ts";

const saying = (extra: object) => ({ ...withoutFiles, metadata: { ...metadata, ...extra } });

test("a new version created on two computers becomes one draft; the later id is an alias (hosts-and-sync 4)", async () => {
  const api = await startApi("replica");
  const alice = await api.as("alice");
  const server = await api.onServer("alice");
  const record = await givenRecord(alice);
  await alice.post("/api/sync/pause");
  const here = (await alice.post(`/api/records/${record}/versions`)).body.id;
  expect((await alice.put(`/api/records/${here}/draft`, saying({ publisher: "Made here" }))).status).toBe(200);
  const there = (await server.post(`/api/records/${record}/versions`)).body.id;
  expect(there).not.toBe(here);
  await server.put(`/api/records/${there}/draft`, saying({ version: "made there" }));
  await alice.post("/api/sync/resume");
  await api.waitForSync();
  for (const client of [server, alice]) {
    const draft = await client.get(`/api/records/${there}/draft`);
    expect(draft.body.metadata).toMatchObject({ publisher: "Made here", version: "made there" });
    const moved = await client.get(`/api/records/${here}/draft`);
    expect(moved.status, client.url).toBe(301);
    expect(moved.headers.get("location")).toMatch(new RegExp(`/api/records/${there}/draft$`));
    expect((await client.put(`/api/records/${here}/draft`, {})).status).toBe(308);
    const mine = await client.get("/api/user/records");
    expect(mine.body.hits.hits.map((hit: { id: string }) => hit.id)).toEqual([there]);
  }
  expect((await alice.get("/api/sync/tray")).body.hits.total).toBe(0);
  await expect.poll(async () => (await alice.get("/api/sync/status")).body.state).toBe("up_to_date");
});
