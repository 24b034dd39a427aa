import { sql } from "kysely";
import type { Db } from "../database/open.ts";
import { prepared, preparedFirst } from "../database/prepared.ts";
import type { AccessGrantRow, PidRow, RecordRow } from "../database/schema.ts";
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

/** The links to a family (`subject_type` is null) and its grants, oldest first. */
const listShares = prepared(
  (_db, parentId: string) => sql<Omit<AccessGrantRow, "subject_type"> & { subject_type: string | null }>`
    select * from (
      select id, parent_id, subject_type, subject_id, permission, origin, message, created from access_grant
      union all select id, parent_id, null, null, permission, null, null, created_at from access_link) as share
    where parent_id = ${parentId} order by created, id`,
);

/** Who besides its owner has access to a family. */
export async function findShares(db: Db, parentId: string): Promise<{ linkIds: string[]; grants: AccessGrantRow[] }> {
  const rows = await listShares(db, parentId);
  const isGrant = (row: (typeof rows)[number]): row is AccessGrantRow => row.subject_type !== null;
  return { linkIds: rows.filter((row) => !isGrant(row)).map(({ id }) => id), grants: rows.filter(isGrant) };
}

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
