import type { Db } from "../database/open.ts";
import { prepared, preparedFirst } from "../database/prepared.ts";
import type { PidRow, RecordRow } from "../database/schema.ts";
import { sortedBy } from "../database/sorted.ts";
import { doiScheme, parentDoiScheme } from "../identifiers/pids.schema.ts";
import { findLatestRecord } from "./record.reader.ts";

const findMove = preparedFirst((db, id: string) => db.selectFrom("alias").select("new_id").where("old_id", "=", id));

export const findAlias = async (db: Db, id: string): Promise<string | undefined> => (await findMove(db, id))?.new_id;

/** Published versions that are not deleted, newest first. */
export const listRecords = (db: Db, parentId: string): Promise<RecordRow[]> =>
  db
    .selectFrom("record")
    .selectAll()
    .where("parent_id", "=", parentId)
    .where("tombstone", "is", null)
    .orderBy("version_index", "desc")
    .execute();

/** What a registered DOI names: a version, or a family by the DOI of all versions. Several records may have one from elsewhere. */
export const listByDoi = (db: Db, doi: string): Promise<Pick<PidRow, "scheme" | "parent_id" | "record_id">[]> =>
  db
    .selectFrom("pid")
    .select(["scheme", "parent_id", "record_id"])
    .where("scheme", "in", [doiScheme, parentDoiScheme])
    .where("identifier", "=", doi.toLowerCase())
    .where("state", "=", "registered")
    .orderBy("record_id")
    .execute();

const readFamilyLinks = prepared((db, parentId: string) =>
  db.selectFrom("access_link").selectAll().where("parent_id", "=", parentId),
);

export const listFamilyLinks = sortedBy(readFamilyLinks, "created_at", "id");

export const updateRecord = (db: Db, id: string, change: Partial<RecordRow>) =>
  db.updateTable("record").set(change).where("id", "=", id).execute();

/** Marks the newest version that is not deleted as the latest one. */
export async function markLatest(db: Db, parentId: string): Promise<void> {
  await db.updateTable("record").set({ is_latest: 0 }).where("parent_id", "=", parentId).execute();
  const latest = await findLatestRecord(db, parentId);
  if (latest) await updateRecord(db, latest.id, { is_latest: 1 });
}

/** Records whose embargo is not lifted yet. */
export const listEmbargoed = (db: Db): Promise<RecordRow[]> =>
  db.selectFrom("record").selectAll().where("access", "like", '%"active":true%').execute();
