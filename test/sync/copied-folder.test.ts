import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { countLeasedIds } from "../../main/replica/lease.repository.ts";
import { openReplica } from "../../main/replica/open-replica.ts";
import { connectReplica } from "../../main/sync/connect.ts";
import { recall } from "../../main/sync/person.repository.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { startApi } from "../support/api.ts";
import { HttpClient } from "../support/http-client.ts";
import { until } from "../support/until.ts";

const titled = (title: string) => ({ metadata: { title }, files: { enabled: false } });

test("detects a copied data folder; records that both copies created under one id exist once each (hosts-and-sync 3, 4; sync 1.7, C13)", async () => {
  const api = await startApi("server");
  const onServer = await api.onServer("alice");
  const { token } = await api.person("alice");
  const folder = await mkdtemp(join(tmpdir(), "carrel-copied-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const open = async (name: string, startPaused: boolean) => {
    const common = { environment: machineEnvironment(), log: createLog("silent"), port: 0 };
    const replica = await openReplica({ ...common, dataDir: join(folder, name), startPaused });
    onTestFinished(() => replica.close());
    return { replica, client: new HttpClient(replica.url, replica.guard.secret) };
  };
  const status = async (client: HttpClient) => (await client.get("/api/sync/status")).body;
  const signedOn = async ({ replica: { host } }: Awaited<ReturnType<typeof open>>, session: number) =>
    until(async () => {
      const isDone = (await recall(host.db, "identity"))?.session === session;
      return isDone && (await countLeasedIds(host.db)) > 16;
    });
  const titles = async () => {
    const { body } = await onServer.get("/api/user/records?size=50");
    return body.hits.hits.map((hit: { metadata: { title: string } }) => hit.metadata.title).toSorted();
  };

  const first = await open("laptop", false);
  await connectReplica(first.replica.host.db, first.replica.engine, api.server.url, token);
  await signedOn(first, 1);
  await first.client.post("/api/sync/pause");
  await first.client.post("/api/records", titled("Before the copy"));
  await first.replica.close();
  await cp(join(folder, "laptop"), join(folder, "copy"), { recursive: true });

  const [laptop, copy] = [await open("laptop", true), await open("copy", true)];
  const ids = [];
  for (const [{ client }, title] of [
    [laptop, "On the laptop"],
    [copy, "On the copy"],
  ] as const) {
    ids.push((await client.post("/api/records", titled(title))).body.id);
  }
  expect(ids[0]).toBe(ids[1]);
  await laptop.client.post("/api/sync/resume");
  await signedOn(laptop, 2);
  await copy.client.post("/api/sync/resume");
  await signedOn(copy, 1);
  for (const { client } of [laptop, copy]) await until(async () => (await status(client)).state === "up_to_date");
  expect(await titles()).toEqual(["Before the copy", "On the copy", "On the laptop"]);
  expect((await status(laptop.client)).notice).toBeUndefined();
  expect((await status(copy.client)).notice).toMatch(/is a copy of another one/);

  await copy.replica.close();
  const again = await open("copy", false);
  await signedOn(again, 2);
  const made = [];
  for (const { client } of [laptop, again]) {
    await client.post("/api/sync/pause");
    made.push((await client.post("/api/records", titled("Made apart"))).body.id);
  }
  expect(made[0]).not.toBe(made[1]);

  // Nothing of what was found out about it is left when all is taken off: the next person begins anew.
  expect((await again.client.delete("/api/sync/connect?data=remove&force=true")).status).toBe(200);
  await again.replica.close();
  const emptied = await open("copy", false);
  const bob = await api.person("bob");
  await connectReplica(emptied.replica.host.db, emptied.replica.engine, api.server.url, bob.token);
  await signedOn(emptied, 1);
  expect((await status(emptied.client)).notice).toBeUndefined();
});
