import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";
import { findSetting, storeSetting } from "../../shared/database/setting.repository.ts";

/** How far an index follows: positions in the feed and in the usage counts. */
export interface IndexPosition {
  seq: number;
  counted: number;
}

const placeName = "search.followed";

export async function readPosition(index: Db): Promise<IndexPosition> {
  const [seq = 0, counted = 0] = (await findSetting(index, placeName))?.split(" ").map(Number) ?? [];
  return { seq, counted };
}

export const storePosition = (index: Db, { seq, counted }: IndexPosition) =>
  storeSetting(index, placeName, `${seq} ${counted}`);

/** The newest position that this reader of the rows sees. */
export async function readNewest(rows: Db): Promise<IndexPosition> {
  const { rows: found } = await sql<{ seq: number | null; counted: number | null }>`
    select (select max(seq) from feed) as seq, (select max(seq) from usage) as counted`.execute(rows);
  return { seq: found[0]?.seq ?? 0, counted: found[0]?.counted ?? 0 };
}

/** A family and the position of its last change. */
interface ChangedFamily {
  seq: number;
  id: string;
}

/** Families that changed after a place and up to a position, oldest change first. */
export async function listChangedFamilies(rows: Db, after: ChangedFamily, upTo: number, limit: number) {
  const { rows: found } = await sql<ChangedFamily>`select object_id as id, max(seq) as seq from feed
    where kind = 'family' and seq >= ${after.seq} and seq <= ${upTo} group by object_id
    having (max(seq), object_id) > (${after.seq}, ${after.id}) order by 2, 1 limit ${limit}`.execute(rows);
  return found;
}

/** Families whose counts changed after a position. */
export async function listCountedFamilies(rows: Db, after: number): Promise<string[]> {
  const { rows: found } = await sql<{ id: string }>`select distinct parent_id as id from usage
    where seq > ${after}`.execute(rows);
  return found.map(({ id }) => id);
}

/** Commits of the index do not wait for the disk: it can be built again. */
export const makeReplaceable = (index: Db) => sql`pragma synchronous = off`.execute(index);
