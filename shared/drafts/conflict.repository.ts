import type { Db } from "../database/open.ts";
import { prepared } from "../database/prepared.ts";
import type { ConflictRow, DocumentWriterRow } from "../database/schema.ts";
import { sortedBy } from "../database/sorted.ts";

const readConflicts = prepared((db, draftId: string) =>
  db.selectFrom("conflict").selectAll().where("draft_id", "=", draftId),
);

export const listConflicts = sortedBy(readConflicts, "created");

/** Newest first. */
export const listConflictsOf = (db: Db, userId: string): Promise<ConflictRow[]> =>
  db
    .selectFrom("conflict")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created", "desc")
    .orderBy("id", "desc")
    .execute();

export const findConflict = (db: Db, id: string): Promise<ConflictRow | undefined> =>
  db.selectFrom("conflict").selectAll().where("id", "=", id).executeTakeFirst();

export const insertConflict = (db: Db, row: ConflictRow) => db.insertInto("conflict").values(row).execute();

export const moveConflict = (db: Db, id: string, path: string) =>
  db.updateTable("conflict").set({ path }).where("id", "=", id).execute();

export const deleteConflict = (db: Db, id: string) => db.deleteFrom("conflict").where("id", "=", id).execute();

export const deleteConflicts = (db: Db, draftId: string) =>
  db.deleteFrom("conflict").where("draft_id", "=", draftId).execute();

export const listWriters = (db: Db, draftId: string): Promise<DocumentWriterRow[]> =>
  db.selectFrom("document_writer").selectAll().where("draft_id", "=", draftId).execute();

export const upsertWriter = prepared((db, row: DocumentWriterRow) =>
  db
    .insertInto("document_writer")
    .values(row)
    .onConflict((known) =>
      known.columns(["draft_id", "path"]).doUpdateSet({ user_id: row.user_id, written: row.written }),
    ),
);

export async function findOwner(db: Db, parentId: string): Promise<string | undefined> {
  const parent = await db.selectFrom("parent").select("owner_id").where("id", "=", parentId).executeTakeFirst();
  return parent?.owner_id;
}
