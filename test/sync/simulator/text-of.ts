import { sql } from "kysely";
import { madeBy } from "../../../main/sync/part.policy.ts";
import { listChangesOf } from "../../../main/sync/part.repository.ts";
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

/** All content of users in a database, as one text to search. */
export async function everythingOn(db: Db): Promise<string> {
  const parts: unknown[] = [];
  for (const table of tables) parts.push((await sql`select * from ${sql.table(table)}`.execute(db)).rows);
  return JSON.stringify(parts);
}

/**
 * Work kept for its user: rejected operations, changes of what they made, which wait for them, and all operations of
 * users whom the server no longer authenticates.
 */
export async function keptText(server: SimServer, replicas: readonly SimReplica[]): Promise<string> {
  const parts: unknown[] = [];
  for (const { db, userId } of replicas) {
    const isShutOut = (await server.callerOf(userId)) === undefined;
    const states = isShutOut ? openStates : (["rejected"] as const);
    const kept = await db.selectFrom("operation").selectAll().where("state", "in", states).execute();
    parts.push(kept, await listChangesOf(db, kept.flatMap(madeBy)));
  }
  return JSON.stringify(parts);
}

/** Operations that a server applied. */
export async function appliedOn(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom("operation_result").select("id").where("outcome", "=", "applied").execute();
  return new Set(rows.map(({ id }) => id));
}

/** The operations that a replica can send to a server, without titles of objects, which others wrote. */
export async function operationsOn(db: Db): Promise<string> {
  const columns = ["id", "wire_id", "payload", "blobs", "snapshot"] as const;
  return JSON.stringify(await db.selectFrom("operation").select(columns).execute());
}
