import type { Db } from "../../shared/database/open.ts";
import type { FileEntryRow, ParentRow, RecordRow } from "../../shared/database/schema.ts";

export interface HarvestRows {
  records: Map<string, RecordRow>;
  parents: Map<string, ParentRow>;
  /** Entries of each record, in order. */
  entries: Map<string, FileEntryRow[]>;
}

/** Records that are not deleted, with their families and files: three statements for a page. */
export async function findHarvestRows(db: Db, ids: readonly string[]): Promise<HarvestRows> {
  const records = await db
    .selectFrom("record")
    .selectAll()
    .where("id", "in", ids)
    .where("tombstone", "is", null)
    .execute();
  const parentIds = [...new Set(records.map((record) => record.parent_id))];
  const parents = await db.selectFrom("parent").selectAll().where("id", "in", parentIds).execute();
  const entries = await db
    .selectFrom("file_entry")
    .selectAll()
    .where("owner_kind", "=", "record")
    .where("owner_id", "in", ids)
    .orderBy("position")
    .orderBy("created")
    .execute();
  return {
    records: new Map(records.map((record) => [record.id, record])),
    parents: new Map(parents.map((parent) => [parent.id, parent])),
    entries: Map.groupBy(entries, ({ owner_id }) => owner_id),
  };
}
