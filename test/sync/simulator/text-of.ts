import { sql } from "kysely";
import type { Db } from "../../../shared/database/open.ts";
import type { SimReplica } from "./sim-replica.ts";
import type { SimServer } from "./sim-server.ts";

const tables = [
  "draft",
  "record",
  "conflict",
  "event",
  "file_entry",
  "access_grant",
  "access_link",
  "operation",
  "operation_result",
];

const openStates = ["pending", "sending", "applied", "rejected", "delivered"] as const;

/** Every word that a database has of people's work, as one text to search in. */
export async function everythingOn(db: Db): Promise<string> {
  const parts: unknown[] = [];
  for (const table of tables) parts.push((await sql`select * from ${sql.table(table)}`.execute(db)).rows);
  return JSON.stringify(parts);
}

/** Work that lies before its person: what was refused, and all work of people whom the server does not let in any more. */
export async function keptText(server: SimServer, replicas: readonly SimReplica[]): Promise<string> {
  const parts: unknown[] = [];
  for (const { db, userId } of replicas) {
    const isShutOut = (await server.callerOf(userId)) === undefined;
    const states = isShutOut ? openStates : (["rejected"] as const);
    parts.push(await db.selectFrom("operation").selectAll().where("state", "in", states).execute());
  }
  return JSON.stringify(parts);
}

/** Operations that a server carried out. */
export async function appliedOn(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom("operation_result").select("id").where("outcome", "=", "applied").execute();
  return new Set(rows.map(({ id }) => id));
}

/** What a replica can tell a server of the work done on it: not the titles of what it was done to, which others gave. */
export async function operationsOn(db: Db): Promise<string> {
  const told = ["id", "wire_id", "payload", "blobs", "snapshot"] as const;
  return JSON.stringify(await db.selectFrom("operation").select(told).execute());
}
