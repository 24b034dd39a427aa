import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";

/** The highest feed position in any row. */
export async function readHighestSeq(db: Db): Promise<number> {
  const { rows } = await sql<{ seq: number | null }>`
    select max(seq) as seq from (select max(seq) as seq from feed union all select max(seq) from operation_result) as ends
  `.execute(db);
  return rows[0]?.seq ?? 0;
}

export interface FeedEntry {
  user_id: string;
  kind: string;
  object_id: string;
}

/** Live feed entries of objects that do not exist. */
export async function listDanglingEntries(db: Db): Promise<FeedEntry[]> {
  const { rows } = await sql<FeedEntry>`
    select user_id, kind, object_id from feed where state = 'live' and (
      (kind = 'family' and object_id not in (select id from parent))
      or (kind = 'request' and object_id not in (select id from request))
      or (kind = 'user' and object_id not in (select id from "user"))
      or (kind = 'notification' and object_id not in (select id from notification)))
  `.execute(db);
  return rows;
}

/** Families without a feed entry for their owner. */
export async function listFamiliesWithoutEntry(db: Db): Promise<FeedEntry[]> {
  const { rows } = await sql<FeedEntry>`
    select owner_id as user_id, 'family' as kind, id as object_id from parent where not exists (
      select 1 from feed where feed.user_id = parent.owner_id and kind = 'family' and object_id = parent.id
        and state = 'live')
  `.execute(db);
  return rows;
}

/** On a replica: bases that cannot be parsed. */
export async function listBrokenBases(db: Db): Promise<{ kind: string; object_id: string }[]> {
  const rows = await db.selectFrom("base").select(["kind", "object_id"]).where(sql<boolean>`not json_valid(bundle)`);
  return rows.execute();
}
