import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openReplica, type RunningReplica } from "../../main/replica/open-replica.ts";
import { connectReplica } from "../../main/sync/connect.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { giveRecords } from "../bench/own-records.ts";
import { startApi } from "../support/api.ts";
import { HttpClient } from "../support/http-client.ts";
import { faultProxyTo } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const records = 1200;

test("a first copy is streamed, resumes after cuts and kills, is usable before it is complete, and can be searched in the end (hosts-and-sync 6, 8)", async () => {
  const api = await startApi("server");
  const { id, token } = await api.person("alice");
  await giveRecords(api.server.host.db, id, records);
  const line = await faultProxyTo(api.server.url);
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-test-"));
  const open = () =>
    openReplica({ dataDir, port: 0, environment: machineEnvironment(), log: createLog("silent"), startPaused: false });
  let replica: RunningReplica = await open();
  onTestFinished(async () => {
    await replica.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  const held = async (): Promise<number> =>
    (await replica.host.db.selectFrom("base").select("object_id").where("kind", "=", "family").execute()).length;
  await connectReplica(replica.host.db, replica.engine, line.url, token);
  const client = () => new HttpClient(replica.url, replica.guard.secret);
  await until(async () => (await held()) > 0, "the first of it is here");
  expect((await held()) < records).toBe(true);
  expect((await client().get("/api/user/records")).body.hits.hits.length).toBeGreaterThan(0);
  expect((await client().post("/api/records", { metadata: { title: "Meanwhile" } })).status).toBe(201);
  for (const part of [300, 600, 900]) {
    await until(async () => (await held()) >= part, `${part} are here`, 120_000);
    line.fail("cut");
    const before = await held();
    if (part === 600) {
      await replica.close();
      replica = await open();
    }
    line.heal();
    expect(await held()).toBeGreaterThanOrEqual(before);
    replica.engine.retryNow();
  }
  const state = async () => (await client().get("/api/sync/status")).body.state;
  await until(async () => (await state()) === "up_to_date", "up to date", 120_000);
  expect(await held()).toBe(records + 1);
  expect((await client().get("/api/user/records")).body.hits.total).toBe(records + 1);
  expect((await client().get("/api/records")).body.hits.total).toBe(records);
  // What was here was not sent again: much less than the copy twice.
  const whole = line.bytes.down;
  expect(whole).toBeLessThan(records * 12_000);
}, 900_000);
