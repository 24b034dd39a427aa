import { sql } from "kysely";
import type { Db } from "../database/open.ts";

const removed = (db: Db) => db.selectFrom("record").where("tombstone", "is not", null);

/** Deleted records with their owner, the last deleted first. */
export const listRemoved = (db: Db, { offset, limit }: { offset: number; limit: number }) =>
  removed(db)
    .innerJoin("parent", "parent.id", "record.parent_id")
    .select(["record.id", "record.expanded", "record.tombstone", "parent.owner_id"])
    .orderBy(sql`record.tombstone ->> 'removal_date'`, "desc")
    .orderBy("record.id")
    .limit(limit)
    .offset(offset)
    .execute();

export const countRemoved = async (db: Db): Promise<number> =>
  (
    await removed(db)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow()
  ).count;
