import type { Db } from "../database/open.ts";
import type { DocumentRow, DraftRow, ParentRow, PidRow } from "../database/schema.ts";

export const insertParent = (db: Db, row: ParentRow) => db.insertInto("parent").values(row).execute();

export const findParent = (db: Db, id: string): Promise<ParentRow | undefined> =>
  db.selectFrom("parent").selectAll().where("id", "=", id).executeTakeFirst();

export const insertDraft = (db: Db, row: DraftRow) => db.insertInto("draft").values(row).execute();

export const updateDraft = (db: Db, id: string, change: Partial<DraftRow>) =>
  db.updateTable("draft").set(change).where("id", "=", id).execute();

export const findDocument = (db: Db, draftId: string): Promise<DocumentRow | undefined> =>
  db.selectFrom("document").selectAll().where("draft_id", "=", draftId).executeTakeFirst();

export const insertDocument = (db: Db, row: DocumentRow) => db.insertInto("document").values(row).execute();

export const updateDocument = (db: Db, draftId: string, state: Uint8Array) =>
  db.updateTable("document").set({ state }).where("draft_id", "=", draftId).execute();

/** The draft itself and its document; its files and the values in dispute are another matter. */
export async function deleteDraft(db: Db, id: string): Promise<void> {
  await db.deleteFrom("draft").where("id", "=", id).execute();
  await db.deleteFrom("document").where("draft_id", "=", id).execute();
  await db.deleteFrom("document_writer").where("draft_id", "=", id).execute();
}

export const deleteDraftFiles = (db: Db, draftId: string) =>
  db.deleteFrom("file_entry").where("owner_kind", "=", "draft").where("owner_id", "=", draftId).execute();

/** The files of a draft become those of the record of the same id. */
export const handFilesToRecord = (db: Db, id: string) =>
  db
    .updateTable("file_entry")
    .set({ owner_kind: "record" })
    .where("owner_kind", "=", "draft")
    .where("owner_id", "=", id)
    .execute();

export const existsRecordOf = async (db: Db, parentId: string): Promise<boolean> =>
  (await db.selectFrom("record").select("id").where("parent_id", "=", parentId).executeTakeFirst()) !== undefined;

export const deleteParent = (db: Db, id: string) => db.deleteFrom("parent").where("id", "=", id).execute();

export async function deleteFamilyAccess(db: Db, parentId: string): Promise<void> {
  await db.deleteFrom("access_link").where("parent_id", "=", parentId).execute();
  await db.deleteFrom("access_grant").where("parent_id", "=", parentId).execute();
}

/** The pid rows of one record or draft. */
export const listPids = (db: Db, recordId: string): Promise<PidRow[]> =>
  db.selectFrom("pid").selectAll().where("record_id", "=", recordId).execute();

/** Another record that has this identifier, registered or reserved. */
export const findPidElsewhere = (db: Db, identifier: string, recordId: string): Promise<PidRow | undefined> =>
  db
    .selectFrom("pid")
    .selectAll()
    .where("scheme", "=", "doi")
    .where("identifier", "=", identifier.toLowerCase())
    .where("record_id", "!=", recordId)
    .executeTakeFirst();

export const insertPid = (db: Db, row: PidRow) => db.insertInto("pid").values(row).execute();

export const deletePids = (db: Db, recordId: string) =>
  db.deleteFrom("pid").where("record_id", "=", recordId).execute();

export const deleteRequest = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom("event_file").where("request_id", "=", id).execute();
  await db.deleteFrom("event").where("request_id", "=", id).execute();
  await db.deleteFrom("request").where("id", "=", id).execute();
};
