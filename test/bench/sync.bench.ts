import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReplica, type RunningReplica } from "../../main/replica/open-replica.ts";
import { connectReplica } from "../../main/sync/connect.ts";
import { openServer } from "../../server/open-server.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/kernel/settings.ts";
import { newUser } from "../../shared/users/user.schema.ts";
import { HttpClient } from "../support/http-client.ts";
import type { BenchCase } from "./bench-case.ts";

const changes = 100;
const boundMs = 400;

/** How long until a change made on one replica stands on the other, asked every two milliseconds. */
async function seenAfterMs(from: HttpClient, to: RunningReplica, path: string, version: string): Promise<number> {
  const id = path.split("/")[3] ?? "";
  const started = performance.now();
  await from.put(path, { metadata: { title: "A title", version } });
  for (;;) {
    const row = await to.host.db.selectFrom("draft").select("metadata").where("id", "=", id).executeTakeFirst();
    if (row && JSON.parse(row.metadata).version === version) return performance.now() - started;
    if (performance.now() - started > 10_000) throw new Error("a change was never seen");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** One change of one replica seen on another one of the same person, both online; the reference is the bound itself. */
export const bench: BenchCase = {
  name: "one change seen on another replica, p95",
  reach: "<= 1",
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "carrel-bench-"));
    const common = { environment: machineEnvironment(), log: createLog("error") };
    const place = { dataDir: join(folder, "server"), hostName: "127.0.0.1", port: 0, settings: defaultSettings };
    const server = await openServer({ ...common, ...place });
    const person = { username: "grace", email: "grace@example.org" };
    const userId = await server.services.users.create(newUser.parse(person));
    const grant = { userId, byPassword: false, defaultScopes: ["read", "write"] as const };
    const { secret } = await server.services.tokens.issue(grant, { name: "bench" });
    const open = async (name: string): Promise<RunningReplica> => {
      const replica = await openReplica({ ...common, dataDir: join(folder, name), port: 0, startPaused: false });
      await connectReplica(replica.host.db, replica.engine, server.url, secret);
      return replica;
    };
    const [here, there] = [await open("here"), await open("there")];
    try {
      const client = new HttpClient(here.url, here.door.secret);
      const draft = await client.post("/api/records", { files: { enabled: false }, metadata: { title: "A title" } });
      const path = `/api/records/${draft.body.id}/draft`;
      const times: number[] = [];
      for (let n = 0; n < changes; n++) times.push(await seenAfterMs(client, there, path, String(n)));
      times.sort((a, b) => a - b);
      const p95 = times[Math.floor(changes * 0.95)] ?? Number.NaN;
      return { ours: p95, reference: boundMs, unit: "ms", against: "the bound of 400 ms" };
    } finally {
      await Promise.all([here.close(), there.close()]);
      await server.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
