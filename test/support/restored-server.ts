import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openReplica } from "../../main/replica/open-replica.ts";
import { connectReplica } from "../../main/sync/connect.ts";
import { openServer, type RunningServer } from "../../server/open-server.ts";
import { writeBackup } from "../../server/upkeep/backup.service.ts";
import { restoreBackup } from "../../server/upkeep/restore.service.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { newUser } from "../../shared/users/user.schema.ts";
import { FaultProxy } from "./fault-proxy.ts";
import { HttpClient } from "./http-client.ts";
import { newReplica } from "./two-replicas.ts";
import { unmigrate } from "./unmigrate.ts";
import { until } from "./until.ts";

const common = { environment: machineEnvironment(), log: createLog("silent") };

const startServer = (dataDir: string): Promise<RunningServer> =>
  openServer({ ...common, dataDir, hostName: "127.0.0.1", port: 0, settings: defaultSettings });

/** A server that can be restored from a backup, and alice's replica at it. */
export async function givenWorld() {
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

export const complete = (title: string) => ({
  metadata: {
    title,
    publication_date: "2024",
    resource_type: { id: "dataset" },
    creators: [{ person_or_org: { type: "personal", family_name: "Lovelace" } }],
  },
  files: { enabled: false },
});
export const comment = (content: string) => ({ payload: { content, format: "html" } });
export const titled = (title: string) => ({ metadata: { title }, files: { enabled: false } });
