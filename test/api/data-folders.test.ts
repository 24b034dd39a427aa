import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { demoCommand } from "../../main/commands/demo.ts";
import { openReplica } from "../../main/replica/open-replica.ts";
import { forget, recall } from "../../main/sync/person.repository.ts";
import { personIn } from "../../main/sync/person.ts";
import { createPuller } from "../../main/sync/puller.ts";
import { removeEverything } from "../../main/sync/remove-everything.ts";
import { carrelCalls } from "../../main/upstreams/carrel/carrel-upstream.ts";
import { groupsCommand } from "../../server/commands/groups.ts";
import { serverCommand } from "../../server/commands/server.ts";
import { tokensCommand } from "../../server/commands/tokens.ts";
import { usersCommand } from "../../server/commands/users.ts";
import { vocabulariesCommand } from "../../server/commands/vocabularies.ts";
import { openServer, type RunningServer } from "../../server/open-server.ts";
import { writeBackup } from "../../server/upkeep/backup.service.ts";
import { checkData } from "../../server/upkeep/check.service.ts";
import { withServices } from "../../server/with-services.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { scopeNames } from "../../shared/tokens/token.schema.ts";
import { newUser } from "../../shared/users/user.schema.ts";
import { addFile, must } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { synced } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

// One data folder on each of two servers, and a replica's data folder.

const common = { environment: machineEnvironment(), log: createLog("silent"), port: 0 };
let root = "";
const servers: RunningServer[] = [];

/** A server whose first user, id 1, has this name. */
async function serverOf(username: string) {
  const dataDir = join(root, `server-${username}`);
  const server = await openServer({ ...common, dataDir, hostName: "127.0.0.1", settings: defaultSettings });
  servers.push(server);
  const { users, tokens } = server.services;
  const id = await users.create(newUser.parse({ username, email: `${username}@example.org` }));
  const { secret } = await tokens.issue({ userId: id, byPassword: false, defaultScopes: scopeNames }, { name: "t" });
  return {
    dataDir,
    server,
    id,
    form: { server: server.url, token: secret },
    client: new HttpClient(server.url, secret),
  };
}

async function replicaIn(name: string) {
  const dataDir = join(root, name);
  const replica = await openReplica({ ...common, dataDir, startPaused: false });
  onTestFinished(() => replica.close());
  return {
    dataDir,
    db: replica.host.db,
    host: replica.host,
    client: new HttpClient(replica.url, replica.guard.secret),
  };
}

let ada: Awaited<ReturnType<typeof serverOf>>;
let zoe: Awaited<ReturnType<typeof serverOf>>;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "carrel-folders-"));
  [ada, zoe] = [await serverOf("ada"), await serverOf("zoe")];
});

afterAll(async () => {
  for (const server of servers) await server.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

describe("whose a data folder is (hosts-and-sync 1, 5, 8)", () => {
  test("hosts 8: connecting as another user than the data folder's: 409, also if another server uses the same id", async () => {
    expect(zoe.id).toBe(ada.id);
    const { client } = await replicaIn("of-ada");
    const first = must(await client.post("/api/sync/connect", ada.form), 200);
    expect(first.body, "reached just now").toMatchObject({ online: true, state: "syncing" });
    await synced(client);
    must(await client.post("/api/sync/pause"), 200);
    const { id } = must(await client.post("/api/records", { metadata: { title: "Private" } }), 201).body;
    for (const disconnect of [false, true]) {
      if (disconnect) must(await client.delete("/api/sync/connect"), 200);
      const refused = await client.post("/api/sync/connect", zoe.form);
      expect(refused).toMatchObject({ status: 409, body: { message: expect.stringMatching(/ada of another server/) } });
      expect((await client.get(`/api/records/${id}/draft`)).status).toBe(200);
    }
    expect((await zoe.client.get("/api/user/records")).body.hits.total).toBe(0);
    const back = must(await client.post("/api/sync/connect", ada.form), 200);
    expect(back.body, "the line was paused, and ended").toMatchObject({ paused: false });
    await synced(client);
    expect((await ada.client.get(`/api/records/${id}/draft`)).status).toBe(200);
  });

  test("hosts 8: a folder connected before servers had a library of their own learns it, and is refused elsewhere then", async () => {
    const { client, db } = await replicaIn("of-old");
    must(await client.post("/api/sync/connect", ada.form), 200);
    await synced(client);
    await forget(db, ["library"]);
    must(await client.post("/api/sync/pause"), 200);
    must(await client.post("/api/sync/resume"), 200);
    await until(async () => (await recall(db, "library")) !== undefined, "it learns");
    expect((await client.post("/api/sync/connect", zoe.form)).status).toBe(409);
  });

  test("hosts 5: of a first page that arrives after DELETE data=remove nothing is kept", async () => {
    const { db, host } = await replicaIn("removed-early");
    await ada.client.post("/api/records", { metadata: { title: "Not to stay" } });
    const { body } = must(await ada.client.get("/api/sync/changes?limit=50"), 200);
    const project = async () => undefined;
    const common = { host, handlers: new Map(), callerIn: personIn, project, isMassRemovalAllowed: () => false };
    const puller = createPuller({ ...common, onChanged: () => undefined, onStartOver: () => undefined });
    const call = async () => {
      await removeEverything({ db, disk: { removeAll: async () => undefined }, project });
      return { status: 200, body };
    };
    expect(body.changes.length).toBeGreaterThan(0);
    await puller.pull(carrelCalls(db, { call }));
    await puller.close();
    expect(await db.selectFrom("parent").select("id").execute()).toEqual([]);
  });

  test("hosts 5: DELETE data=remove leaves nothing to miss; then the folder is anybody's, on any server", async () => {
    const { client, dataDir } = await replicaIn("removed");
    must(await client.post("/api/sync/connect", ada.form), 200);
    const { id } = must(await client.post("/api/records", { metadata: { title: "With a file" } }), 201).body;
    await addFile(client, id, "core.bin", "bytes of a core");
    await synced(client);
    must(await client.post("/api/sync/pause"), 200);
    must(await client.post("/api/records", { metadata: { title: "Unsent" } }), 201);
    const refused = await client.delete("/api/sync/connect?data=remove");
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringMatching(/^1 change has /) } });
    const removed = must(await client.delete("/api/sync/connect?data=remove&force=true"), 200);
    expect(removed.body).toMatchObject({ state: "local", user: null, paused: false });
    for await (const finding of checkData(dataDir, false)) expect(finding).toBeUndefined();
    must(await client.post("/api/sync/connect", zoe.form), 200);
    await synced(client);
    expect((await client.get("/api/me")).body.username).toBe("zoe");
    expect((await client.get("/api/user/records")).body.hits.total).toBe(0);
  });

  test("hosts 1: a server's folder is not opened as a replica's, nor a replica's by a server or its commands", async () => {
    const { dataDir } = await replicaIn("a-copy");
    const asServer = { ...common, dataDir, hostName: "127.0.0.1", settings: defaultSettings };
    await expect(openServer(asServer)).rejects.toThrow(/is a person's own copy: use another one/);
    await expect(withServices(dataDir, async () => undefined)).rejects.toThrow(/is a person's own copy/);
    const file = join(root, "entries.csv");
    writeFileSync(file, "id,title\nxy,Xylish\n");
    const entries = vocabulariesCommand.run(["import", "--data", dataDir, "languages", file]);
    await expect(entries).rejects.toThrow(/is a person's own copy/);
    const asReplica = openReplica({ ...common, dataDir: ada.dataDir, startPaused: true });
    await expect(asReplica).rejects.toThrow(/is a server's: use another one/);
    const people = await ada.server.services.users.list(ada.server.host.db);
    expect(people.map(({ id }) => id)).not.toContain("local");
  });

  test.runIf(process.platform === "linux")(
    "hosts 1: what a killed process left does not keep the folder shut, also when another process has its number now",
    async () => {
      const lock = join(root, "killed", "replica.pid");
      mkdirSync(join(root, "killed"));
      writeFileSync(lock, `${process.ppid} 1`);
      const { client } = await replicaIn("killed");
      expect((await client.get("/healthz")).status).toBe(200);
      expect(readFileSync(lock, "utf8")).toMatch(new RegExp(`^${process.pid} \\d+$`));
    },
  );

  test.each([
    ["users list", () => usersCommand, Failure, /There is no Carrel data in/],
    ["tokens list", () => tokensCommand, Failure, /There is no Carrel data in/],
    ["groups list", () => groupsCommand, Failure, /There is no Carrel data in/],
    ["vocabularies import languages nowhere.csv", () => vocabulariesCommand, Failure, /There is no file/],
    ["server --base-url nonsense", () => serverCommand, UsageError, /^--base-url must be an address/],
    [
      "server --base-url https://example.org/carrel/",
      () => serverCommand,
      UsageError,
      /^--base-url cannot have a path \('\/carrel'\)\. Give the server a host name of its own/,
    ],
  ])(
    "hosts 1: %s, on a folder that is not there, says so in one line and makes nothing",
    async (line, of, kind, words) => {
      const dataDir = join(root, "nowhere");
      const args = line.split(" ").slice(1);
      const refusal = await of()
        .run([...args, "--data", dataDir])
        .catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(kind);
      expect((refusal as Error).message).toMatch(words);
      expect((refusal as Error).message).not.toContain("\n");
      await expect(rm(dataDir, { recursive: true })).rejects.toThrow(/ENOENT/);
    },
  );

  test("hosts 1: a wrong --port of the demo is reported before anything is built", async () => {
    await expect(demoCommand.run(["--port", "many"])).rejects.toThrow(/^--port must be a number/);
  });

  test("hosts 1: a backup to the name of a folder is refused in words", async () => {
    await expect(writeBackup(ada.dataDir, root)).rejects.toThrow(/is there already, and is not a backup/);
  });
});
