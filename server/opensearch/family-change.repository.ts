import { sql } from "kysely";
import { isPostgres } from "../../shared/database/dialect.ts";
import type { Db } from "../../shared/database/open.ts";

/** A family and the position of its last change in the feed. */
export interface ChangedFamily {
  seq: number;
  id: string;
}

/** Families that changed after a place and up to a position of the feed, oldest change first. */
export async function listChangedFamilies(db: Db, after: ChangedFamily, upTo: number, limit: number) {
  const { rows } = await sql<ChangedFamily>`select object_id as id, max(seq) as seq from feed
    where kind = 'family' and seq >= ${after.seq} and seq <= ${upTo} group by object_id
    having (max(seq), object_id) > (${after.seq}, ${after.id}) order by 2, 1 limit ${limit}`.execute(db);
  return rows;
}

/** Families whose counts changed after a position. */
export async function listCountedFamilies(db: Db, after: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct parent_id as id from usage
    where seq > ${after} order by 1`.execute(db);
  return rows.map(({ id }) => id);
}

export async function readCountedHead(db: Db): Promise<number> {
  const { rows } = await sql<{ seq: number | null }>`select max(seq) as seq from usage`.execute(db);
  return rows[0]?.seq ?? 0;
}

/** Ids of all families after one, in order. */
export async function listFamilies(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db.selectFrom("parent").select("id").where("id", ">", after).orderBy("id").limit(limit).execute();
  return rows.map(({ id }) => id);
}

export async function countFamilies(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom("parent")
    .select((all) => all.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

const idsIn = (ids: readonly string[]) => sql<string>`(select value from json_each(${JSON.stringify(ids)}))`;

/** The ids of all records of some families, deleted ones included. */
export const listRecordIds = (db: Db, parentIds: readonly string[]) =>
  db.selectFrom("record").select(["id", "parent_id"]).where("parent_id", "in", idsIn(parentIds)).execute();

/** What decides now whether a caller may see documents. */
export const listRecordAccess = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom("record")
    .innerJoin("parent", "parent.id", "record.parent_id")
    .select(["record.id", "record.parent_id", "record.access", "parent.owner_id"])
    .where("record.id", "in", idsIn(ids))
    .where("record.tombstone", "is", null)
    .execute();

export const listDraftAccess = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom("draft")
    .innerJoin("parent", "parent.id", "draft.parent_id")
    .select(["draft.id", "draft.parent_id", "parent.owner_id"])
    .where("draft.id", "in", idsIn(ids))
    .execute();

/** SQLite has an index of the feed for each user only; the queue needs one of all positions. PostgreSQL has it. */
export async function prepareFeed(db: Db): Promise<void> {
  if (!isPostgres(db)) await sql`create index if not exists feed_all on feed(seq)`.execute(db);
}
