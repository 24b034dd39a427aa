import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openReplica } from "../../main/replica/open-replica.ts";
import { connectReplica } from "../../main/sync/connect.ts";
import { openServer, type RunningServer } from "../../server/open-server.ts";
import { writeBackup } from "../../server/upkeep/backup.service.ts";
import { restoreBackup } from "../../server/upkeep/restore.service.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { newUser } from "../../shared/users/user.schema.ts";
import { FaultProxy } from "../support/fault-proxy.ts";
import { addFile, fileOf, givenDraft } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { newReplica, stateOf, trayOf } from "../support/two-replicas.ts";
import { unmigrate } from "../support/unmigrate.ts";
import { until } from "../support/until.ts";

const common = { environment: machineEnvironment(), log: createLog("silent") };

const startServer = (dataDir: string): Promise<RunningServer> =>
  openServer({ ...common, dataDir, hostName: "127.0.0.1", port: 0, settings: defaultSettings });

async function givenWorld() {
  const folder = await mkdtemp(join(tmpdir(), "carrel-restored-"));
  let server = await startServer(join(folder, "server"));
  let isRunning = true;
  const line = new FaultProxy(() => (isRunning ? server.url : undefined));
  await line.listen();
  const replica = await openReplica({ ...common, dataDir: join(folder, "replica"), port: 0, startPaused: false });
  onTestFinished(async () => {
    await replica.close();
    await line.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { users, tokens } = server.services;
  const userId = await users.create(newUser.parse({ username: "alice", email: "alice@example.org" }));
  const grant = { userId, byPassword: false, defaultScopes: ["read", "write"] as const };
  const { secret } = await tokens.issue(grant, { name: "tests" });
  await connectReplica(replica.host.db, replica.engine, line.url, secret);
  const alice = new HttpClient(replica.url, replica.guard.secret);
  return {
    alice,
    replica,
    onServer: new HttpClient(line.url, secret),
    /** A desk of another person, at the same server. */
    async secondDesk(username: string) {
      const id = await users.create(newUser.parse({ username, email: `${username}@example.org` }));
      const { secret: token } = await tokens.issue({ ...grant, userId: id }, { name: "tests" });
      const desk = await newReplica();
      const bob = new HttpClient(desk.url, desk.guard.secret);
      await bob.post("/api/sync/connect", { server: line.url, token });
      return { bob, id };
    },
    backUp: () => writeBackup(join(folder, "server"), join(folder, "backup.zip")),
    newUser: (username: string) =>
      server.services.users.create(newUser.parse({ username, email: `${username}@example.org` })),
    /** Copies the files of the stopped server; @returns what puts them back by hand, without `carrel restore`. */
    async copyFiles(): Promise<() => Promise<void>> {
      const withFiles = async (from: string, to: string) => {
        await server.close();
        isRunning = false;
        await rm(join(folder, to), { recursive: true, force: true });
        await cp(join(folder, from), join(folder, to), { recursive: true });
        server = await startServer(join(folder, "server"));
        isRunning = true;
      };
      await withFiles("server", "copy");
      return () => withFiles("copy", "server");
    },
    /** Starts the server again at the same address with the restored data. */
    async restore(version: "present" | "earlier" = "present"): Promise<void> {
      await server.close();
      isRunning = false;
      await restoreBackup(join(folder, "backup.zip"), join(folder, "restored"));
      if (version === "earlier") unmigrate(join(folder, "restored", "carrel.sqlite"));
      server = await startServer(join(folder, "restored"));
      isRunning = true;
      replica.engine.retryNow();
    },
    async synced(): Promise<Record<string, unknown>> {
      let status: Record<string, unknown> = {};
      const isSynced = async () => {
        status = (await alice.get("/api/sync/status")).body;
        return status.state === "up_to_date";
      };
      await until(isSynced, "all is settled");
      return status;
    },
  };
}

const complete = (title: string) => ({
  metadata: {
    title,
    publication_date: "2024",
    resource_type: { id: "dataset" },
    creators: [{ person_or_org: { type: "personal", family_name: "Lovelace" } }],
  },
  files: { enabled: false },
});
const comment = (content: string) => ({ payload: { content, format: "html" } });
const titled = (title: string) => ({ metadata: { title }, files: { enabled: false } });

test.each(["present", "earlier"] as const)(
  "server restored from an older backup (of the %s version of the database): noticed; what was delivered since is delivered again, once (hosts-and-sync 4, 7)",
  async (version) => {
    const { alice, onServer, backUp, restore, synced, replica } = await givenWorld();
    const old = (await alice.post("/api/records", titled("Before"))).body.id;
    const dropped = (await alice.post("/api/records", titled("Dropped later"))).body.id;
    expect(await synced()).toMatchObject({ state: "up_to_date" });
    await backUp();
    expect((await alice.put(`/api/records/${old}/draft`, titled("Before, changed after"))).status).toBe(200);
    expect((await alice.delete(`/api/records/${dropped}/draft`)).status).toBe(204);
    const made = await givenDraft(alice);
    await addFile(alice, made, "core.bin", "bytes that came after the backup");
    const published = await alice.post("/api/records", complete("Published"));
    await synced();
    expect((await alice.post(`/api/records/${published.body.id}/draft/actions/publish`)).status).toBe(202);
    await synced();
    const link = await alice.post(`/api/records/${made}/access/links`, { permission: "view" });
    expect(link.status).toBe(201);
    expect(await synced()).toMatchObject({ state: "up_to_date", pending: 0 });
    expect((await alice.get("/api/sync/operations")).body.hits.total).toBe(0);

    await restore(version);
    expect(await synced()).toMatchObject({ state: "up_to_date", pending: 0, rejected: 0 });

    expect((await onServer.get(`/api/records/${old}/draft`)).body.metadata.title).toBe("Before, changed after");
    expect((await onServer.get(`/api/records/${dropped}/draft`)).status).toBe(404);
    expect((await onServer.get(`${fileOf(made, "core.bin")}/content`)).text).toBe("bytes that came after the backup");
    expect((await onServer.get(`/api/records/${made}/access/links`)).body.hits.hits).toMatchObject([
      { id: link.body.id, token: link.body.token },
    ]);
    expect((await onServer.get(`/api/records/${published.body.id}`)).body.metadata.title).toBe("Published");
    for (const client of [alice, onServer]) {
      const { body } = await client.get("/api/user/records");
      expect(body.hits.hits.map((hit: { id: string }) => hit.id).sort()).toEqual([old, made, published.body.id].sort());
    }
    expect(replica.engine.connection.lastError).toBeNull();
  },
);

test("a grant to a user whom the server lost reaches nobody else: it goes to the tray (hosts-and-sync 3, 4)", async () => {
  const { alice, onServer, backUp, newUser, restore } = await givenWorld();
  const draft = (await alice.post("/api/records", titled("Shared"))).body.id;
  const state = async () => (await alice.get("/api/sync/status")).body.state;
  await expect.poll(state).toBe("up_to_date");
  await backUp();
  const lost = await newUser("bob");
  const grants = `/api/records/${draft}/access/grants`;
  await alice.post(grants, { grants: [{ subject: { type: "user", id: lost }, permission: "edit" }] });
  await expect.poll(state).toBe("up_to_date");
  await alice.post("/api/sync/pause");

  await restore();
  expect(await newUser("eve")).not.toBe(lost);
  await alice.post("/api/sync/resume");
  await expect.poll(state).toBe("needs_you");
  expect((await onServer.get(grants)).body.hits.hits).toEqual([]);
  const [refused] = (await alice.get("/api/sync/tray")).body.hits.hits;
  expect(refused).toMatchObject({ kind: "access-grant.create", reason: expect.stringContaining(lost) });
});

test("work of another person that the server lost goes from the replica; own unsent work waits for its turn", async () => {
  const { alice, onServer, backUp, restore, synced } = await givenWorld();
  await synced();
  await backUp();
  const there = (await onServer.post("/api/records", titled("Made on the server"))).body.id;
  await expect.poll(async () => (await alice.get(`/api/records/${there}/draft`)).status).toBe(200);
  const here = (await alice.post("/api/records", titled("Made here"))).body.id;
  await synced();
  await alice.post("/api/sync/pause");
  await alice.put(`/api/records/${here}/draft`, titled("Made here, unsent"));
  await restore();
  await alice.post("/api/sync/resume");
  expect(await synced()).toMatchObject({ state: "up_to_date" });
  expect((await alice.get(`/api/records/${there}/draft`)).status).toBe(404);
  expect((await onServer.get(`/api/records/${here}/draft`)).body.metadata.title).toBe("Made here, unsent");
});

test("bytes freed here and lost by a restored server: the tray says so; the same file added again is sent (hosts-and-sync 4, 5)", async () => {
  const { alice, backUp, onServer, restore, synced } = await givenWorld();
  const id = await givenDraft(alice);
  await synced();
  await backUp();
  await addFile(alice, id, "core.bin", "the only bytes");
  await synced();
  expect((await alice.post("/api/sync/storage/free")).body.cached).toBe(0);
  await restore();
  const tray = async () => (await alice.get("/api/sync/tray")).body.hits.hits;
  await expect.poll(tray).toHaveLength(1);
  const [entry] = await tray();
  expect(entry).toMatchObject({ kind: "file.commit", object: { id, title: "Deep sea core" } });
  expect(entry.reason).toContain("no longer on this computer or on the server");
  await expect
    .poll(async () => (await alice.get("/api/sync/status")).body)
    .toMatchObject({ state: "needs_you", pending: 0 });
  expect((await alice.putBytes(`${fileOf(id, "core.bin")}/content`, "the only bytes")).status).toBe(200);
  expect((await alice.post(`${fileOf(id, "core.bin")}/commit`)).status).toBe(200);
  await expect.poll(async () => (await onServer.get(`${fileOf(id, "core.bin")}/content`)).text).toBe("the only bytes");
  expect((await alice.delete(`/api/sync/tray/${entry.id}`)).status).toBe(204);
  expect(await synced()).toMatchObject({ state: "up_to_date" });
});

test("old files put back by hand, and others wrote past the lost part: noticed; what was delivered since is delivered again, and a lost user's id is not given to another (hosts-and-sync 4)", async () => {
  const { alice, onServer, newUser, copyFiles, synced } = await givenWorld();
  const draft = (await alice.post("/api/records", titled("Before"))).body.id;
  await synced();
  const putBack = await copyFiles();
  await synced();
  const lost = await newUser("bob");
  await alice.put(`/api/records/${draft}/draft`, titled("Before, changed after"));
  const made = (await alice.post("/api/records", titled("Made after"))).body.id;
  await synced();
  await alice.post("/api/sync/pause");

  await putBack();
  const others: string[] = [];
  for (let index = 0; index < 8; index += 1) {
    others.push((await onServer.post("/api/records", titled(`Written by others ${index}`))).body.id);
  }
  await alice.post("/api/sync/resume");
  await expect.poll(async () => (await onServer.get(`/api/records/${made}/draft`)).status).toBe(200);
  expect(await synced()).toMatchObject({ pending: 0, rejected: 0 });
  expect((await onServer.get(`/api/records/${draft}/draft`)).body.metadata.title).toBe("Before, changed after");
  for (const id of others) expect((await alice.get(`/api/records/${id}/draft`)).status).toBe(200);
  expect(await newUser("eve")).not.toBe(lost);
});

test("a second person's work on what the server lost, delivered before the first person's: it goes to the server by itself when what it needs is back, once (hosts-and-sync 4)", async () => {
  const { alice, onServer, backUp, restore, synced, secondDesk } = await givenWorld();
  const { bob, id: bobId } = await secondDesk("bob");
  const reviewed = (await alice.post("/api/records", complete("Reviewed"))).body.id;
  await synced();
  const review = await onServer.put(`/api/records/${reviewed}/draft/review`, { receiver: { user: bobId } });
  expect((await onServer.post(`/api/records/${reviewed}/draft/actions/submit-review`)).status).toBe(202);
  const comments = `/api/requests/${review.body.id}/comments`;
  await backUp();

  const shared = (await alice.post("/api/records", { metadata: { title: "Shared later" } })).body.id;
  const grants = [{ subject: { type: "user", id: bobId }, permission: "manage" }];
  expect((await alice.post(`/api/records/${shared}/access/grants`, { grants })).status).toBe(201);
  const asked = await alice.post(comments, comment("Which core?"));
  await synced();
  await expect.poll(async () => (await bob.get(`/api/records/${shared}/draft`)).status).toBe(200);
  await addFile(bob, shared, "by-bob.txt", "bytes of bob");
  expect((await bob.put(`/api/records/${shared}/draft`, { metadata: { title: "Shared, by bob" } })).status).toBe(200);
  await expect
    .poll(async () => (await bob.post(`${comments}/${asked.body.id}/reply`, comment("Core 12"))).status)
    .toBe(201);
  await expect.poll(() => stateOf(bob)).toBe("up_to_date");
  await alice.post("/api/sync/pause");

  await restore();
  await bob.post("/api/sync/run");
  await expect
    .poll(async () => (await trayOf(bob)).map(({ kind }: { kind: string }) => kind).sort())
    .toEqual(["comment.create", "draft.edit", "file.init"]);
  for (const { reason } of await trayOf(bob)) expect.soft(reason).toContain("The server was restored from a backup");
  await alice.post("/api/sync/resume");

  await expect.poll(() => stateOf(bob)).toBe("up_to_date");
  await synced();
  for (const client of [onServer, alice, bob]) {
    await expect
      .poll(async () => (await client.get(`/api/records/${shared}/draft`)).body.metadata?.title)
      .toBe("Shared, by bob");
    expect((await client.get(`${fileOf(shared, "by-bob.txt")}/content`)).text).toBe("bytes of bob");
    const replies = await client.get(`${comments}/${asked.body.id}/replies`);
    expect(replies.body.hits.hits.map((hit: { payload: { content: string } }) => hit.payload.content)).toEqual([
      "Core 12",
    ]);
  }
  expect(await trayOf(bob)).toEqual([]);
});
