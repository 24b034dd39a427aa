import { sql } from "kysely";
import type { Db } from "../database/open.ts";
import { prepared, preparedFirst } from "../database/prepared.ts";
import type { DocumentRow, DraftRow, FileEntryRow, ParentRow, PidRow } from "../database/schema.ts";
import { sortedBy } from "../database/sorted.ts";
import type { EntryOwner } from "../files/file.reader.ts";
import { doiScheme, ownProvider, parentDoiScheme } from "../identifiers/pids.schema.ts";

export const insertParent = prepared((db, row: ParentRow) => db.insertInto("parent").values(row));

const listTaken = prepared((db, id: string, parentId: string) =>
  db
    .selectFrom("draft")
    .select("id")
    .where("id", "=", id)
    .unionAll(db.selectFrom("record").select("id").where("id", "=", id))
    .unionAll(db.selectFrom("alias").select("old_id as id").where("old_id", "=", id))
    .unionAll(db.selectFrom("parent").select("id").where("id", "=", parentId)),
);

/** The ids of a new draft and its family that are in use already. */
export async function takenIds(db: Db, id: string, parentId: string): Promise<string[]> {
  const rows = await listTaken(db, id, parentId);
  return [id, parentId].filter((one) => rows.some((row) => row.id === one));
}

export const insertDraft = prepared((db, row: DraftRow) => db.insertInto("draft").values(row));

export const updateDraft = prepared((db, id: string, change: Partial<DraftRow>) =>
  db.updateTable("draft").set(change).where("id", "=", id),
);

export const findDocument = preparedFirst((db, draftId: string) =>
  db.selectFrom("document").selectAll().where("draft_id", "=", draftId),
);

export const insertDocument = prepared((db, row: DocumentRow) => db.insertInto("document").values(row));

export const updateDocument = prepared((db, draftId: string, state: Uint8Array) =>
  db.updateTable("document").set({ state }).where("draft_id", "=", draftId),
);

const deleteDraftRow = prepared((db, id: string) => db.deleteFrom("draft").where("id", "=", id));
const deleteDocument = prepared((db, id: string) => db.deleteFrom("document").where("draft_id", "=", id));
const deleteWriters = prepared((db, id: string) => db.deleteFrom("document_writer").where("draft_id", "=", id));

const deleteRemovedFiles = prepared((db, id: string) => db.deleteFrom("removed_file").where("draft_id", "=", id));

/** Deletes the draft, its document and its removed files, if any, but not its present files and conflicts. */
export async function deleteDraft(db: Db, id: string, hasRemovedFiles = true): Promise<void> {
  if (hasRemovedFiles) await deleteRemovedFiles(db, id);
  await deleteDraftRow(db, id);
  await deleteDocument(db, id);
  await deleteWriters(db, id);
}

export const deleteDraftFiles = (db: Db, draftId: string) =>
  db.deleteFrom("file_entry").where("owner_kind", "=", "draft").where("owner_id", "=", draftId).execute();

/** Moves the files of a draft to the record with the same id. */
export const handFilesToRecord = prepared((db, id: string) =>
  db
    .updateTable("file_entry")
    .set({ owner_kind: "record" })
    .where("owner_kind", "=", "draft")
    .where("owner_id", "=", id),
);

/** Whether a family has no record and no draft. */
export async function isEmptyFamily(db: Db, parentId: string): Promise<boolean> {
  const contents = db.selectFrom("record").select("id").where("parent_id", "=", parentId);
  const drafts = db.selectFrom("draft").select("id").where("parent_id", "=", parentId);
  return (await contents.unionAll(drafts).executeTakeFirst()) === undefined;
}

export const deleteParent = (db: Db, id: string) => db.deleteFrom("parent").where("id", "=", id).execute();

export async function deleteFamilyAccess(db: Db, parentId: string): Promise<void> {
  await db.deleteFrom("access_link").where("parent_id", "=", parentId).execute();
  await db.deleteFrom("access_grant").where("parent_id", "=", parentId).execute();
}

/** The rows with the DOI of one record or draft. */
export const listPids = prepared((db, recordId: string) =>
  db.selectFrom("pid").selectAll().where("record_id", "=", recordId).where("scheme", "=", doiScheme),
);

interface DoiFlags {
  /** Whether the service has registered it. */
  is_registered: 0 | 1;
  is_reserved: 0 | 1;
}

const readDoiAndEntries = prepared(
  (_db, id: string, owner: EntryOwner) => sql<FileEntryRow & DoiFlags>`
    select doi.is_registered, doi.is_reserved, file_entry.* from (
      select coalesce(max(case when provider = ${ownProvider} and state = 'registered' then 1 else 0 end), 0) as is_registered,
        coalesce(max(case when state = 'reserved' then 1 else 0 end), 0) as is_reserved
      from pid where record_id = ${id} and scheme = ${doiScheme}) as doi
    left join file_entry on owner_kind = ${owner.kind} and owner_id = ${owner.id}`,
);
const listDoiAndEntries = sortedBy(readDoiAndEntries, "position", "created");

/** What is known of the DOI of a draft, and its file entries in their order. */
export async function findDoiAndEntries(
  db: Db,
  id: string,
  owner: EntryOwner,
): Promise<DoiFlags & { entries: FileEntryRow[] }> {
  const rows = await listDoiAndEntries(db, id, owner);
  const { is_registered = 0, is_reserved = 0 } = rows[0] ?? {};
  // Without entries there is one row that has the flags alone.
  const entries = rows.flatMap(({ is_registered: _, is_reserved: __, ...entry }) => (entry.id === null ? [] : [entry]));
  return { is_registered, is_reserved, entries };
}

/** Another record that has this identifier, registered or reserved. */
export const findPidElsewhere = (db: Db, identifier: string, recordId: string): Promise<PidRow | undefined> =>
  db
    .selectFrom("pid")
    .selectAll()
    .where("scheme", "=", doiScheme)
    .where("identifier", "=", identifier.toLowerCase())
    .where("record_id", "!=", recordId)
    .executeTakeFirst();

export const insertPid = prepared((db, row: PidRow) => db.insertInto("pid").values(row));

export const deletePids = prepared((db, recordId: string) =>
  db.deleteFrom("pid").where("record_id", "=", recordId).where("scheme", "=", doiScheme),
);

/** Deletes the identifiers that a draft reserved, that of all versions too; not the registered ones of its record. */
export const deleteReservedPids = prepared((db, recordId: string) =>
  db.deleteFrom("pid").where("record_id", "=", recordId).where("state", "=", "reserved"),
);

export const markParentDoiRegistered = prepared((db, parentId: string) =>
  db
    .updateTable("pid")
    .set({ state: "registered" })
    .where("parent_id", "=", parentId)
    .where("scheme", "=", parentDoiScheme),
);

export const deleteRequest = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom("event_file").where("request_id", "=", id).execute();
  await db.deleteFrom("event").where("request_id", "=", id).execute();
  await db.deleteFrom("request").where("id", "=", id).execute();
};
