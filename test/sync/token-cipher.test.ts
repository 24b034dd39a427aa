import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openReplica } from "../../main/replica/open-replica.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { startApi } from "../support/api.ts";
import { HttpClient } from "../support/http-client.ts";
import { until } from "../support/until.ts";

test("the token in the data folder is encrypted where there is a key store, an older one too; without the key the user signs in again (architecture, Security frame)", async () => {
  const api = await startApi("server");
  const { token } = await api.person("alice");
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-token-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  /** Starts the replica with a key or without, waits for the state, does something, stops it. */
  async function once(tokenKey: string | undefined, state: string, act?: (client: HttpClient) => Promise<unknown>) {
    const common = { environment: machineEnvironment(), log: createLog("silent"), port: 0, startPaused: false };
    const replica = await openReplica({ ...common, dataDir, tokenKey });
    const client = new HttpClient(replica.url, replica.guard.secret);
    try {
      await until(async () => (await client.get("/api/sync/status")).body.state === state, state);
      await act?.(client);
    } finally {
      await replica.close();
    }
  }
  const connect = (client: HttpClient) => client.post("/api/sync/connect", { server: api.server.url, token });
  async function isReadable(): Promise<boolean> {
    const files = (await readdir(dataDir, { withFileTypes: true })).filter((entry) => entry.isFile());
    const contents = await Promise.all(files.map(({ name }) => readFile(join(dataDir, name), "latin1")));
    return contents.some((content) => content.includes(token));
  }

  await once(undefined, "local", connect);
  expect(await isReadable()).toBe(true);
  await once("key", "up_to_date");
  expect(await isReadable()).toBe(false);
  await once("key", "up_to_date");
  await once("another key", "sign_in", async (client) => {
    expect((await client.get("/api/sync/status")).body.last_error).toMatch(/Sign in again/);
    expect((await client.post("/api/records", { files: { enabled: false } })).status).toBe(201);
    expect((await connect(client)).status).toBe(200);
  });
  expect(await isReadable()).toBe(false);
  await once("another key", "up_to_date");
  await once(undefined, "sign_in", connect);
  await once(undefined, "up_to_date");
});
