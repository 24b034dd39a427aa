import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { connectReplica } from "../../main/sync/connect.ts";
import { startPostgres } from "../support/engines/postgres.ts";
import { PostgresServers } from "../support/engines/postgres-servers.ts";
import { FaultProxy } from "../support/fault-proxy.ts";
import { HttpClient } from "../support/http-client.ts";
import { newReplica, pause, synced } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const postgres = await startPostgres({ isDurable: true });
afterAll(() => postgres?.stop());

const titled = (title: string) => ({ metadata: { title }, files: { enabled: false } });

describe.skipIf(!postgres?.copyStandby)("failing over to a standby (scale 8)", () => {
  test("that lacks the last commits: running processes end with this reason; started again, replicas deliver again what was lost, once (hosts-and-sync 4)", async () => {
    if (!postgres?.copyStandby) throw new Error("PostgreSQL was started");
    const servers = await PostgresServers.start(await postgres.freshDatabase());
    onTestFinished(() => servers.close());
    const token = await servers.person("alice");
    const line = new FaultProxy(() => servers.urls[0]);
    await line.listen();
    onTestFinished(() => line.close());
    const replica = await newReplica();
    await connectReplica(replica.host.db, replica.engine, line.url, token);
    const alice = new HttpClient(replica.url, replica.guard.secret);
    const onServers = new HttpClient(line.url, token);
    const draft = (await alice.post("/api/records", titled("Before"))).body.id;
    await synced(alice);

    const failOver = await postgres.copyStandby();
    await until(async () => (await onServers.get(`/api/records/${draft}/draft`)).status === 200, "PostgreSQL is back");
    await synced(alice);
    expect((await alice.put(`/api/records/${draft}/draft`, titled("Changed after"))).status).toBe(200);
    const made = (await alice.post("/api/records", titled("Made after"))).body.id;
    await synced(alice);
    await until(async () => (await onServers.get(`/api/records/${made}/draft`)).status === 200, "both are delivered");
    await pause(alice);

    await failOver();
    for (const at of [0, 1]) {
      expect(await servers.ended(at)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("promoted or recovered"),
      });
    }
    await Promise.all([servers.begin(0), servers.begin(1)]);
    const others: string[] = [];
    for (let number = 0; number < 8; number += 1) {
      others.push((await onServers.post("/api/records", titled(`Written by others ${number}`))).body.id);
    }
    expect((await onServers.get(`/api/records/${made}/draft`)).status).toBe(404);

    await alice.post("/api/sync/resume");
    await until(async () => (await onServers.get(`/api/records/${made}/draft`)).status === 200, "delivered again");
    await synced(alice);
    expect((await onServers.get(`/api/records/${draft}/draft`)).body.metadata.title).toBe("Changed after");
    expect((await onServers.get("/api/user/records")).body.hits.total).toBe(10);
    for (const id of others) expect((await alice.get(`/api/records/${id}/draft`)).status).toBe(200);
  });
});
