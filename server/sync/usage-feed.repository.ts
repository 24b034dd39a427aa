import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";
import type { UsageRow } from "../../shared/database/schema.ts";

/** A row of counts with the access settings of its version; null for a whole family. */
export interface CountedVersion extends UsageRow {
  access: string | null;
}

/**
 * Counts after a position, for families that a user's replicas hold. The `cross join` makes SQLite start with the
 * counts, which are few; otherwise it would scan everything the user holds.
 */
export async function listCounted(db: Db, userId: string, after: number, limit: number): Promise<CountedVersion[]> {
  const { rows } = await sql<CountedVersion>`select usage.*, record.access from usage
    cross join feed left join record on record.id = usage.id
    where feed.user_id = ${userId} and feed.kind = 'family' and feed.object_id = usage.parent_id and feed.state = 'live'
      and usage.seq > ${after} order by usage.seq, usage.id limit ${limit}`.execute(db);
  return rows;
}

/** All counts of these families. */
export async function listCountedOf(db: Db, parentIds: readonly string[]): Promise<CountedVersion[]> {
  const { rows } = await sql<CountedVersion>`select usage.*, record.access from usage
    left join record on record.id = usage.id
    where usage.parent_id in (select value from json_each(${JSON.stringify(parentIds)}))`.execute(db);
  return rows;
}

export async function readUsageHead(db: Db): Promise<number> {
  const { rows } = await sql<{ seq: number | null }>`select max(seq) as seq from usage`.execute(db);
  return rows[0]?.seq ?? 0;
}
