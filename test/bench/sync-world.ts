import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReplica, type RunningReplica } from "../../main/replica/open-replica.ts";
import { connectReplica } from "../../main/sync/connect.ts";
import { openServer, type RunningServer } from "../../server/open-server.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { newUser } from "../../shared/users/user.schema.ts";
import { FaultProxy } from "../support/fault-proxy.ts";
import { HttpClient } from "../support/http-client.ts";

export interface Seat {
  replica: RunningReplica;
  client: HttpClient;
  /** The connection to the server, which counts bytes. */
  line: FaultProxy;
}

/** A server with one user, and replicas of that user, each behind a fault proxy. */
export interface SyncWorld {
  folder: string;
  server: RunningServer;
  onServer: HttpClient;
  seat(name: string): Promise<Seat>;
}

/** Runs the work in such a world and removes it. */
export async function withSyncWorld<R>(work: (world: SyncWorld) => Promise<R>): Promise<R> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-bench-"));
  const common = { environment: machineEnvironment(), log: createLog("error") };
  const place = { dataDir: join(folder, "server"), hostName: "127.0.0.1", port: 0, settings: defaultSettings };
  const server = await openServer({ ...common, ...place });
  const userId = await server.services.users.create(newUser.parse({ username: "grace", email: "grace@example.org" }));
  const grant = { userId, byPassword: false, defaultScopes: ["read", "write"] as const };
  const { secret } = await server.services.tokens.issue(grant, { name: "bench" });
  const seats: Seat[] = [];
  const seat = async (name: string): Promise<Seat> => {
    const line = new FaultProxy(() => server.url);
    await line.listen();
    const replica = await openReplica({ ...common, dataDir: join(folder, name), port: 0, startPaused: false });
    await connectReplica(replica.host.db, replica.engine, line.url, secret);
    const made = { replica, client: new HttpClient(replica.url, replica.guard.secret), line };
    seats.push(made);
    return made;
  };
  try {
    return await work({ folder, server, onServer: new HttpClient(server.url, secret), seat });
  } finally {
    await Promise.all(seats.map(({ replica }) => replica.close()));
    await Promise.all(seats.map(({ line }) => line.close()));
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Waits until the server has everything of a replica. */
export async function sent({ client }: Pick<Seat, "client">): Promise<void> {
  while ((await client.get("/api/sync/status")).body.state !== "up_to_date") {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
