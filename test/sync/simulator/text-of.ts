import { sql } from "kysely";
import type { Db } from "../../../shared/database/open.ts";

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

/** Every word that a database has of people's work, as one text to search in. */
export async function everythingOn(db: Db): Promise<string> {
  const parts: unknown[] = [];
  for (const table of tables) parts.push((await sql`select * from ${sql.table(table)}`.execute(db)).rows);
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
